"""Arithmetic of relative times: "last year", "three weeks ago", "in May"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from dateline.errors import BadInput
from dateline.temporal.interval import DAY, Granularity, Interval, civil_from_days, days_from_civil, month_start

_SECONDS_IN: dict[str, int] = {"second": 1, "minute": 60, "hour": 3600, "day": DAY, "week": 7 * DAY}
_MONTHS_IN: dict[str, int] = {"month": 1, "quarter": 3, "half": 6, "year": 12, "decade": 120, "century": 1200}


def start_of(anchor: Interval) -> int:
    """Return an anchor's start, or its end when the start is open."""
    return anchor.start if anchor.start is not None else anchor.end if anchor.end is not None else 0


def shifted(anchor: Interval, unit: Granularity, steps: int) -> Interval:
    """Return the calendar unit `steps` units from the anchor's."""
    start = start_of(anchor)
    if unit in _SECONDS_IN and unit != "week":
        size = _SECONDS_IN[unit]
        first = (start // size + steps) * size
        return Interval(first, first + size, unit)
    day = start // DAY
    if unit == "week":
        monday = day - (day + 3) % 7 + 7 * steps
        return Interval(monday * DAY, (monday + 7) * DAY, "week")
    months = _MONTHS_IN.get(unit, 12)
    year, month, _ = civil_from_days(day)
    index = (year * 12 + month - 1) // months + steps
    return Interval(month_start(0, index * months + 1), month_start(0, (index + 1) * months + 1), unit)


def stretch(anchor: Interval, unit: Granularity, steps: int) -> Interval:
    """Return the `steps` units before (negative) or after the anchor.

    The anchor's own day is included.
    """
    far = shifted_moment(start_of(anchor), unit, steps)
    near = start_of(anchor)
    return Interval(far, near + DAY) if steps < 0 else Interval(near, far + DAY)


def shifted_moment(moment: int, unit: Granularity, steps: int) -> int:
    """Return a moment `steps` units away, keeping the day where possible."""
    if unit in _SECONDS_IN:
        return moment + steps * _SECONDS_IN[unit]
    year, month, day = civil_from_days(moment // DAY)
    first = month_start(year, month + steps * _MONTHS_IN.get(unit, 12))
    later_year, later_month, _ = civil_from_days(first // DAY)
    length = (month_start(later_year, later_month + 1) - first) // DAY
    return first + (min(day, length) - 1) * DAY + moment % DAY


def weekday(anchor: Interval, number: int, direction: Literal["past", "next", "nearest"]) -> Interval:
    """Return the weekday (Monday 0) before, after or nearest the anchor.

    "nearest" is the latest up to the anchor's own day.
    """
    day = start_of(anchor) // DAY
    back = (day + 3 - number) % 7
    if direction == "next":
        first = day + 7 - back
    elif direction == "past":
        first = day - (back or 7)
    else:
        first = day - back
    return Interval(first * DAY, (first + 1) * DAY, "day")


def month(anchor: Interval, number: int, step: int) -> Interval:
    """Return a month near the anchor.

    The last one before (-1), the next after (1), or the anchor year's own (0).
    """
    year, current, _ = civil_from_days(start_of(anchor) // DAY)
    if step < 0:
        year -= number >= current
    elif step > 0:
        year += number <= current
    return Interval.of_month(year, number)


_LEAP = 8
"""Years of which one at least has a 29 February."""
_RATHER_PAST = 3
"""A date ahead must lie this many times nearer than one behind, where no word speaks of the future."""


def likeliest(anchor: Interval, near: Sequence[Interval], *, ahead: bool, back: bool = False) -> Interval:
    """Return the stretch that is likely meant.

    That is the next when looking ahead, else rather a past one, and with `back` never one to come.
    """
    return min(near, key=lambda each: _rank(each, anchor, ahead=ahead, back=back))


def _rank(candidate: Interval, anchor: Interval, *, ahead: bool, back: bool, vague: bool = False) -> tuple[bool, int]:
    """Return how far a stretch lies; the unlikely side counts more.

    One that shares a moment with the anchor is meant, whichever way one looks: a month that is still running, a day of the
    year that is all one knows of a document. Months alone (`vague`) are rather past than days.
    """
    if candidate.overlaps(anchor):
        return False, 0
    days = start_of(candidate) // DAY - start_of(anchor) // DAY
    if days > 0:
        return back, days * (1 if ahead else 2 * _RATHER_PAST if vague else _RATHER_PAST)
    return False, -days * (4 * _RATHER_PAST if ahead else 1)


def likely_date(
    anchor: Interval, *, month: int, day: int | None, ahead: bool, back: bool = False, weekday: int | None = None
) -> Interval:
    """Return a yearless date in its likely year.

    That is the next one when looking ahead, else rather the past one, and with `back` never one to come.

    Args:
        weekday: the one that stands beside it (Monday 0); years in which the day is none go last.
    """
    year = civil_from_days(start_of(anchor) // DAY)[0]

    def rank(candidate: Interval) -> tuple[bool, bool, int]:
        is_another = weekday is not None and (start_of(candidate) // DAY + 3) % 7 != weekday
        to_come, distance = _rank(candidate, anchor, ahead=ahead, back=back, vague=day is None)
        return to_come, is_another, distance

    reach = _LEAP if (month, day) == (2, 29) else 1
    years = sorted(range(year - reach, year + reach + 1), key=lambda each: abs(each - year))
    near = [
        Interval.of_month(each, month) if day is None else Interval.of_day(each, month, day)
        for each in years
        if _exists(each, month, day or 1)
    ]
    if not near:
        raise BadInput(f"There is no day {day} in month {month} of the calendar.")
    return min(near, key=rank)


_AWAITED = 60 * DAY
"""The results of a quarter come out within two months (chosen by hand)."""


def likely_part(anchor: Interval, *, month: int, unit: Granularity, ahead: bool) -> Interval:
    """Return a quarter or season, three months that start with `month`.

    The one within the anchor or running then, else the latest that has begun, or the next when looking ahead; a quarter that is
    over is still looked ahead to while its results are awaited.
    """
    moment = start_of(anchor)
    year = civil_from_days(moment // DAY)[0]
    starts = [(month_start(y, month), month_start(y, month + 3)) for y in (year - 1, year, year + 1)]
    near = [Interval(start, end, unit) for start, end in starts]
    now = [part for part in near if anchor.contains(part)] or [part for part in near if part.overlaps(anchor)]
    if now:
        return now[0]
    awaited = unit == "quarter" and any(start <= moment < end + _AWAITED for start, end in starts)
    if ahead and not awaited:
        return next(part for part, (_, end) in zip(near, starts, strict=True) if end > moment)
    return next(part for part, (start, _) in reversed([*zip(near, starts, strict=True)]) if start <= moment)


def _exists(year: int, month: int, day: int) -> bool:
    return civil_from_days(days_from_civil(year, month, day)) == (year, month, day)
