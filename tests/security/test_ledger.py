"""A store that was tampered with or is gone says so."""

from __future__ import annotations

import json
import logging
import os
import shutil
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sqlalchemy as sql
from hypothesis import given, settings
from hypothesis import strategies as st

from dateline.errors import BadInput, StoreFailed
from dateline.facts import ExactIndex, Fact, FactStore, MemoryLedger, open_store
from dateline.facts.chain import link, walk
from dateline.facts.maintenance import verify
from dateline.facts.operation import AddFact
from dateline.facts.sql import SqlLedger
from dateline.text.lexical import LexicalEmbeddings
from dateline_cli.main import main

NOW = datetime(2024, 1, 1, tzinfo=UTC)
NAMES = ("Anna Berg", "Bruno Dahl", "Carla Ek", "David Friis", "Eva Gran")
T = "dateline_operations"


def learn(store: FactStore, *names: str) -> None:
    for name in names:
        fact = Fact.make(f"{name} is the mayor of a town.")
        store.apply(name, [AddFact(document=name, known_at=NOW, fact=fact)])


@pytest.fixture(params=["sqlite", "postgresql"])
def filled(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[FactStore, sql.Engine]]:
    """A store of five entries, and a way past it to its tables."""
    url = f"sqlite:///{tmp_path / 'facts.db'}"
    if request.param == "postgresql":
        url = request.getfixturevalue("postgres_url")
        request.getfixturevalue("empty_tables")
    engine = sql.create_engine(url)
    with FactStore(SqlLedger(url), index=ExactIndex(), embeddings=LexicalEmbeddings()) as store:
        learn(store, *NAMES)
        yield store, engine
    engine.dispose()


def tamper(engine: sql.Engine, *statements: str) -> None:
    with engine.begin() as connection:
        for statement in statements:
            connection.execute(sql.text(statement))


def forged(sequence: int) -> str:
    return (
        f"INSERT INTO {T} (sequence, id, document, revision, kind, dated, known_at, hash) "
        f"VALUES ({sequence}, 'x', 'x', 0, 'undo', false, 0, '{'0' * 64}')"
    )


def up(first: int) -> list[str]:
    return [f"UPDATE {T} SET sequence = {place + 1} WHERE sequence = {place}" for place in range(5, first - 1, -1)]


CHANGES = {
    "edited text": (3, [f"UPDATE {T} SET more = replace(more, 'Carla', 'Clara') WHERE sequence = 3"]),
    "edited clock": (2, [f"UPDATE {T} SET known_at = known_at - 1 WHERE sequence = 2"]),
    "removed first": (1, [f"DELETE FROM {T} WHERE sequence = 1"]),
    "removed inside": (3, [f"DELETE FROM {T} WHERE sequence = 3"]),
    "removed and closed up": (
        3,
        [
            f"DELETE FROM {T} WHERE sequence = 3",
            *(f"UPDATE {T} SET sequence = {place - 1} WHERE sequence = {place}" for place in (4, 5)),
        ],
    ),
    "removed last": (4, [f"DELETE FROM {T} WHERE sequence = 5"]),
    "removed all": (0, [f"DELETE FROM {T}"]),
    "inserted inside": (3, [*up(3), forged(3)]),
    "inserted behind": (6, [forged(6)]),
    "reordered": (
        2,
        [
            f"UPDATE {T} SET sequence = {new} WHERE sequence = {old}"
            for old, new in ((2, 99), (4, 2), (99, 4))
        ],
    ),
    "hashes erased": (1, [f"UPDATE {T} SET hash = NULL"]),
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_ledger_is_found_and_its_first_bad_entry_named(
    filled: tuple[FactStore, sql.Engine], change: str
) -> None:
    store, engine = filled
    assert verify(store).sound
    entry, statements = CHANGES[change]
    tamper(engine, *statements)
    (problem,) = verify(store).problems
    assert f"ntry {entry} " in problem


def test_a_head_noted_elsewhere_finds_a_ledger_that_was_written_anew(filled: tuple[FactStore, sql.Engine]) -> None:
    store, _ = filled
    noted = verify(store).head
    learn(store, "Frida Holm")
    assert verify(store, noted=noted).sound
    assert verify(store).head != noted
    other = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())
    assert "noted" in verify(other, noted=noted).problems[0]
    assert "noted" in verify(store, noted="0" * 64).problems[0]


