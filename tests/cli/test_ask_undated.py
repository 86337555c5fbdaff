"""`dateline ask` over documents that carry no date: they stay in play, and the answer says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dateline_cli.main import main
from dateline_graphs import AnswerReport

QUESTION = "Who is the director of the Northern Observatory?"
UNDATED = "Carl Dahl is the director of the Northern Observatory, which stands on a hill."
NEUTRAL = 0.5


@pytest.fixture(params=["note.txt", "note.md", "notes.jsonl"])
def undated(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder of one undated document, in each form."""
    folder = tmp_path / "undated"
    folder.mkdir()
    text = json.dumps({"text": UNDATED}) if request.param.endswith("jsonl") else UNDATED
    (folder / request.param).write_text(f"{text}\n", encoding="utf-8")
    return folder


def asked(docs: Path, *more: str, capsys: pytest.CaptureFixture[str]) -> AnswerReport:
    assert main(["ask", QUESTION, "--docs", str(docs), "--json", *more]) == 0
    return AnswerReport.model_validate_json(capsys.readouterr().out)


@pytest.mark.parametrize("as_of", ["1990", "2022-05-01"])
def test_undated_documents_answer_at_any_date_and_say_that_they_are_undated(
    undated: Path, as_of: str, capsys: pytest.CaptureFixture[str]
) -> None:
    report = asked(undated, "--as-of", as_of, capsys=capsys)
    assert report.answer == "Carl Dahl"
    assert [(piece.date, piece.temporal) for piece in report.evidence] == [(None, NEUTRAL)]
    assert (report.freshness.newest, report.freshness.undated) == (None, 1)
    assert report.freshness.statement.startswith("None of the evidence used carries a date")


def test_a_person_is_told_and_so_is_the_page(undated: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.html"
    assert main(["ask", QUESTION, "--docs", str(undated), "--report", str(page)]) == 0
    for text in (capsys.readouterr().out, page.read_text(encoding="utf-8")):
        assert "Carl Dahl" in text
        assert "None of the evidence used carries a date" in text


def test_one_file_without_dates_answers_as_its_folder_does(undated: Path, capsys: pytest.CaptureFixture[str]) -> None:
    alone = asked(next(undated.iterdir()), capsys=capsys)
    assert alone.answer == asked(undated, capsys=capsys).answer


def test_a_fact_store_learns_from_undated_documents_too(
    undated: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = asked(undated, "--facts", str(tmp_path / "facts"), capsys=capsys)
    assert report.answer == "Carl Dahl"
    assert report.problems == ()


def test_beside_dated_documents_an_undated_one_is_neither_lost_nor_hidden_by_the_asking_date(
    undated: Path, changed_fact: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for file in undated.iterdir():
        file.rename(changed_fact / file.name)
    early = asked(changed_fact, "--as-of", "2016", capsys=capsys)
    assert [piece.date for piece in early.evidence] == [None, "2015-03-02"], "what came later is not known"
    late = asked(changed_fact, "--as-of", "2022", capsys=capsys)
    assert [piece.date for piece in late.evidence] == [None, "2015-03-02", "2021-09-14"]
    assert {piece.temporal for piece in late.evidence if piece.date is None} == {NEUTRAL}
    assert late.answer == "Carl Dahl"
