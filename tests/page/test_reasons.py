"""Each card says in plain words what its piece is to the answer, and what its scores mean."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from dateline import Candidate, Reading
from dateline_graphs import AnswerReport
from dateline_graphs.page import render
from dateline_graphs.page.reasons import reasons
from dateline_graphs.report import CitedSource

MakeReport = Callable[..., AnswerReport]


def source(id: str, date: str | None, *, used: bool = False) -> CitedSource:
    plain: dict[str, Any] = {"source": "", "title": id, "url": "", "kind": "document", "text": f"Text of {id}."}
    return CitedSource(id=id, date=date, score=0.5, semantic=0.1, temporal=0.5, matched=None, used=used, **plain)


def said(report: AnswerReport) -> dict[str, str]:
    return {id: re.sub("<[^>]+>", "", html) for id, html in reasons(report).items()}


def reading(*others: tuple[str, str]) -> Reading:
    candidates = [Candidate(answer=answer, probability=0.1, evidence_ids=(id,)) for answer, id in others]
    return Reading(answer="55 kroner", candidates=(Candidate(answer="55 kroner", probability=0.8), *candidates))


def test_of_several_used_pieces_the_newest_is_named_and_one_alone_is_said_to_be(make_report: MakeReport) -> None:
    used = [source(id, date, used=True) for id, date in (("old", "2020"), ("new", "2023-02-01"), ("bare", None))]
    told = said(make_report(reading=reading(), evidence=tuple(used)))
    assert told == {
        "old": "The answer stands on this one too; it is not the newest.",
        "new": "The newest that the answer stands on.",
        "bare": "One of those that the answer stands on; it has no date.",
    }
    alone = said(make_report(reading=reading(), evidence=tuple(used[:1])))
    assert alone == {"old": "The answer stands on this one alone."}


@pytest.mark.parametrize(
    ("date", "expected"),
    [
        ("2021-05-01", "Older; from it the answer would be “50 kroner”."),
        ("2023-05-01", "Newer, but its “50 kroner” is less likely the answer."),
        ("2023-02-01", "Its “50 kroner” is less likely the answer."),
        (None, "Without a date; its “50 kroner” is less likely the answer."),
    ],
)
def test_a_piece_that_says_otherwise_is_quoted_and_told_to_be_older_or_newer(
    make_report: MakeReport, date: str | None, expected: str
) -> None:
    evidence = (source("used", "2023-02-01", used=True), source("other", date), source("dull", "2022"))
    told = said(make_report(reading=reading(("50 kroner", "other")), evidence=evidence))
    assert told["other"] == expected
    assert told["dull"] == "Nothing in it was taken for an answer."


def test_where_nothing_is_answered_no_reason_is_made_up(make_report: MakeReport) -> None:
    assert said(make_report(reading=Reading(answer=""), evidence=(source("a", "2020"),))) == {}


def test_foreign_words_in_a_reason_stay_words(make_report: MakeReport) -> None:
    evidence = (source("used", "2023", used=True), source("other", "2020"))
    page = render(make_report(reading=reading(("<img src=x>", "other")), evidence=evidence))
    assert "<img src=x" not in page
    assert "from it the answer would be" in page


def test_a_card_says_how_well_a_piece_fits_beside_the_best_and_the_table_explains_its_numbers(
    make_report: MakeReport,
) -> None:
    best, other = source("used", "2023", used=True), source("other", "2020")
    evidence = (best.model_copy(update={"score": 0.8}), other.model_copy(update={"score": 0.6}))
    page = render(make_report(reading=reading(), evidence=evidence, unread=()))
    cards, _, table = page.partition("The time line as a table")[2].partition("</details>")[::-1]
    assert "the best of what was read" in cards
    assert "75 % of the best" in cards
    assert "0.80" in table
    for name in ("Score", "Content", "Time"):
        assert f"<dt>{name}</dt>" in table
        assert f"<dt>{name}</dt>" not in cards
