"""Days from which statements say that they hold."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from dateline.protocols import Onset
from dateline.temporal.expressions import placed_times
from dateline.temporal.interval import Interval, moment_of
from dateline.temporal.tense import looks_back

_YEAR = timedelta(days=365)
_BESIDE = 60
"""Characters before a time in which its verb is looked for; chosen by hand."""


def onset_day(text: str, *, anchor: Interval | None, onset: Onset) -> Interval | None:
    """Find the day from which a statement says it holds.

    Args:
        anchor: when it was said.
        onset: on which side of that day to look: for the first after it, or the last before it.

    Example:
        >>> told = "As of September the fee is 20 euros."
        >>> str(onset_day(told, anchor=Interval.of_day(2024, 5, 30), onset="later"))
        '2024-09-01'
    """
    if anchor is None or anchor.start is None or onset == "then":
        return None
    said = anchor.start
    if onset == "earlier":
        return _as_day(max((day for day in _days(text, anchor) if day < said), default=None))
    # What names no year is read as past, and meant to come, unless its verb is in the past.
    ahead = Interval.of_moment((moment_of(said) + _YEAR).date())
    after = [day for day in _days(text, anchor) if day > said] or [
        day for day in _days(text, ahead, to_come=True) if day > said
    ]
    return _as_day(min(after, default=None))


def _days(text: str, anchor: Interval, *, to_come: bool = False) -> list[int]:
    return [
        time.start
        for start, _, time in placed_times(text, anchor)
        if time.start is not None and not (to_come and _happened(text[max(start - _BESIDE, 0) : start].split()))
    ]


def _happened(before: Sequence[str]) -> bool:
    return looks_back(before, len(before))


def _as_day(day: int | None) -> Interval | None:
    return None if day is None else Interval.of_moment(moment_of(day).date())
