"""Rules for holidays: "Christmas Eve 2010", "Thanksgiving", "Easter 1916"."""

from __future__ import annotations

from collections.abc import Callable

from dateline.temporal.interval import DAY, Interval, civil_from_days, days_from_civil
from dateline.temporal.points import RuleMatch, TimeMention
from dateline.temporal.relative import start_of
from dateline.temporal.year_words import full_year


def _easter(year: int) -> int:
    """Western Easter Sunday by the anonymous Gregorian algorithm, in days since 1970-01-01."""
    a, (b, c) = year % 19, divmod(year, 100)
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    el = (32 + 2 * e + 2 * i - h - k) % 7
    m = (a + 11 * h + 19 * el) // 433
    month = (h + el - 7 * m + 90) // 25
    return days_from_civil(year, month, (h + el - 7 * m + 33 * month + 19) % 32)


def _fixed(month: int, day: int) -> Callable[[int], int]:
    return lambda year: days_from_civil(year, month, day)


def _weekday_of(month: int, weekday: int, *, count: int = 1, day: int = 1) -> Callable[[int], int]:
    """Return the `count`th given weekday (Monday 0) from `day` on."""

    def of(year: int) -> int:
        first = days_from_civil(year, month, day)
        return first + (weekday - first - 3) % 7 + 7 * (count - 1)

    return of


_DAYS: dict[str, Callable[[int], int]] = {
    "christmas": _fixed(12, 25),
    "xmas": _fixed(12, 25),
    "halloween": _fixed(10, 31),
    "thanksgiving": _weekday_of(11, 3, count=4),
    "easter": _easter,
    "new": _fixed(1, 1),
    "valentine": _fixed(2, 14),
    "election": _weekday_of(11, 1, day=2),
    "labor": _weekday_of(9, 0),
    "memorial": _weekday_of(5, 0, day=25),
    "independence": _fixed(7, 4),
    "veterans": _fixed(11, 11),
}
"""Those of a country's own are the United States'."""
_NEED_DAY = frozenset(["new", "valentine", "election", "labor", "memorial", "independence", "veterans"])
_FOLLOWED_BY = frozenset(["", "eve", "s", "day", "sunday"])


def holiday(read: RuleMatch) -> TimeMention | None:
    """Return a holiday's day in its year, or its likeliest occurrence."""
    words = read.words()
    if words[0] not in _DAYS or not _FOLLOWED_BY.issuperset(read.all("x")[words[0] == "new" :]):
        return None
    if words[0] in _NEED_DAY and not {"day", "eve"} & set(words):
        return None
    if not read.capitalised():
        return None
    year_word = read.one("49")
    year = full_year(year_word) if year_word else read.anchor_year()
    if year is None:
        return read.make(None, certainty=0.6)
    eve = "eve" in words
    candidates = [_DAYS[words[0]](y) - eve for y in ((year,) if year_word else (year - 1, year, year + 1))]
    if words[0] == "new" and eve and year_word:
        candidates = [days_from_civil(year, 12, 31)]
    day = (
        candidates[0]
        if read.anchor is None or year_word
        else _likeliest(candidates, read.anchor, read.speaks_of_future())
    )
    return read.make(Interval.of_day(*civil_from_days(day)), certainty=0.9 if year_word else 0.7)


def _likeliest(days: list[int], anchor: Interval, ahead: bool) -> int:
    today = start_of(anchor) // DAY
    return next(day for day in days if day >= today) if ahead else max(day for day in days if day <= today)
