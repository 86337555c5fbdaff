"""Days from which statements say that they hold."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

from dateline.facts.late_documents import is_before
from dateline.protocols import AHEAD, ONSETS, EffectJudge, Onset, PlacedStatement
from dateline.temporal.expressions import TimeExpression, find_expressions
from dateline.temporal.interval import DAY, Interval, moment_of
from dateline.temporal.phrases import find_phrases
from dateline.temporal.tense import looks_back

_BESIDE = 60
"""Characters before a time in which its verb is looked for; chosen by hand."""
_WITHIN_A_DAY = ("second", "minute", "hour")
_WEEK = 7 * DAY
_TO_COME = ((timedelta(days=31), 31 * DAY), (timedelta(days=365), 300 * DAY))
"""How much later a text is read once more, and how far ahead a day may lie then: in the middle of January, "from 1 January" is this one.
Chosen by hand."""
_END_OF_MONTH = 8 * DAY
"""How long the end of a month is."""
_NOTHING = PlacedStatement("")
_DIGIT = re.compile(r"\d")


def onset_day(text: str, *, anchor: Interval | None, onset: Onset) -> Interval | None:
    """Find the day from which a statement says it holds.

    Args:
        anchor: when it was said.
        onset: on which side of that day to look: for the first after it, or the last before it; for the "day_after", behind the
            first, as of "her last day is 4 May".

    Example:
        >>> told = "As of September the fee is 20 euros."
        >>> str(onset_day(told, anchor=Interval.of_day(2024, 5, 30), onset="later"))
        '2024-09-01'
    """
    anchor = _day_around(anchor)
    if anchor is None or anchor.start is None or onset == "then":
        return None
    said = anchor.start
    dated, recurring = _days(text, anchor)
    if onset == "earlier":
        before = next(
            (found for days in (dated, recurring) if (found := [one for one in days if one.first < said])), []
        )
        return _as_day(max((one.first for one in before), default=None))
    # What names no year, or no month, is read as past, and meant to come, unless its verb is in the past.
    soon, ahead = (_days_by(text, said, within=within, foreseen=seen) for within, seen in _TO_COME)
    again = [_Day(*(day + _WEEK for day in one)) if said - _WEEK < one.first <= said else one for one in recurring]
    every = (dated, soon, ahead, again)
    after = next((found for days in every if (found := [day for day in days if day.first > said])), [])
    nearest = min(after, default=None)
    starts = _as_day(nearest and (nearest.behind if onset == "day_after" else nearest.first))
    # Behind the calendar's last day there is only that day again.
    return starts if is_before(anchor, starts) else None


def announced_days(texts: Sequence[str], *, anchor: Interval | None, judge: EffectJudge) -> list[Interval | None]:
    """Find the day to come from which each statement says it holds.

    The judge tells it of a statement by itself: "The fee is 20 euros from 1 July" is announced, "the open day is on 14 June" is
    known already.

    Args:
        anchor: when they were said.

    Example:
        >>> from dateline.reading.still import shared_still_judge
        >>> told, said = ["From 1 July Bo leads.", "We are open until 1 July."], Interval.of_day(2024, 5, 30)
        >>> [str(day) for day in announced_days(told, anchor=said, judge=shared_still_judge())]
        ['2024-07-01', 'None']
    """
    days: list[Interval | None] = [None] * len(texts)
    ahead = [place for place, text in enumerate(texts) if onset_day(text, anchor=anchor, onset="later") is not None]
    if not ahead:
        return days
    said = day_of(anchor)
    told = judge.effects([(PlacedStatement(texts[place], said), _NOTHING) for place in ahead]).onsets
    for place, onsets in zip(ahead, told, strict=True):
        onset = ONSETS[onsets.argmax()]
        days[place] = onset_day(texts[place], anchor=anchor, onset=onset) if onset in AHEAD else None
    return days


def day_of(when: Interval | None) -> date | None:
    """Return the first day of a time, where it has one."""
    return None if when is None or when.start is None else moment_of(when.start).date()


def _day_around(when: Interval | None) -> Interval | None:
    """Return the day around a time within one, others unchanged."""
    if when is None or when.start is None or when.granularity not in _WITHIN_A_DAY:
        return when
    start = when.start - when.start % DAY
    return Interval(start, start + DAY, "day")


class _Day(NamedTuple):
    """The day that counts for a time, and what is behind it."""

    first: int
    behind: int


def _days_by(text: str, said: int, *, within: timedelta, foreseen: int) -> list[_Day]:
    """List the days of a text, read as if written later."""
    today = moment_of(said).date()
    if today > date.max - within:
        return []
    days, _ = _days(text, Interval.of_moment(today + within), to_come=True)
    return [day for day in days if day.first < said + foreseen]


def _days(text: str, anchor: Interval, *, to_come: bool = False) -> tuple[list[_Day], list[_Day]]:
    """List the days that a text names, and those of weekdays.

    Weekdays may recur; an hour counts for its day, but for the day on which the text was written: "open until 7 pm" dates nothing.
    """
    dated, recurring = [], []
    found = find_expressions(text, anchor=anchor)
    after = {phrase.end for phrase in find_phrases(text, found) if phrase.relation == "after"}
    for one in found:
        time = one.interval if one.kind in ("date", "time", "range") else None
        day = None if time is None else _day(time)
        if time is None or day is None or (time.granularity in _WITHIN_A_DAY and day.first == anchor.start):
            continue
        if to_come and _happened(text[max(one.start - _BESIDE, 0) : one.start].split()):
            continue
        if _recurs(one, day, anchor):
            recurring.append(day)
        else:
            # "After 30 June" begins with the day behind it.
            dated.append(_Day(day.behind, day.behind) if one.end in after else day)
    return dated, recurring


def _day(time: Interval) -> _Day | None:
    """Return the day that counts for a time.

    The first; of the end of a month, and of what has no first, the last.
    """
    start, end = time.start, time.end
    if start is None:
        return None if end is None else _Day(end - DAY, end)
    if time.granularity in _WITHIN_A_DAY:
        return _Day(start - start % DAY, start - start % DAY + DAY)
    end = start + DAY if end is None else end
    return _Day(end - DAY if end - start == _END_OF_MONTH and moment_of(end).day == 1 else start, end)


def _recurs(one: TimeExpression, day: _Day, anchor: Interval) -> bool:
    """Tell whether it may come each week: "Thursday", "Thursday at 7"."""
    if one.interval is None or one.interval.granularity in _WITHIN_A_DAY:
        return abs(day.first - (anchor.start or 0)) <= _WEEK
    start, end = one.interval.start, one.interval.end
    return None not in (start, end) and day.behind - day.first < _WEEK and not _DIGIT.search(one.text)


def _happened(before: Sequence[str]) -> bool:
    return looks_back(before, len(before))


def _as_day(day: int | None) -> Interval | None:
    return None if day is None else Interval.of_moment(moment_of(day).date())
