"""How fresh the evidence of an answer is, and whether that is fresh enough."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from dateline import Evidence, Interval
from dateline.evidence.freshness import freshness_of

AS_OF = datetime(2026, 6, 1, tzinfo=UTC)
OLD = [Evidence.make("The firmware is at 3.1.", published=Interval.parse("2023-02-01"))]


def test_old_evidence_is_called_out_of_date_only_where_such_answers_change() -> None:
    version = freshness_of(OLD, as_of=AS_OF, question="What is the latest version of the firmware?")
    author = freshness_of(OLD, as_of=AS_OF, question="Who wrote the opera?")
    assert version.changes == "months"
    assert version.outdated is not None
    assert author.outdated is not None
    assert version.outdated > 0.75 > author.outdated
    assert version.statement.endswith("Such answers change within months, so it may be out of date.")
    assert "out of date" not in author.statement


@pytest.mark.parametrize("question", ["", " "])
def test_without_a_question_nothing_is_said_of_its_answer(question: str) -> None:
    told = freshness_of(OLD, as_of=AS_OF, question=question)
    assert told.changes is told.outdated is None
    assert "out of date" not in told.statement


def test_without_a_date_nobody_can_tell() -> None:
    told = freshness_of([Evidence.make("x")], as_of=AS_OF, question="What is the latest version of the firmware?")
    assert told.outdated is None
    assert told.changes == "months"


@pytest.mark.parametrize(
    "asked",
    [
        datetime(2023, 2, 3, 0, 0, 1, tzinfo=UTC),
        datetime(2023, 2, 3, 10, tzinfo=UTC),
        datetime(2023, 2, 3, 23, 59, 59, tzinfo=timezone(timedelta(hours=-10))),
    ],
)
def test_age_is_told_in_days_of_the_calendar_whatever_the_hour(asked: datetime) -> None:
    told = freshness_of(OLD, as_of=asked)
    assert told.newest_age_days == 2
    assert "2 days before the asking date" in told.statement


def test_what_goes_on_to_the_asking_day_or_beyond_is_of_that_day() -> None:
    piece = Evidence.make("The firmware is at 3.1.", published=Interval.parse("2026"))
    assert freshness_of([piece], as_of=AS_OF).newest_age_days == 0


@pytest.mark.parametrize("published", ["2026-07-01", "2026-07"])
def test_what_begins_behind_the_asking_day_is_told_as_later(published: str) -> None:
    told = freshness_of([Evidence.make("It is 4.0.", published=Interval.parse(published))], as_of=AS_OF)
    assert told.newest_age_days == -30
    assert "(30 days after the asking date)" in told.statement
