"""Dates of a report, as values and in words."""

from __future__ import annotations

import re
from datetime import datetime

from dateline import BadInput, Constraint, Interval
from dateline.counted import counted
from dateline.language.calendar import MONTH_NAMES
from dateline.temporal.interval import DAY, Granularity, civil_from_days, month_start, seconds_of

_DATE = re.compile(r"(-?\d{4,6})(?:-(\d\d)(?:-(\d\d)(T\d\d:\d\d:\d\d)?)?)?")
_RELATIONS = {
    "before": "before {}",
    "after": "after {}",
    "between": "within {}",
    "around": "around {}",
    "as_of": "as things stood at {}",
    "by": "by {}",
    "since": "since {}",
    "until": "until {}",
}


def read_date(text: str | None) -> Interval | None:
    """Read what `Interval.isoformat` wrote; `None` where it cannot be read."""
    if not text:
        return None
    try:
        if "/" in text:
            first, _, second = text.partition("/")
            return _read_range(first, second)
        match = _DATE.fullmatch(text)
        if match is None:
            return None
        if match[4]:
            return Interval(seconds_of(text), seconds_of(text) + 1, "second")
        parts = [int(part) for part in match.groups() if part]
        return (Interval.of_year, Interval.of_month, Interval.of_day)[len(parts) - 1](*parts)
    except BadInput:
        return None


def _read_range(first: str, second: str) -> Interval | None:
    """Read `first/second`; raise `BadInput` for an end that is none."""
    end = None if second == ".." else seconds_of(second)
    if first == "..":
        return None if end is None else Interval(None, end)
    opening = read_date(first)
    if opening is None:
        return None
    return Interval(opening.start, end, opening.granularity if end is None else "span")


def read_moment(text: str) -> int | None:
    """Calendar seconds of an ISO moment by its own clock, or None."""
    try:
        return seconds_of(datetime.fromisoformat(text))
    except ValueError:
        return None


def say_date(text: str | None) -> str:
    """Write a date in words, an unreadable one as it stands."""
    interval = read_date(text)
    return say(interval) if interval is not None else (text or "undated")


def say(interval: Interval) -> str:
    """Write an interval in words: "6 May 2019", "since 2013", "44 BCE"."""
    start, end = interval.start, interval.end
    if start is None and end is None:
        return "any time"
    if start is None:
        return f"up to {say_day(_last(end))}"
    if end is None:
        return f"since {_say_start(start, interval.granularity)}"
    if interval.granularity in ("hour", "minute", "second"):
        return f"{say_day(start)}, {start % DAY // 3600:02d}:{start % 3600 // 60:02d}"
    year, month, day = civil_from_days(start // DAY)
    if (start, end) == (month_start(year, 1), month_start(year + 1, 1)):
        return say_year(year)
    if (start, end) == (month_start(year, month), month_start(year, month + 1)):
        return f"{MONTH_NAMES[month - 1]}\u00a0{say_year(year)}"
    if end - start <= DAY:
        return say_day(start)
    last = _last(end)
    last_year, last_month, _ = civil_from_days(last // DAY)
    if start == month_start(year, 1) and end == month_start(last_year + 1, 1):
        return f"{say_year(year)} to {say_year(last_year)}"
    if day == 1 and end == month_start(last_year, last_month + 1):
        first, second = f"{MONTH_NAMES[month - 1]}\u00a0", f"{MONTH_NAMES[last_month - 1]}\u00a0{say_year(last_year)}"
        return f"{first}{say_year(year)} to {second}"
    return f"{say_day(start)} to {say_day(last)}"


def _say_start(start: int, granularity: Granularity) -> str:
    year, month, _ = civil_from_days(start // DAY)
    if granularity == "year":
        return say_year(year)
    return f"{MONTH_NAMES[month - 1]}\u00a0{say_year(year)}" if granularity == "month" else say_day(start)


def say_day(seconds: int) -> str:
    """The day of a moment: "6 May 2019"."""
    year, month, day = civil_from_days(seconds // DAY)
    return f"{day}\u00a0{MONTH_NAMES[month - 1]}\u00a0{say_year(year)}"


def say_year(year: int) -> str:
    """Write a year in words; year 0 is 1 BCE."""
    if 0 < year < 1000:
        return f"{year}\u00a0CE"
    return f"{year}" if year > 0 else f"{1 - year}\u00a0BCE"


def say_constraint(constraint: Constraint) -> str:
    """Write a constraint in words."""
    if constraint.relation in ("since", "after", "until", "before", "by") and None in (
        constraint.interval.start,
        constraint.interval.end,
    ):
        return say(constraint.window())
    if constraint.relation == "at":
        return f"{'on' if constraint.interval.is_precise else 'in'} {say(constraint.interval)}"
    return _RELATIONS[constraint.relation].format(say(constraint.interval))


def say_days(days: int) -> str:
    """Write a number of days in a suitable unit: "14 months"."""
    if days < 90:
        return counted(days, "day")
    return f"{days / 30.44:.0f} months" if days < 730 else f"{days / 365.25:.0f} years"


def _last(end: int | None) -> int:
    assert end is not None
    return end - 1
