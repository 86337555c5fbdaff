"""A small run of `benchmarks/hostile.py`: nothing raises, nothing is slow, nobody's facts end."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from dateline import BadInput, Evidence
from dateline.documents import evidence_of
from dateline.limits import DOCUMENT, QUESTION
from dateline.search import load_documents
from dateline.temporal import decompose
from dateline.temporal.as_of import now


@pytest.fixture(autouse=True)
def benchmarks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "benchmarks"))


def test_hostile_texts_go_through_the_whole_path() -> None:
    import hostile

    figures = hostile.path_figures(60, 6, seed=11)
    assert not hostile.faults(figures), figures["examples"]
    assert (figures["documents"], figures["questions"]) == (60, 6)


def test_the_same_seed_makes_the_same_texts() -> None:
    import hostile

    first, again = ([kind(random.Random(7)) for kind in hostile.KINDS] for _ in range(2))
    assert first == again


def test_a_run_that_finds_a_fault_says_so() -> None:
    import hostile

    count = hostile.Count()
    count.run("load", "x", lambda: 1 // 0)
    assert hostile.faults(count.figures()) == ["raised: 1"]


@pytest.mark.parametrize(
    "front",
    [
        "a: &a [x, x]\n" + "".join(f"b{level}: &b{level} [*a, *a, *a]\n" for level in range(9)),
        "a: &a {x: 1}\nb: &b {<<: [*a, *a, *a]}\nc: &c {<<: [*b, *b, *b]}",
        f"title: {'9' * 6_000}",
        f"? {'9' * 6_000}\n: 1",
        "title: !!timestamp x",
        "title: !!int ''",
        "a: !!bool x",
        "[" * 10_000,
        ("1:" * 4_000) + "1: x",
    ],
)
def test_front_matter_that_is_a_bomb_is_no_front_matter(front: str, tmp_path: Path) -> None:
    note = tmp_path / "2021-05-06 note.md"
    note.write_text(f"---\n{front}\n---\nAnna Berg is the mayor.", encoding="utf-8")
    assert load_documents(note).documents[0].text == "Anna Berg is the mayor."


def test_what_is_too_long_is_refused_in_a_sentence() -> None:
    with pytest.raises(BadInput, match=r"at most 20,000 characters, but this one has 20,001; ask in fewer words"):
        decompose("a" * (QUESTION + 1), as_of=now())
    with pytest.raises(BadInput, match=r"at most 5,000,000 characters, but this one has 5,000,001; give it in several"):
        evidence_of("a" * (DOCUMENT + 1))


def test_a_file_that_is_too_long_is_named(tmp_path: Path) -> None:
    (tmp_path / "dump.txt").write_text("a" * (DOCUMENT + 1), encoding="utf-8")
    (tmp_path / "note.txt").write_text("Anna Berg is the mayor.", encoding="utf-8")
    assert load_documents(tmp_path).skipped == ("dump.txt has more than 5,000,000 characters",)


def test_a_long_honest_document_loads(tmp_path: Path) -> None:
    chapter = tmp_path / "chapter.txt"
    chapter.write_text("The harbour was quiet that morning, and nobody spoke of the storm. " * 16_000, encoding="utf-8")
    assert sum(len(piece.text) for piece in load_documents(chapter).documents) > 1_000  # equal passages count once


def test_half_a_character_is_read_like_any_other() -> None:
    from dateline.reading import TrainedReader

    piece = Evidence.make("Anna Berg \ud800 is the mayor of Varnholm.", title="\udfff")
    assert Evidence.model_validate_json(piece.model_dump_json()) == piece
    asked = decompose("Who is \ud800 the mayor of Varnholm?", as_of=now())
    assert TrainedReader().read(asked, evidence=[piece]).reading.answer
