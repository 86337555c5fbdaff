"""`dateline evaluate notes` over a made-up small town's notes."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from dateline import BadInput
from dateline_bench.benchmarks import notes
from dateline_bench.notes.answers import NoteAnswer, NoteSystems
from dateline_bench.notes.facts import FactTally, changes, learnt
from dateline_bench.notes.questions import NoteQuestion, NotesCorpus
from dateline_bench.rows import read, write
from dateline_cli.main import main

NOTES = {
    "2021-03-01-mayor.md": "The mayor of Lund is Ada Berg.",
    "2023-06-10-mayor.md": "The mayor of Lund is Jon Holm.",
    "pier.md": "---\ntitle: Pier\ndate: 2022-01-05\nsource: harbour office\n---\nThe ferry leaves from the north pier.",
    "lines.jsonl": json.dumps({"text": "The ferry is painted green.", "date": "2022-02-01", "source": "radio"}),
}


def row(number: int, **changed: Any) -> dict[str, Any]:
    return {
        "id": f"q{number}",
        "corpus": "ferry",
        "category": "current",
        "question": "Who is the mayor of Lund?",
        "as_of": "2022-01-01",
        "gold": ["Ada Berg"],
        "match": "any",
        "gold_docs": ["2021-03-01-mayor.md"],
    } | changed


NEWER = {"as_of": "2024-01-01", "gold": ["Jon Holm"], "gold_docs": ["2023-06-10-mayor.md"]}
NOTHING = {
    "question": "What did the anchor weigh?",
    "gold": [],
    "match": "none",
    "category": "no_answer",
    "gold_docs": [],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    corpus = tmp_path / "notes" / "corpora" / "ferry"
    corpus.mkdir(parents=True)
    for name, text in NOTES.items():
        (corpus / name).write_text(text + "\n", encoding="utf-8")
    ask(corpus.parent.parent, [row(1), row(2, **NEWER), row(3, **NOTHING)])
    return corpus.parent.parent


def ask(folder: Path, rows: Sequence[dict[str, Any]]) -> None:
    write(folder / "questions.jsonl", rows)


def items(*rows: dict[str, Any]) -> list[NoteQuestion]:
    return [NoteQuestion.model_validate(one) for one in rows]


def test_figures_items_and_baselines_are_written(folder: Path, tmp_path: Path) -> None:
    out, answers = tmp_path / "out.json", tmp_path / "answers.jsonl"
    assert main(["evaluate", "notes", str(folder), "--json", str(out), "--items", str(answers)]) == 0
    report = json.loads(out.read_text(encoding="utf-8"))
    named = {
        "right",
        "right_current",
        "wrong_called_reliable",
        "withheld_unanswerable",
        "retrieval_first",
        "retrieval_five",
    }
    assert (named | {"auroc", "facts_retired"}) - set(report["metrics"]) <= {"wrong_called_reliable"}
    assert report["metrics"]["right"] == report["metrics"]["retrieval_first"] == 100.0
    assert set(report["baselines"]) == {"plain RAG", "newest of three", "gold documents"}
    assert all("right_current" in figures for figures in report["baselines"].values())
    written = list(read(answers))
    assert [one["id"] for one in written] == ["q1", "q2", "q3"]
    assert set(written[0]) == {"id", "answer", "label", "reliable", "action", "documents", "facts"}
    assert written[0]["documents"][0] == "2021-03-01-mayor.md"
    assert "The mayor of Lund is Ada Berg." in written[0]["facts"]


def test_plain_rag_knows_no_date_and_gold_documents_nothing_else(folder: Path) -> None:
    corpus = NotesCorpus(folder / "corpora" / "ferry")
    systems, (item,) = NoteSystems(corpus), items(row(1))
    assert systems.plain(item).documents != systems.ours(item).documents
    assert "2023-06-10-mayor.md" in systems.plain(item).documents
    assert "2023-06-10-mayor.md" not in systems.newest(item).documents
    assert systems.gold(item).documents == ("2021-03-01-mayor.md",)


def test_a_question_of_a_later_day_than_today_is_asked_as_any_other(folder: Path) -> None:
    ask(folder, [row(1, **{**NEWER, "as_of": "2090-01-01"})])
    assert notes.run(folder).metrics["right"] == 100.0


def test_a_document_goes_by_its_file_and_a_line_by_its_source(folder: Path) -> None:
    corpus = NotesCorpus(folder / "corpora" / "ferry")
    assert set(corpus.names.values()) == {*NOTES, "radio"} - {"lines.jsonl"}


def said(answer: str = "Ada Berg", label: str = "reliable", reliable: float = 0.9, **more: Any) -> NoteAnswer:
    return NoteAnswer(answer, label, reliable, more.get("action", "adopt"), more.get("documents", ()))


def test_what_nobody_should_trust_counts_as_withheld() -> None:
    (item,) = items(row(1, **NOTHING))
    assert [said("", "reliable").is_right(item), said(label="uncertain").is_right(item)] == [True, True]
    assert said(action="abstain").is_right(item)
    assert not said().is_right(item)


def test_certainty_is_measured_over_the_answerable() -> None:
    asked = items(row(1), row(2), row(3), row(4, **NOTHING))
    figures = notes.figures_of(
        list(zip(asked, [said(), said("Bo", reliable=0.8), said("Bo", "uncertain", 0.2), said()], strict=True))
    )
    assert figures["right"] == pytest.approx(100 / 3)
    assert (figures["right_called_reliable"], figures["wrong_called_reliable"]) == (100.0, 50.0)
    assert figures["auroc"] == 100.0
    assert figures["withheld_unanswerable"] == figures["right_no_answer"] == 0.0


def test_a_gold_document_first_and_among_five() -> None:
    later = said(documents=("a", "b", "c", "d", "2021-03-01-mayor.md"))
    figures = notes.figures_of([(items(row(1))[0], later)])
    assert (figures["retrieval_first"], figures["retrieval_five"]) == (0.0, 100.0)


def test_what_there_is_nothing_of_has_no_figure() -> None:
    figures = notes.figures_of([(items(row(1))[0], said())])
    assert not {"withheld_unanswerable", "wrong_called_reliable", "right_list"} & set(figures)
    assert figures["right_called_reliable"] == 100.0
    assert {"right_tides"} <= set(notes.figures_of([(items(row(1, category="tides"))[0], said())]))


def test_changes_are_pairs_of_following_times_with_different_answers() -> None:
    asked = items(row(1), row(2, as_of="2022-06-01"), row(3, **NEWER), row(4, question="Where?"))
    assert [(old.id, new.id) for old, new in changes(asked)] == [("q2", "q3")]


def test_a_changed_fact_is_retired_and_a_standing_one_is_not_ended(folder: Path) -> None:
    asked, tally = items(row(1), row(2, **NEWER)), FactTally()
    corpus = NotesCorpus(folder / "corpora" / "ferry")
    with learnt(corpus) as store:
        tally.add(store, asked, corpus=corpus)
    assert (tally.found, tally.retired) == ([True], [True])
    assert tally.ended
    assert not any(tally.ended)


def test_facts_of_other_documents_and_of_what_was_are_not_counted(folder: Path) -> None:
    elsewhere = row(1, gold_docs=["pier.md"])
    before = row(
        2,
        **NEWER | {"category": "past", "question": "Who was the mayor of Lund before Jon Holm?", "gold": ["Ada Berg"]},
    )
    corpus, tally = NotesCorpus(folder / "corpora" / "ferry"), FactTally()
    with learnt(corpus) as store:
        tally.add(store, items(elsewhere, row(3, **NEWER | {"category": "past"}), before), corpus=corpus)
    assert (tally.found, tally.ended) == ([False], [])


def test_bad_rows_are_told_by_their_number(folder: Path) -> None:
    good = row(1)
    for bad, expected in (
        (row(2, as_of="some day"), "Line 2.*as_of"),
        (row(2, match="most"), "Line 2.*match"),
        (row(2, gold=[]), "Line 2.*gold"),
        (row(2, gold=[["a"]]), "Line 2.*gold"),
        ({"id": "q2"}, "Line 2.*corpus"),
        (row(2, corpus="tram"), "tram"),
    ):
        ask(folder, [good, bad])
        with pytest.raises(BadInput, match=expected):
            notes.run(folder)


def test_bad_lines_of_a_corpus_are_told_and_the_rest_is_measured(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with (folder / "corpora" / "ferry" / "lines.jsonl").open("a", encoding="utf-8") as file:
        file.write("{broken\n")
    with caplog.at_level(logging.WARNING):
        assert notes.run(folder, limit=1).n == 1
    assert "lines.jsonl line 2" in caplog.text


def test_other_benchmarks_refuse_items(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "squad", str(folder), "--items", "x.jsonl"]) == 2
    assert "items" in capsys.readouterr().err


@pytest.mark.parametrize("half", ["seen", "apart"])
def test_our_own_corpora_hold_what_their_questions_rest_on(half: str) -> None:
    folder = Path(__file__).parents[2] / "benchmarks" / "notes" / half
    asked = notes.load(folder)
    assert len({item.id for item in asked}) == 200
    for corpus in {item.corpus for item in asked}:
        pieces = NotesCorpus(folder / "corpora" / corpus)
        for item in asked:
            if item.corpus == corpus:
                named = {name.rpartition("/")[2] for name in pieces.listed(pieces.of(item.gold_docs))}
                assert named >= item.gold_docs, item.id
