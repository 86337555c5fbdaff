"""Rules for weeks and n-th days: "week 12", "the first Monday"."""

from __future__ import annotations

import re

from dateline.language.calendar import MONTHS
from dateline.language.word_lists import word_set
from dateline.temporal import relative
from dateline.temporal.calendar_words import NUMBERS, UNITS, WEEKDAYS
from dateline.temporal.interval import DAY, Interval, civil_from_days, days_from_civil
from dateline.temporal.points import RuleMatch, TimeMention, digits, month_of, number_of
from dateline.temporal.relative_rules import VAGUE, day_of, unit_of, weekend_of
from dateline.temporal.year_words import full_year

_ISO = re.compile(r"(\d{4})-?w(\d\d)(?:-(\d))?")
_WITH_YEAR = re.compile(r"(\d{1,2})/(\d{4}|\d\d)")


def week_of_year(year: int, number: int) -> Interval | None:
    """Return an ISO week, `None` where the year lacks it.

    Example:
        >>> str(week_of_year(2024, 15))
        '2024-04-08/2024-04-15'
    """
    fourth = days_from_civil(year, 1, 4)
    monday = fourth - (fourth + 3) % 7 + 7 * (number - 1)
    if number < 1 or civil_from_days(monday + 3)[0] != year:
        return None
    return Interval(monday * DAY, (monday + 7) * DAY, "week")


def iso_week(read: RuleMatch) -> TimeMention | None:
    """Read ISO weeks and their days: "2024-W15", "2024-W15-3"."""
    match = _ISO.fullmatch(read.one("ω") or "")
    week = None if match is None else week_of_year(int(match[1]), int(match[2]))
    if match is None or week is None:
        return None
    if match[3]:
        return read.make(day_of(week, int(match[3]) - 1))
    return read.make(week)


def numbered_week(read: RuleMatch) -> TimeMention | None:
    """Read weeks by number: "week 12", "KW 12/2024", "weeks 12-14"."""
    unit, period, year = read.one("u"), read.named_unit(), _year_of(read)
    if period is not None and period.one("u") != "year":
        return None  # "the first week of last month"
    if (unit is not None and unit not in ("week", "weeks")) or (unit == "weeks") != (len(read.all("123")) > 1):
        return None
    with_year = _WITH_YEAR.fullmatch(read.one("N6") or "")
    if with_year is not None:
        numbers, year = [int(with_year[1])], full_year(with_year[2])
    else:
        numbers = [number_of(word) for word in read.all("123γoO")]
    if not numbers or (read.after()[0] == "F" and year is None):
        return None  # "week 12 of the course"
    if year is None and read.anchor is None:
        return read.make(None, certainty=0.6)
    weeks = [_week(read, year, number) for number in numbers]
    if weeks[0] is None or weeks[-1] is None:
        return None
    if len(weeks) > 1:
        start, end = weeks[0].start, weeks[-1].end
        return read.make(Interval(start, end), kind="range", certainty=0.8) if (start or 0) < (end or 0) else None
    return read.make(weeks[0], certainty=0.9 if year else 0.7)


def _year_of(read: RuleMatch) -> int | None:
    word = read.one("49")
    if word is not None:
        return full_year(word)
    year, period = read.anchor_year(), read.named_unit()
    return None if year is None or period is None else year + period.shift()


def _week(read: RuleMatch, year: int | None, number: int) -> Interval | None:
    """Return the week of a year, else that likely meant."""
    if year is not None or read.anchor is None:
        return None if year is None else week_of_year(year, number)
    now = read.anchor_year() or 0
    near = [week for each in (now, now - 1, now + 1) if (week := week_of_year(each, number)) is not None]
    return relative.likeliest(read.anchor, near, ahead=read.speaks_of_future()) if near else None


def week_of(read: RuleMatch) -> TimeMention | None:
    """Read a week by one of its days: "week ending 14 June"."""
    unit = read.one("u") or "week"
    if unit not in ("week", "weekend") or not _DAY_OF_WEEK.issuperset(read.all("x%")):
        return None
    month, word = month_of(read), read.one("49")
    day = next(number_of(each) for each in read.all("12oO"))
    if word is not None:
        moment = Interval.of_day(full_year(word), month, day)
    elif read.anchor is None:
        return read.make(None)
    else:
        moment = relative.likely_date(read.anchor, month=month, day=day, ahead=read.speaks_of_future())
    if unit == "weekend":
        week = weekend_of(relative.shifted(moment, "week", 0))
    elif read.one("x%ψ") is None:
        week = relative.shifted(moment, "week", 0)
    else:
        start = (moment.start or 0) - (6 * DAY if _LAST_OF_WEEK.intersection(read.words()) else 0)
        week = Interval(start, start + 7 * DAY, "week")
    return read.make(None, certainty=0.9)._replace(interval=week)


_LAST_OF_WEEK = frozenset(["ending", "ended", "end", "w/e"])
_DAY_OF_WEEK = _LAST_OF_WEEK | {"commencing", "beginning", "starting", "start"}
"""Words before a day with which a week begins or ends; "the week of" a day is that from Monday on."""


