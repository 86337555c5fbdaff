"""Freshness: the newest and oldest evidence behind an answer."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from pydantic import Field

from dateline.counted import counted
from dateline.records import Evidence, Record
from dateline.temporal.interval import DAY, Interval, seconds_of
from dateline.temporal.pace import Speed, how_fast

Standing = Literal["used", "retrieved", "shown"]
"""What the evidence was to the answer, as far as is known: it stands on it, or it only had it before it."""


SAID_ABOVE = 0.75
"""From this chance on the statement says that the answer may have changed; chosen by hand: two half-lives."""


class Freshness(Record):
    """Age of an answer's evidence, seen from the asking date."""

    newest: str | None = Field(description="Date of the newest dated evidence used.")
    oldest: str | None = Field(description="Date of the oldest dated evidence used.")
    newest_age_days: int | None = Field(
        description="Days from the newest dated evidence used to the asking date; below 0 where it is later."
    )
    undated: int = Field(description="How many of the pieces used carry no date.")
    changes: Speed | None = Field(
        default=None, description="How fast such an answer changes, where a question is known."
    )
    outdated: float | None = Field(
        default=None, description="Chance that the answer has changed since the newest evidence, where both are known."
    )
    statement: str = Field(description="The same in a sentence or two.")


def freshness_of(
    evidence: Sequence[Evidence], *, as_of: datetime, standing: Standing = "used", question: str = ""
) -> Freshness:
    """Measure evidence's freshness as of the asking moment.

    Args:
        standing: the word for the evidence in the statement.
        question: what was asked; tells how fast the answer changes (`dateline.temporal.how_fast`).
    """
    dated = sorted(
        (each.published for each in evidence if each.published is not None), key=lambda each: each.middle or 0
    )
    undated = len(evidence) - len(dated)
    newest, oldest = (dated[-1], dated[0]) if dated else (None, None)
    age = None if newest is None else age_in_days(newest, as_of)
    pace = how_fast(question) if question.strip() else None
    outdated = None if pace is None or age is None else pace.outdated(days=age)
    statement = _statement(newest, oldest, age=age, undated=undated, standing=standing)
    if pace is not None and outdated is not None and outdated >= SAID_ABOVE:
        statement += f" Such answers change within {pace.speed}, so it may be out of date."
    return Freshness(
        newest=None if newest is None else newest.isoformat(),
        oldest=None if oldest is None else oldest.isoformat(),
        newest_age_days=age,
        undated=undated,
        changes=None if pace is None else pace.speed,
        outdated=outdated,
        statement=statement,
    )


def age_in_days(published: Interval, as_of: datetime) -> int:
    """Return the days from a time's last day to a moment's.

    By the moment's own calendar; 0 where the time goes on, below 0 where it begins later.
    """
    asked = seconds_of(as_of)
    begun = asked if published.start is None else max(asked, published.start)
    nearest = min(seconds_of(published.last_moment()), begun)
    return (asked - nearest // DAY * DAY) // DAY


def days_off(age: int, *, days: str) -> str:
    """Say where `age` puts evidence, its days worded as `days`."""
    if age == 0:
        return "on the asking date"
    return f"{days} {'before' if age > 0 else 'after'} the asking date"


def _statement(
    newest: Interval | None, oldest: Interval | None, *, age: int | None, undated: int, standing: Standing
) -> str:
    if newest is None or age is None:
        untold = f"None of the evidence {standing} carries a date, so nobody can tell how fresh it is."
        return untold if undated else f"No evidence was {standing}."
    text = f"The newest evidence {standing} is of {newest} ({days_off(age, days=counted(abs(age), 'day'))})"
    if oldest is not None and oldest != newest:
        text += f", the oldest of {oldest}"
    if undated:
        text += f"; {undated} piece{' is' if undated == 1 else 's are'} undated"
    return text + "."
