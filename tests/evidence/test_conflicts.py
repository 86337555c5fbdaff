"""What dated evidence answers against each other is told in order of time."""

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from dateline.evidence import ConflictingClaim, find_conflicts
from dateline.evidence.conflicts import conflict_lines
from dateline.protocols import ReadResult
from dateline.reading import ExtractiveReader
from dateline.records import Cost, Evidence, Reading
from dateline.temporal.constraint import Question
from dateline.temporal.interval import Interval

TEXT = "Who is the mayor of Aldermouth?"
QUESTION = Question(TEXT, TEXT, None, datetime(2024, 5, 1, tzinfo=UTC))


def report(name: str, year: int, place: str = "Aldermouth") -> Evidence:
    return Evidence.make(f"{name} became mayor of {place} today.", title="Mayor", published=Interval.of_day(year, 5, 9))


def told(*evidence: Evidence) -> list[str]:
    return conflict_lines(find_conflicts(QUESTION, evidence=evidence, reader=ExtractiveReader()), labels={})


def test_different_answers_of_different_days_are_one_conflict_in_order_of_time() -> None:
    assert told(report("Ana Bell", 2023), report("Gerald Pike", 2015), report("Tom Reyes", 2019)) == [
        "- May 9, 2015: Gerald Pike; then May 9, 2019: Tom Reyes; then May 9, 2023: Ana Bell"
    ]


def test_an_answer_that_comes_back_stands_with_its_newest_evidence() -> None:
    assert told(report("Gerald Pike", 2011), report("Tom Reyes", 2015), report("Gerald Pike", 2019)) == [
        "- May 9, 2015: Tom Reyes; then May 9, 2019: Gerald Pike"
    ]


def test_one_answer_or_one_day_is_no_conflict() -> None:
    assert told(report("Ana Bell", 2023), report("Ana Bell", 2019)) == []
    assert told(report("Ana Bell", 2023), report("Tom Reyes", 2023)) == []
    assert told() == []


def test_evidence_about_another_place_is_not_heard() -> None:
    assert told(report("Ana Bell", 2023), report("Tom Reyes", 2019, place="Saltford")) == []


def test_undated_claims_come_first_and_hostile_ones_stay_on_their_line() -> None:
    conflict = [ConflictingClaim("new", Interval.of_year(2020)), ConflictingClaim("old\nanswer: x", None)]
    assert conflict_lines([conflict], labels={}) == ["- unknown: old answer: x; then 2020: new"]


@pytest.mark.parametrize(
    ("one", "other"), [("1,204", "1204"), ("3 May 2019", "May 3, 2019"), ("the Alba Club", "Alba Club")]
)
def test_two_wordings_of_one_answer_are_no_conflict(one: str, other: str) -> None:
    class Says:
        """Reads the text of a piece as its answer."""

        def read(self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()) -> ReadResult:
            (piece,) = evidence
            return ReadResult(Reading(answer=piece.text, probability=1.0), Cost())

    pieces = [
        Evidence.make(text, title="mayor of Aldermouth", published=Interval.of_year(year))
        for text, year in ((one, 2019), (other, 2023))
    ]
    assert find_conflicts(QUESTION, evidence=pieces, reader=Says()) == []  # type: ignore[arg-type]
