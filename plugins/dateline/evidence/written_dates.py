"""Written-out dates: "Sep 16, 2025", "16.09.2025", "2025年9月16日"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from functools import lru_cache

from dateline.errors import BadInput
from dateline.language.calendar import WORD, calendar_words, languages, languages_from
from dateline.temporal.interval import DAY, Interval, civil_from_days, seconds_of
from dateline.temporal.year_words import full_year

MONTH_FIRST_COUNTRIES = frozenset({"", "us", "ph", "fm", "mh", "pw"})
"""Countries that write month/day/year; the empty one is an engine asked without a country."""

_TIME = r"(?P<hour>\d{1,2})[:h](?P<minute>\d{2})(?::\d{2})?\s*(?:(?P<half>[ap])(?=\.?m?\b))?"

_ISO = re.compile(r"(?<!\d)(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)")

_ISO_MONTH = re.compile(r"(?<!\d)(\d{4})[-/](\d{1,2})(?![\d/-])")

_COMPACT = re.compile(r"(?<!\d)((?:19|20)\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?=T\d|\b)")

_NUMERIC = re.compile(r"(?<!\d)(\d{1,2})([/.-])\s?(\d{1,2})\2\s?(\d{4}|\d{2})(?!\d)")

_CJK = re.compile(r"(?:(\d{4})\s*[年년]\s*)?(\d{1,2})\s*[月월]\s*(?:(\d{1,2})\s*[日일])?|(\d{4})\s*[年년]")

_DAY_MONTH = re.compile(
    rf"(?<!\d)(\d{{1,2}})(?:st|nd|rd|th|er|\.|º|ª)?\s{{0,2}}(?:de\s|of\s|-)?\s?({WORD})[.,]?\s{{0,2}}(?:del?\s|-)?\s?(\d{{4}}|'\d\d)?"
)

_MONTH_DAY = re.compile(
    rf"(?<!\w)({WORD})\.?\s{{0,2}}(\d{{1,2}})(?:st|nd|rd|th)?(?![\d:])(?:\s?,\s{{0,2}}|\s{{0,2}}|\s-\s)"
    r"(?:\d{1,2}:\d{2}(?::\d{2})?\s(?:[+-]\d{4}\s|[a-z]{2,4}\s)?)?(\d{4})?"
)

_MONTH_YEAR = re.compile(rf"(?<!\w)({WORD})\.?,?\s{{0,2}}(?:del?\s|of\s)?(\d{{4}})(?!\d)")

_YEAR_MONTH_DAY = re.compile(rf"(?<!\d)(\d{{4}})[.,]?\s({WORD})\.?\s(\d{{1,2}})(?!\d)")

_WORDED = ((_YEAR_MONTH_DAY, (1, 2, 3)), (_DAY_MONTH, (3, 2, 1)), (_MONTH_DAY, (3, 1, 2)), (_MONTH_YEAR, (2, 1, 0)))
"""Pattern, and the numbers of its groups for year, month and day (0: none)."""

_NUMBERED_MONTH = re.compile(r"(?<!\d)(\d{1,2})\s(?:thg|tháng)\s(\d{1,2}),?\s(?:năm\s)?(\d{4})(?!\d)")

_YEAR = re.compile(r"\D{0,12}?(\d{4})\D{0,2}")

_FOUR_DIGITS = re.compile(r"(?<!\d)\d{4}(?!\d)")

_CLOCK = re.compile(rf"(?<![\d/.-]){_TIME}", re.I)


def written_date(text: str, now: datetime | None, language: str, country: str) -> Interval | None:
    """Find the first written date in a short text.

    Raises `BadInput` for one that the calendar does not have.
    """
    if (match := _ISO.search(text)) is not None:
        return Interval.of_day(_year(match[1]), int(match[3]), int(match[4]))
    if (match := _COMPACT.search(text)) is not None:
        return Interval.of_day(int(match[1]), int(match[2]), int(match[3]))
    if (match := _CJK.search(text)) is not None and (match[1] or match[3] or match[4]):
        return _civil(match[1] or match[4], int(match[2]) if match[2] else None, match[3], now)
    if (match := _NUMERIC.search(text)) is not None:
        return _numeric(match, text, language, country, now)
    if (match := _NUMBERED_MONTH.search(text.lower())) is not None:
        return Interval.of_day(int(match[3]), int(match[2]), int(match[1]))
    if (worded := _worded(text, now, language)) is not None:
        return worded
    if (match := _ISO_MONTH.search(text)) is not None:
        return Interval.of_month(int(match[1]), int(match[2]))
    match = _YEAR.fullmatch(text)
    return None if match is None or not 1000 <= int(match[1]) <= 2700 else Interval.of_year(_year(match[1]))


def _worded(text: str, now: datetime | None, language: str) -> Interval | None:
    lowered = text.lower()
    for month_of in _month_tables(language):
        for pattern, (year, month, day) in _WORDED:
            for match in pattern.finditer(lowered):
                if (number := month_of.get(match[month])) is None:
                    continue
                if (found := _civil(match[year], number, match[day] if day else None, now)) is not None:
                    return found
    return None


def _civil(year: str | None, month: int | None, day: str | None, now: datetime | None) -> Interval | None:
    """Build a date from parts; without a year the latest past."""
    if month is None:
        return None if year is None else Interval.of_year(_year(year))
    if year is None:
        if now is None or day is None:
            return None
        last = now.year if (month, int(day)) <= (now.month, now.day) else now.year - 1
        return _first_of(range(last, last - _LEAP, -1), month=month, day=int(day))
    return Interval.of_month(_year(year), month) if day is None else Interval.of_day(_year(year), month, int(day))


_LEAP = 8
"""Years of which one at least has a 29 February."""


def _first_of(years: range, *, month: int, day: int) -> Interval:
    """Return a day of the first of some years that has it."""
    for year in years[:-1]:
        with suppress(BadInput):
            return Interval.of_day(year, month, day)
    return Interval.of_day(years[-1], month, day)


def _numeric(match: re.Match[str], text: str, language: str, country: str, now: datetime | None) -> Interval:
    first, second, year = int(match[1]), int(match[3]), _year(match[4])
    # Google News writes month/day/year and its own "+0000 UTC" wherever it is asked from.
    news = text.endswith("UTC")
    month_first = match[2] == "/" and (news or (language in ("", "en") and country in MONTH_FIRST_COUNTRIES))
    if first > 12 or (second <= 12 and not month_first):
        first, second = second, first
    read = Interval.of_day(year, first, second)
    if now is not None and not news and second <= 12 and read.after(Interval.of_moment(now)):
        # What has not come yet was written the other way round.
        other = Interval.of_day(year, second, first)
        return read if other.after(Interval.of_moment(now)) else other
    return read


def _year(digits: str) -> int:
    """Expand a year: two digits, or Buddhist above 2400."""
    year = full_year(digits)
    return year - 543 if 2400 < year < 2700 else year


def with_clock(text: str, day: Interval) -> Interval:
    """The minute of a day when the text also says a time."""
    if day.granularity != "day" or day.start is None or (match := _CLOCK.search(text)) is None:
        return day
    hour, minute, half = int(match["hour"]), int(match["minute"]), (match["half"] or "").lower()
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    if hour > 23 or minute > 59 or (hour == minute == 0 and not half):
        return day
    start = day.start + hour * 3600 + minute * 60
    return Interval(start, start + 60, "minute")


def nearest_year(found: Interval, text: str, now: datetime) -> Interval:
    """Move a date to the year nearest `now`, unless stated."""
    if (
        found.start is None
        or found.end is None
        or found.granularity not in ("day", "minute")
        or _FOUR_DIGITS.search(text)
    ):
        return found
    year, month, day = civil_from_days(found.start // DAY)
    later = _first_of(range(year + 1, year + 1 + _LEAP), month=month, day=day)
    shift = (later.start or 0) - found.start // DAY * DAY
    moment = seconds_of(now)
    if abs(found.start + shift - moment) >= abs(moment - found.start):
        return found
    return Interval(found.start + shift, found.end + shift, found.granularity)


@lru_cache(maxsize=64)
def _month_tables(first: str) -> tuple[Mapping[str, int], ...]:
    """Return month words: the language's own, then all others."""
    everyone: dict[str, int] = {}
    for words in languages_from(first):
        for word, number in words.months.items():
            everyone.setdefault(word, number)
    own = (calendar_words(first).months,) if first in languages() else ()
    return (*own, everyone)
