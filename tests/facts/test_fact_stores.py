"""Fact stores by namespace."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dateline import Evidence, Interval
from dateline.errors import BadInput
from dateline.facts import FactStores, LocalUpdater, SlotPack, open_store
from dateline.facts.opening import rebuild_store
from dateline.facts.stores import _folder_name, _named
from dateline.text.lexical import LexicalEmbeddings

NOW = datetime(2025, 1, 1, tzinfo=UTC)


@pytest.fixture
def stores(tmp_path: Path) -> FactStores:
    return FactStores(tmp_path / "all", embeddings=LexicalEmbeddings())


def tell(stores: FactStores, namespace: tuple[str, ...], text: str, year: int) -> None:
    said = Evidence.make(text, published=Interval.of_year(year))
    LocalUpdater(stores.of(*namespace)).update([said], known_at=NOW)


def texts(stores: FactStores, *namespace: str) -> list[str]:
    return [each.fact.text for each in stores.of(*namespace).at()]


def test_what_one_user_says_ends_and_shows_nothing_of_another(stores: FactStores) -> None:
    tell(stores, ("users", "ana"), "Tom Reyes is the director of the Northern Observatory.", 2019)
    tell(stores, ("users", "ben"), "Tom Reyes is the director of the Northern Observatory.", 2019)
    tell(stores, ("users", "ben"), "Eva Lund is the director of the Northern Observatory.", 2022)
    assert texts(stores, "users", "ana") == ["Tom Reyes is the director of the Northern Observatory."]
    assert texts(stores, "users", "ben") == ["Eva Lund is the director of the Northern Observatory."]
    assert stores.of("users").at() == []


def test_a_prefix_reads_all_below_it(stores: FactStores) -> None:
    for name in ("ana", "ben", "ana bell"):
        tell(stores, ("users", name), f"The home of {name} is Porto.", 2020)
    tell(stores, ("teams", "red"), "The home of the team is Porto.", 2020)
    found = stores.search("home Porto", prefix=("users",), as_of="2021")
    assert {namespace for namespace, _ in found} == {("users", "ana"), ("users", "ben"), ("users", "ana bell")}
    assert [each.similarity for _, each in found] == sorted((each.similarity for _, each in found), reverse=True)
    assert stores.search("home Porto", prefix=("users",), as_of="2019") == []
    assert len(stores.search("home Porto", k=2)) == 2
    assert stores.namespaces() == [("teams", "red"), ("users", "ana"), ("users", "ana bell"), ("users", "ben")]


def test_all_who_ask_hold_one_store_and_many_can_be_open(stores: FactStores, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dateline.facts.stores._OPEN", 2)
    first = stores.of("users", "0")
    for number in range(6):
        tell(stores, ("users", str(number)), f"The dock of ship number{number} is dock{number}.", 2020)
    assert stores.of("users", "0") is first
    assert [len(texts(stores, "users", str(number))) for number in range(6)] == [1] * 6
    stores.close()
    assert len(FactStores(stores._folder, embeddings=LexicalEmbeddings()).namespaces("users")) == 6


@settings(max_examples=80)
@given(st.lists(st.text(st.characters(), min_size=1, max_size=12), min_size=1, max_size=3, unique=True))
def test_labels_have_folders_of_their_own_on_any_disk(labels: list[str]) -> None:
    names = [_folder_name(label) for label in labels]
    assert len({name.casefold() for name in names}) == len(labels)
    assert not any(set(name) & set('/\\.:*?"<>| \0') for name in names)
    assert _named(Path("top", *names), Path("top")) == tuple(labels)


@pytest.mark.parametrize("namespace", [(), ("",), ("users", ""), ("x" * 300,), (1,)])
def test_a_namespace_without_a_good_label_is_refused(stores: FactStores, namespace: tuple[str, ...]) -> None:
    with pytest.raises(BadInput):
        stores.of(*namespace)


@pytest.mark.parametrize("name", ["100%20 sure", "why?", "a=b&c#d", "Å"])
def test_a_store_opens_in_a_folder_of_any_name(tmp_path: Path, name: str) -> None:
    with open_store(tmp_path / name, embeddings=LexicalEmbeddings()):
        assert (tmp_path / name / "facts.db").is_file()


def test_stores_lie_in_the_home_folder_where_a_tilde_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, work = tmp_path / "home", tmp_path / "work"
    work.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(work)
    with (
        open_store("~/facts", embeddings=LexicalEmbeddings()),
        FactStores("~/all", embeddings=LexicalEmbeddings()) as all_,
    ):
        all_.of("ana")
    rebuild_store("~/facts", embeddings=LexicalEmbeddings()).close()
    assert (home / "facts" / "facts.db").is_file()
    assert (home / "all").is_dir()
    assert list(work.iterdir()) == []


def test_every_store_has_the_attributes_that_are_given(tmp_path: Path) -> None:
    pack = tmp_path / "slots.toml"
    pack.write_text('[mentor]\nvalues = "one"\nverbs = ["learns from"]\nshape = "person"\n', encoding="utf-8")
    with FactStores(tmp_path / "all", embeddings=LexicalEmbeddings(), slots=SlotPack.load(pack)) as stores:
        tell(stores, ("users", "ana"), "Ada learns from Jon.", 2020)
        assert stores.of("users", "ana").value("Ada", attribute="mentor", as_of="2024").value == "Jon"
