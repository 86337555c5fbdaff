"""Statements that tell of another time than was asked for."""

from __future__ import annotations

from dateline.facts.fact import Fact
from dateline.temporal.constraint import Question
from dateline.temporal.expressions import find_expressions
from dateline.temporal.interval import Interval


def other_time(fact: Fact, *, question: Question, said: Interval | None) -> Interval | None:
    """Return the time of a statement that misses the one asked for.

    A range misses it that does not meet it; another time only where it lies behind it, for what began before may
    last. A question that names no time asks for now, and only a range that is over misses that.

    Args:
        said: when it was said.

    Example:
        >>> from dateline.temporal import decompose, now
        >>> fact = Fact.make("Ada Berg was mayor from 2010 to 2013.", validity=Interval.of_years(2010, 2013))
        >>> str(other_time(fact, question=decompose("Who is the mayor?", as_of=now()), said=None))
        '2010-01-01/2014-01-01'
    """
    constraint = question.effective_constraint()
    asked = constraint.window()
    if fact.validity is not None:
        over = constraint.relation == "as_of" and fact.validity.before(constraint.interval)
        return fact.validity if over or not fact.validity.overlaps(asked) else None
    times = [] if question.constraint is None else _days(fact.text, said)
    return times[0] if times and all(time.after(asked) for time in times) else None


def _days(text: str, said: Interval | None) -> list[Interval]:
    """Return the days and ranges of a text, without times of day."""
    found = find_expressions(text, anchor=said)
    return [each.interval for each in found if each.interval is not None and each.kind in ("date", "range")]