def test_equal_entries_have_equal_heads_in_both_databases(
    tmp_path: Path, postgres_url: str, empty_tables: None
) -> None:
    urls = (f"sqlite:///{tmp_path / 'facts.db'}", postgres_url)
    one, two = (FactStore(SqlLedger(url), index=ExactIndex(), embeddings=LexicalEmbeddings()) for url in urls)
    with one, two:
        learn(one, *NAMES)
        two.ledger.append(
            [operation for _, operation in one.ledger.operations()]
        )  # with the salts they were hashed with
        assert verify(one).head == verify(two).head


@settings(max_examples=100)
@given(st.data())
def test_no_single_change_of_a_chain_passes(data: st.DataObject) -> None:
    texts = data.draw(st.lists(st.text(max_size=5), min_size=2, max_size=6))
    rows: list[dict[str, Any]] = []
    head = ""
    for sequence, text in enumerate(texts, start=1):
        head = link(head, {"sequence": sequence, "text": text})
        rows.append({"sequence": sequence, "text": text, "hash": head})
    assert not walk(rows, head=head, unchained=0, noted=rows[0]["hash"]).problem
    place = data.draw(st.integers(0, len(rows) - 1))
    kind = data.draw(st.sampled_from(["edit", "remove", "copy", "swap"]))
    changed = [dict(row) for row in rows]
    if kind == "edit":
        changed[place]["text"] += "x"
    elif kind == "remove":
        del changed[place]
    elif kind == "copy":
        changed.insert(place, dict(rows[place]))
    else:
        other = data.draw(st.integers(0, len(rows) - 1).filter(lambda each: each != place))
        changed[place], changed[other] = changed[other], changed[place]
    if data.draw(st.booleans()):
        changed = [{**row, "sequence": sequence} for sequence, row in enumerate(changed, start=1)]
    assert walk(changed, head=head, unchained=0, noted="").problem


# -- ledgers from before entries had hashes ---------------------------------------------------------


def unchain(engine: sql.Engine) -> None:
    """Make of a ledger what the first version wrote."""
    tamper(
        engine,
        f"ALTER TABLE {T} DROP COLUMN hash",
        "ALTER TABLE dateline_schema DROP COLUMN head",
        "ALTER TABLE dateline_schema DROP COLUMN unchained",
        "UPDATE dateline_schema SET version = 1",
    )


def test_a_ledger_without_hashes_opens_and_is_chained_from_then_on(
    filled: tuple[FactStore, sql.Engine], caplog: pytest.LogCaptureFixture
) -> None:
    store, engine = filled
    store.close()
    unchain(engine)
    with caplog.at_level(logging.WARNING):
        ledger = SqlLedger(engine.url.render_as_string(hide_password=False))
    assert "5 entries without hashes" in caplog.text
    with FactStore(ledger, index=ExactIndex(), embeddings=LexicalEmbeddings()) as again:
        assert len(again.at()) == 5
        learn(again, "Frida Holm", "Georg Ibsen")
        found = verify(again)
        assert (found.sound, found.unchained, len(found.head)) == (True, 5, 64)
        tamper(engine, f"UPDATE {T} SET known_at = known_at - 1 WHERE sequence = 6")
        assert "Entry 6 " in verify(again).problems[0]


# -- vectors ----------------------------------------------------------------------------------------


def test_two_swapped_vectors_among_many_are_found(tmp_path: Path) -> None:
    with open_store(tmp_path, embeddings=LexicalEmbeddings()) as store:
        facts = [Fact.make(f"Lamp {number} of the harbour is on.") for number in range(300)]
        store.apply("lamps", [AddFact(document="lamps", known_at=NOW, fact=fact) for fact in facts])
    vectors = np.memmap(tmp_path / "vectors.f32", dtype="<f4", mode="r+").reshape(300, -1)
    vectors[[137, 202]] = vectors[[202, 137]]
    with open_store(tmp_path, embeddings=LexicalEmbeddings()) as store:
        (problem,) = verify(store).problems
        assert "entry 138" in problem
        store.reindex()
        assert verify(store).sound


