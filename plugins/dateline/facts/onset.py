"""Days from which statements say that they hold."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta

from dateline.facts.late_documents import is_before
from dateline.protocols import ONSETS, EffectJudge, Onset
from dateline.temporal.expressions import find_expressions
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
_DIGIT = re.compile(r"\d")


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
    dated, recurring = _days(text, anchor)
    if onset == "earlier":
        before = [day for day in dated if day < said] or [day for day in recurring if day < said]
        return _as_day(max(before, default=None))
    # What names no year, or no month, is read as past, and meant to come, unless its verb is in the past.
    soon, ahead = (_days_by(text, said, within=within, foreseen=seen) for within, seen in _TO_COME)
    again = [day + _WEEK if said - _WEEK < day <= said else day for day in recurring]
    every = (dated, soon, ahead, again)
    after = next((found for days in every if (found := [day for day in days if day > said])), [])
    first = _as_day(min(after, default=None))
    # Behind the calendar's last day there is only that day again.
    return first if is_before(anchor, first) else None


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
    days = [onset_day(text, anchor=anchor, onset="later") for text in texts]
    ahead = [place for place, day in enumerate(days) if day is not None]
    if not ahead:
        return days
    said = day_of(anchor)
    told = judge.effects([(texts[place], "") for place in ahead], dates=[(said, None)] * len(ahead)).onsets
    begins = {place for place, onsets in zip(ahead, told, strict=True) if ONSETS[onsets.argmax()] == "later"}
    return [day if place in begins else None for place, day in enumerate(days)]


def day_of(when: Interval | None) -> date | None:
    """Return the first day of a time, where it has one."""
    return None if when is None or when.start is None else moment_of(when.start).date()


def _days_by(text: str, said: int, *, within: timedelta, foreseen: int) -> list[int]:
    """List the days of a text, read as if written later."""
    today = moment_of(said).date()
    if today > date.max - within:
        return []
    days, _ = _days(text, Interval.of_moment(today + within), to_come=True)
    return [day for day in days if day < said + foreseen]


def _days(text: str, anchor: Interval, *, to_come: bool = False) -> tuple[list[int], list[int]]:
    """List the days that a text names, and those of weekdays.

    Weekdays may recur; the hours of a day date nothing.
    """
    dated, recurring = [], []
    found = find_expressions(text, anchor=anchor)
    behind = {phrase.end for phrase in find_phrases(text, found) if phrase.relation == "after"}
    for one in found:
        time = one.interval if one.kind in ("date", "time", "range") else None
        if time is None or time.start is None:
            continue
        if to_come and _happened(text[max(one.start - _BESIDE, 0) : one.start].split()):
            continue
        if _is_short(time) and time.granularity not in _WITHIN_A_DAY and not _DIGIT.search(one.text):
            recurring.append(time.start)
        elif time.granularity not in _WITHIN_A_DAY:
            # "After 30 June" begins with the day behind it.
            dated.append(time.end if one.end in behind and time.end is not None else _first_day(time))
    return dated, recurring


def _first_day(time: Interval) -> int:
    """Return a time's first day, or the last of a month's end."""
    start, end = time.start or 0, time.end or 0
    return end - DAY if end - start == _END_OF_MONTH and moment_of(end).day == 1 else start


def _is_short(time: Interval) -> bool:
    return time.start is not None and time.end is not None and time.end - time.start < _WEEK


def _happened(before: Sequence[str]) -> bool:
    return looks_back(before, len(before))


def _as_day(day: int | None) -> Interval | None:
    return None if day is None else Interval.of_moment(moment_of(day).date())
