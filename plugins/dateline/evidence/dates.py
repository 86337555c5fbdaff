"""Date strings of search results, read relative to the search's moment.

"Sep 16, 2025", "hace 2 días", "10/07/2025, 01:06 PM, +0000 UTC", "3 months ago", "2025年9月16日": the result is
the calendar unit (minute, hour, day, week, month, year) in which the said moment lies, so "1 year ago" is a year and
never a day. What cannot be read is `None`, never "now".
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from decimal import Decimal

from dateline.errors import BadInput
from dateline.evidence.ago import is_length, relative_date, weekday
from dateline.evidence.written_dates import nearest_year, with_clock, written_date
from dateline.language.calendar import MONTH_NAMES
from dateline.temporal.interval import DAY, Interval, civil_from_days, seconds_of

MAX_LENGTH = 160
"""Date strings are short; what stands behind this many characters is not looked at."""


def read_date(
    value: object, *, now: datetime | None, language: str = "en", country: str = "", ahead: bool = False
) -> Interval | None:
    """The time that a date field says, or `None`.

    Args:
        value: a string, a `date` or `datetime`, a year, or seconds or milliseconds since 1970.
        now: the moment at which the value was written; without it nothing relative is read.
        language: two-letter code of the language the value is probably written in; others are tried after it.
        country: two-letter code, which decides whether 10/07/2025 is October or July.
        ahead: whether it may lie ahead, as a game's date does: a day without a year is then the nearest one, where
            otherwise it is the latest that has come.
    """
    try:
        read = _read(value, now=now, language=language[:2].lower(), country=country[:2].lower(), ahead=ahead)
    except (BadInput, OverflowError, ValueError):
        return None
    return read if read is None or read.start is None or read.start >= _ZERO_DAY_ENDS else None


_PDF = re.compile(
    r"(?:D:)?((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])([01]\d|2[0-3])([0-5]\d)"
    r"(?:[0-5]\d(?:\d{3}|\d{6})?)?(?:[+\-Z][\d']{0,6})?"
)
_PDF_DAY = re.compile(r"D:(\d{4})(\d\d)?(\d\d)?.{0,20}")
"""Dates as PDF files hold them: D:20190304120000+01'00'."""

_ZERO_DAY_ENDS = seconds_of("0001-01-02")
"""Years before 1, and 0001-01-01, stand where a program had no date: they are the zero of its type."""


def _read(value: object, *, now: datetime | None, language: str, country: str, ahead: bool) -> Interval | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, datetime | date):
        return _at(value) if isinstance(value, datetime) else Interval.of_moment(value)
    if isinstance(value, int | float | Decimal):
        return _of_number(float(value))
    return _of_text(value[:MAX_LENGTH], now, language, country, ahead) if isinstance(value, str) else None


def states_date(text: str) -> bool:
    """Return whether a text is a date, not a duration ("8 hr")."""
    if len(text) > 28 or not any(character.isdigit() for character in text) or is_length(text.lower()):
        return False
    read = read_date(text, now=None) or read_date(text, now=datetime(2100, 1, 1, tzinfo=UTC))
    return read is not None and (read.is_precise or read.granularity == "week")


def reading_of(published: Interval | None) -> str:
    """Write an interval as people do: `May 6, 2021`, `2021`."""
    if published is None or published.start is None:
        return "unknown"
    if published.end is None:
        return published.isoformat()
    year, month, day = civil_from_days(published.start // DAY)
    match published.granularity:
        case "year":
            return f"{year}"
        case "month":
            return f"{MONTH_NAMES[month - 1][:3]} {year}"
        case "week":
            return f"week of {MONTH_NAMES[month - 1][:3]} {day}, {year}"
        case "day" | "hour" | "minute" | "second":
            return f"{MONTH_NAMES[month - 1][:3]} {day}, {year}"
        case _:
            return published.isoformat()


def _of_number(value: float) -> Interval | None:
    if 1000 <= value <= 2999:
        return Interval.of_year(int(value))
    if 1e7 <= value < 1e8 and value == int(value):
        return written_date(str(int(value)), None, "", "")
    if not 1e8 <= value < 1e14:
        return None
    return _at(datetime.fromtimestamp(value / 1000 if value >= 1e11 else value, UTC))


def _at(moment: datetime) -> Interval:
    """Return a moment's minute, or its day when at midnight."""
    if not (moment.hour or moment.minute or moment.second):
        return Interval.of_moment(moment)
    start = seconds_of(moment) // 60 * 60
    return Interval(start, start + 60, "minute")


def _of_text(text: str, now: datetime | None, language: str, country: str, ahead: bool) -> Interval | None:
    text = " ".join(text.replace("\u200e", "").replace("\u200f", "").split())
    if not text:
        return None
    if (match := _PDF.fullmatch(text)) is not None:
        text = f"{match[1]}-{match[2]}-{match[3]}T{match[4]}:{match[5]}"
    elif (match := _PDF_DAY.fullmatch(text)) is not None:
        text = "-".join(part for part in match.groups() if part)
    if text.isascii() and text.isdecimal() and 9 <= len(text) <= 14:
        return _of_number(int(text))
    lowered = text.lower()
    if now is not None and (relative := relative_date(lowered, now, language)) is not None:
        return relative
    day = written_date(text, now, language, country)
    if now is not None:
        if day is None:
            day = weekday(lowered, now, language, ahead)
        elif ahead:
            day = nearest_year(day, text, now)
    return None if day is None else with_clock(text, day)
