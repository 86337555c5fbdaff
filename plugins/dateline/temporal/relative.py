"""Arithmetic of relative times: "last year", "three weeks ago", "in May"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from dateline.errors import BadInput
from dateline.temporal.interval import DAY, Granularity, Interval, civil_from_days, days_from_civil, month_start

_MONTHS_IN: dict[str, int] = {"month": 1, "quarter": 3, "half": 6, "year": 12, "decade": 120, "century": 1200}


def start_of(anchor: Interval) -> int:
    """Return an anchor's start, or its end when the start is open."""
    return anchor.start if anchor.start is not None else anchor.end if anchor.end is not None else 0


def shifted(anchor: Interval, unit: Granularity, steps: int) -> Interval:
    """Return the calendar unit `steps` units from the anchor's."""
    start = start_of(anchor)
    if unit in ("second", "minute", "hour", "day"):
        size = {"second": 1, "minute": 60, "hour": 3600, "day": DAY}[unit]
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
    if unit in ("second", "minute", "hour", "day", "week"):
        return moment + steps * {"second": 1, "minute": 60, "hour": 3600, "day": DAY, "week": 7 * DAY}[unit]
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
    today = start_of(anchor) // DAY

    def rank(candidate: Interval) -> tuple[bool, int]:
        first = start_of(candidate) // DAY
        if candidate.overlaps(anchor):
            return False, 0
        return back and first > today, _distance(first - today, ahead=ahead)

    return min(near, key=rank)


def _distance(days: int, *, ahead: bool, vague: bool = False) -> int:
    """Return how far a day lies; the unlikely side counts more.

    Months alone (`vague`) are rather past than days.
    """
    if days > 0:
        return days * (1 if ahead else 2 * _RATHER_PAST if vague else _RATHER_PAST)
    return -days * (4 * _RATHER_PAST if ahead else 1)


def likely_date(
    anchor: Interval, *, month: int, day: int | None, ahead: bool, back: bool = False, weekday: int | None = None
) -> Interval:
    """Return a yearless date in its likely year.

    That is the next one when looking ahead, else rather the past one, and with `back` never one to come.

    Args:
        weekday: the one that stands beside it (Monday 0); years in which the day is none go last.
    """
    today = start_of(anchor) // DAY
    year = civil_from_days(today)[0]

    def rank(candidate: int) -> tuple[bool, bool, int]:
        first = days_from_civil(candidate, month, day or 1)
        is_another = weekday is not None and (first + 3) % 7 != weekday
        # A month that is still running is this month, whichever way one looks.
        running = day is None and first <= today and Interval.of_month(candidate, month).overlaps(anchor)
        distance = 0 if running else _distance(first - today, ahead=ahead, vague=day is None)
        return back and first > today, is_another, distance

    reach = _LEAP if (month, day) == (2, 29) else 1
    years = sorted(range(year - reach, year + reach + 1), key=lambda each: abs(each - year))
    candidates = [each for each in years if _exists(each, month, day or 1)]
    if not candidates:
        raise BadInput(f"There is no day {day} in month {month} of the calendar.")
    best = min(candidates, key=rank)
    return Interval.of_month(best, month) if day is None else Interval.of_day(best, month, day)


_AWAITED = 60 * DAY
"""The results of a quarter come out within two months (chosen by hand)."""


def likely_part(anchor: Interval, *, month: int, months: int, unit: Granularity, ahead: bool) -> Interval:
    """Return a quarter or season that starts in `month`.

    The latest that has begun, or the next when looking ahead; a quarter that is over is still looked ahead to while its
    results are awaited.
    """
    moment = start_of(anchor)
    year = civil_from_days(moment // DAY)[0]
    awaited = unit == "quarter" and any(
        month_start(y, month) <= moment < month_start(y, month + months) + _AWAITED for y in (year, year - 1)
    )
    if ahead and not awaited:
        chosen = next(y for y in (year - 1, year, year + 1) if month_start(y, month + months) > moment)
    else:
        chosen = next(y for y in (year, year - 1) if month_start(y, month) <= moment)
    return Interval(month_start(chosen, month), month_start(chosen, month + months), unit)


def _exists(year: int, month: int, day: int) -> bool:
    return civil_from_days(days_from_civil(year, month, day)) == (year, month, day)
