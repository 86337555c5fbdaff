"""Days of holidays in any year."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dateline.temporal.interval import days_from_civil

DayOf = Callable[[int], int]
"""A holiday's day, in days since 1970-01-01, in a year."""


def easter(year: int) -> int:
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


def fixed(month: int, day: int) -> DayOf:
    """Return a day of the calendar."""
    return lambda year: days_from_civil(year, month, day)


def weekday_of(month: int, weekday: int, *, count: int = 1, day: int = 1) -> DayOf:
    """Return the `count`th given weekday (Monday 0) from `day` on."""

    def of(year: int) -> int:
        first = days_from_civil(year, month, day)
        return first + (weekday - first - 3) % 7 + 7 * (count - 1)

    return of


def after(holiday: DayOf, days: int) -> DayOf:
    """Return the day so many days after a holiday."""
    return lambda year: holiday(year) + days


_HOLY_WEEK = after(easter, -7)
_THANKSGIVING = weekday_of(11, 3, count=4)

HOLIDAYS: Mapping[str, DayOf] = {
    "christmas": fixed(12, 25),
    "christmas day": fixed(12, 25),
    "christmas eve": fixed(12, 24),
    "xmas": fixed(12, 25),
    "xmas day": fixed(12, 25),
    "xmas eve": fixed(12, 24),
    "boxing day": fixed(12, 26),
    "new year eve": fixed(12, 31),
    "new year day": fixed(1, 1),
    "epiphany": fixed(1, 6),
    "groundhog day": fixed(2, 2),
    "valentine day": fixed(2, 14),
    "saint patrick day": fixed(3, 17),
    "st patrick day": fixed(3, 17),
    "pi day": fixed(3, 14),
    "earth day": fixed(4, 22),
    "anzac day": fixed(4, 25),
    "juneteenth": fixed(6, 19),
    "canada day": fixed(7, 1),
    "independence day": fixed(7, 4),
    "bastille day": fixed(7, 14),
    "halloween": fixed(10, 31),
    "all saints day": fixed(11, 1),
    "all souls day": fixed(11, 2),
    "bonfire night": fixed(11, 5),
    "armistice day": fixed(11, 11),
    "veterans day": fixed(11, 11),
    "remembrance day": fixed(11, 11),
    "remembrance sunday": weekday_of(11, 6, count=2),
    "easter": easter,
    "easter sunday": easter,
    "easter day": easter,
    "easter monday": after(easter, 1),
    "easter saturday": after(easter, -1),
    "easter eve": after(easter, -1),
    "holy saturday": after(easter, -1),
    "good friday": after(easter, -2),
    "maundy thursday": after(easter, -3),
    "palm sunday": after(easter, -7),
    "holy week": _HOLY_WEEK,
    "ash wednesday": after(easter, -46),
    "shrove tuesday": after(easter, -47),
    "pancake day": after(easter, -47),
    "mardi gras": after(easter, -47),
    "ascension day": after(easter, 39),
    "pentecost": after(easter, 49),
    "whit sunday": after(easter, 49),
    "whit monday": after(easter, 50),
    "corpus christi": after(easter, 60),
    "martin luther king day": weekday_of(1, 0, count=3),
    "mlk day": weekday_of(1, 0, count=3),
    "presidents day": weekday_of(2, 0, count=3),
    "memorial day": weekday_of(5, 0, day=25),
    "mother day": weekday_of(5, 6, count=2),
    "mothers day": weekday_of(5, 6, count=2),
    "father day": weekday_of(6, 6, count=3),
    "fathers day": weekday_of(6, 6, count=3),
    "labor day": weekday_of(9, 0),
    "columbus day": weekday_of(10, 0, count=2),
    "election day": weekday_of(11, 1, day=2),
    "thanksgiving": _THANKSGIVING,
    "thanksgiving day": _THANKSGIVING,
    "black friday": after(_THANKSGIVING, 1),
    "cyber monday": after(_THANKSGIVING, 4),
    "rose monday": after(easter, -48),
    "liberation day": fixed(4, 25),
    "portuguese freedom day": fixed(4, 25),
    "dutch king day": fixed(4, 27),
    "labour day": fixed(5, 1),
    "dutch liberation day": fixed(5, 5),
    "italian republic day": fixed(6, 2),
    "assumption day": fixed(8, 15),
    "brazilian independence day": fixed(9, 7),
    "german unity day": fixed(10, 3),
    "hispanic day": fixed(10, 12),
    "reformation day": fixed(10, 31),
    "saint martin day": fixed(11, 11),
    "saint nicholas eve": fixed(12, 5),
    "saint nicholas day": fixed(12, 6),
    "immaculate day": fixed(12, 8),
}
"""Names in lower case, without apostrophes and the s of a possessive; those of a country's own are the United States'."""

DAYS_LONG: Mapping[DayOf, int] = {_HOLY_WEEK: 8}
"""How many days a holiday lasts, but for those of one."""