def counted_part(read: RuleMatch) -> TimeMention | None:
    """Read the n-th day or week: "the first Monday of May"."""
    whole, count = _whole_of(read), _count(read)
    if whole is None or whole.start is None or whole.end is None:
        return None
    weekday, unit = read.one("Wa"), read.one("uQ")
    several = read.all("n123v")
    if several:
        return _several(read, whole, several, count)
    first, last = whole.start // DAY, whole.end // DAY
    if weekday is not None:
        number = WEEKDAYS[weekday]
        return _chosen(read, list(range(first + (number - first - 3) % 7, last, 7)), count, length=1)
    if unit == "day":
        return _chosen(read, list(range(first, last)), count, length=1)
    if unit == "week":
        starts = list(range(last - 7, first - 7, -7))[::-1] if count < 0 else list(range(first, last, 7))
        return _chosen(read, starts, count, length=7)
    if unit == "fortnight" and whole.granularity == "month" and count in (1, 2, -1):
        middle = whole.start + 15 * DAY
        return read.make(Interval(whole.start, middle) if count == 1 else Interval(middle, whole.end), certainty=0.8)
    if unit == "weekend":
        return _chosen(read, list(range(first + (5 - first - 3) % 7, last, 7)), count, length=2)
    if unit == "month" and whole.granularity == "year":
        year = civil_from_days(first)[0]
        return read.make(Interval.of_month(year, count % 13 if count > 0 else 12)) if count <= 12 else None
    return None


def _several(read: RuleMatch, whole: Interval, words: list[str], count: int) -> TimeMention | None:
    """Read several at an end: "the first six months of 2017"."""
    number = sum(NUMBERS.get(word) or VAGUE.get(word) or int(digits(word) or 0) for word in words)
    if number < 2 or abs(count) != 1 or whole.start is None or whole.end is None:
        return None
    (unit, size), edge = unit_of(read), whole.start if count > 0 else whole.end
    far = relative.shifted_moment(edge, unit, count * number * size)
    if not whole.start <= far <= whole.end:
        return None
    return read.make(Interval(min(edge, far), max(edge, far)), kind="range", certainty=0.9)


_OTHER_MONTH = frozenset(["following", "after", "before", "in", "of", "preceding", "that", "when", "for"])
"""Behind "the month", these tell that it is not the running one."""


def _count(read: RuleMatch) -> int:
    """Return 1 for the first, -1 for the last."""
    word = read.one("oO")
    return -1 if word is None else number_of(word)


def _chosen(read: RuleMatch, starts: list[int], count: int, *, length: int) -> TimeMention | None:
    if not -len(starts) <= count <= len(starts) or count == 0:
        return None
    start = starts[count - 1 if count > 0 else count] * DAY
    return read.make(Interval(start, start + length * DAY, "day" if length == 1 else "week"), certainty=0.9)


def _whole_of(read: RuleMatch) -> Interval | None:
    """Return the week, month or year whose n-th part is meant."""
    month, year = read.one("MmzJ"), read.one("49")
    if month is not None and year is not None:
        return Interval.of_month(full_year(year), MONTHS[month])
    if year is not None:
        return Interval.of_year(full_year(year))
    if read.anchor is None:
        return None
    if month is not None:
        return read.partial(MONTHS[month], None, certainty=0.8).interval
    period = read.named_unit()
    if period is None or read.after()[1].lower() in _OTHER_MONTH:
        return None
    unit = period.one("u") or ""
    known = _TOLD_ALONE if period.one("ijl") is None else _DIVIDED
    return relative.shifted(read.anchor, UNITS[unit], period.shift()) if unit in known else None


_TOLD_ALONE = ("month", "year")
"""Behind "of the", these are the running ones."""
_DIVIDED = (*_TOLD_ALONE, "week", "decade")


def day_of_month(read: RuleMatch) -> TimeMention | None:
    """Read days by number alone: "on the 15th", "Wednesday the 15th"."""
    before, (letter, after), weekday = read.before()[1].lower(), read.after(), read.one("Wa")
    named = weekday is not None and (read.one("W") is not None or read.original(0)[:1].isupper())  # not "she sat 5th"
    dated = named or before in _BEFORE_DAY or (before == "of" and read.before(1)[1].lower() == "as")
    if not dated or not (letter in _BEHIND_DAY or after in ";:?!)" or after.lower() in _AFTER_DAY):
        return None
    if letter in tuple("+]&") and read.after(1)[0] in tuple("To"):
        return None  # "on the 5th and 6th floors"
    day = int(digits(read.one("o") or ""))
    if not 1 <= day <= 31:
        return None
    if read.anchor is None:
        return read.make(None, certainty=0.6)
    year, month, _ = civil_from_days(relative.start_of(read.anchor) // DAY)
    near = [_day(year, month + step, day) for step in ((0, -1, 1, 2) if weekday is None else _MONTHS_NEAR)]
    real = [one for one in near if one is not None]
    if weekday is not None:
        real = [one for one in real if relative.weekday(one, WEEKDAYS[weekday], "nearest") == one]
    if not real:
        return None
    ahead = before in _TO_THE_END or read.speaks_of_future()
    return read.make(relative.likeliest(read.anchor, real, ahead=ahead))._replace(certainty=0.6)


_MONTHS_NEAR = range(-6, 7)
"""Of a day with its weekday, which is the same only every few months."""
_TO_THE_END = frozenset(("through", "thru", "including"))
_BEFORE_DAY = _TO_THE_END | {"on", "by", "until", "till", "before", "after", "since", "from"}
_BEHIND_DAY = ("", ".", ",", "&", "+", "]", "T", "A")
"""Token classes of what begins another phrase: "on the 18th the canteen"."""
_AFTER_DAY = word_set("i we you he she it they my our your his her its their this these there all no every")


def _day(year: int, month: int, day: int) -> Interval | None:
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    start = days_from_civil(year, month, day)
    return Interval(start * DAY, (start + 1) * DAY, "day") if civil_from_days(start) == (year, month, day) else None