def test_the_command_tells_of_a_changed_ledger_by_its_exit_code(
    tmp_path: Path, changed_fact: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = str(tmp_path / "store")
    assert main(["facts", "add", store, str(changed_fact)]) == 0
    capsys.readouterr()
    assert main(["facts", "check", store, "--json"]) == 0
    head = json.loads(capsys.readouterr().out)["head"]
    assert main(["facts", "check", store, "--head", head]) == 0
    assert head in capsys.readouterr().out
    assert main(["facts", "check", store, "--head", "0" * 64]) == 1
    with closing(sqlite3.connect(tmp_path / "store" / "facts.db")) as connection, connection:
        connection.execute(f"UPDATE {T} SET known_at = 0 WHERE sequence = 1")
    assert main(["facts", "check", store]) == 1
    assert "Entry 1 " in capsys.readouterr().out


# -- folders that are gone, and who may read them ---------------------------------------------------


def removed(folder: Path) -> None:
    shutil.rmtree(folder)


def replaced(folder: Path) -> None:
    folder.rename(folder.with_name("old"))
    with open_store(folder, embeddings=LexicalEmbeddings()) as other:
        learn(other, "Hanna Juul")


def moved(folder: Path) -> None:
    folder.rename(folder.with_name("old"))


def ledger_replaced(folder: Path) -> None:
    shutil.copy(folder / "facts.db", folder / "copy.db")
    os.replace(folder / "copy.db", folder / "facts.db")


@pytest.mark.parametrize("gone", [removed, replaced, moved, ledger_replaced])
def test_a_store_whose_folder_has_gone_acknowledges_nothing(tmp_path: Path, gone: Callable[[Path], None]) -> None:
    folder = tmp_path / "facts"
    store = open_store(folder, embeddings=LexicalEmbeddings())
    learn(store, "Anna Berg")
    gone(folder)
    there = (folder / "vectors.f32").stat().st_size if folder.exists() else None
    with pytest.raises(StoreFailed, match="deleted, moved or replaced"):
        learn(store, "Bruno Dahl")
    with pytest.raises(StoreFailed, match="open the store again"):
        store.at()
    store.close()
    if gone is replaced:
        assert (folder / "vectors.f32").stat().st_size == there
    with open_store(folder, embeddings=LexicalEmbeddings()) as again:
        assert verify(again).sound
        learn(again, "Bruno Dahl")


@pytest.fixture
def open_to_all() -> Iterator[None]:
    """The least careful mask a shell may have."""
    before = os.umask(0)
    yield
    os.umask(before)


def test_a_store_and_its_export_are_for_their_owner_alone(tmp_path: Path, open_to_all: None) -> None:
    folder = tmp_path / "a" / "facts"
    with open_store(folder, embeddings=LexicalEmbeddings()) as store:
        learn(store, *NAMES)
        store.flush()
        modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in folder.iterdir()}
        assert {"facts.db", "facts.db-wal", "facts.db-shm", "vectors.f32", "index.json"} <= modes.keys()
        assert set(modes.values()) == {0o600}
        store.reindex()
        assert stat.S_IMODE((folder / "vectors.f32").stat().st_mode) == 0o600
    assert {stat.S_IMODE(each.stat().st_mode) for each in (folder, folder.parent)} == {0o700}
    assert main(["facts", "export", str(folder), str(folder / "out.jsonl")]) == 2
    assert stat.S_IMODE((folder / "facts.db").stat().st_mode) == 0o600


@pytest.mark.parametrize("name", ["facts.db", "vectors.f32", "index.json"])
def test_a_link_in_place_of_a_file_of_a_store_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "facts").mkdir()
    (tmp_path / "mine").write_text("")
    (tmp_path / "facts" / name).symlink_to("../mine")
    with pytest.raises((StoreFailed, BadInput)):
        open_store(tmp_path / "facts", embeddings=LexicalEmbeddings())
    assert (tmp_path / "mine").read_text() == ""


@settings(max_examples=5)
@given(gone_at=st.integers(0, len(NAMES)))
def test_whenever_a_folder_goes_no_later_word_is_acknowledged(
    tmp_path_factory: pytest.TempPathFactory, gone_at: int
) -> None:
    folder = tmp_path_factory.mktemp("store") / "facts"
    acknowledged = 0
    with open_store(folder, embeddings=LexicalEmbeddings()) as store:
        for place, name in enumerate(NAMES):
            if place == gone_at:
                shutil.rmtree(folder)
            with suppress(StoreFailed):
                learn(store, name)
                acknowledged += 1
    assert acknowledged == gone_at
