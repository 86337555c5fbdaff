"""Rules for times relative to the anchor or to an earlier date."""

from __future__ import annotations

from typing import Literal

from dateline.language.calendar import MONTHS
from dateline.temporal import relative
from dateline.temporal.calendar_words import NUMBERS, UNITS, WEEKDAYS
from dateline.temporal.interval import DAY, Granularity, Interval, civil_from_days
from dateline.temporal.points import RuleMatch, TimeMention, month_of, narrowed
from dateline.temporal.year_words import full_year

VAGUE = {"couple": 2, "few": 3, "several": 3, "dozen": 12}
_MOST = 20_000
"""No amount of days, months or years above this is a distance in time."""


def amount(read: RuleMatch) -> int | None:
    """Return the number of units: "three", "1,200", "a couple of"."""
    words = read.all("n123456")
    if words:
        total = 0
        for word in words:
            value = NUMBERS.get(word)
            if value is None:
                plain = word.replace(",", "")
                value = int(plain) if plain.isascii() and plain.isdigit() and len(plain) < 7 else 0
            total = total * value if value >= 100 and total else total + value
        return total if 0 < total < _MOST else None
    vague = read.one("v")
    return VAGUE.get(vague) if vague else 1 if read.one("A") else None


def unit_of(read: RuleMatch) -> tuple[Granularity, int]:
    """Return the unit, and how many: a fortnight is two weeks."""
    word = read.one("uQK") or ""
    return UNITS[word], 2 if word.startswith("fortnight") else 1


def ago(read: RuleMatch) -> TimeMention | None:
    """Read distances: "three weeks ago", "two years earlier", "a month later"."""
    (unit, size), number = unit_of(read), amount(read)
    if unit in _YEARS_LONG:  # ten years ago and a decade ago are one
        unit, size = "year", _YEARS_LONG[unit]
    number = None if number is None else number * size
    if read.one("r"):
        base = read.mentioned or read.anchor
        step = 1 if read.one("r") == "later" else -1
    else:
        base, step = read.anchor, -1 if read.one("gΓ") else 1
    if base is None or number is None:
        return read.make(None, certainty=0.7)
    if unit in ("minute", "hour") and base is read.anchor and base.granularity == "day":
        return read.make(_hours_away(base, unit, step * number), certainty=0.7)
    if unit == "year" and read.period is not None and number == 1:
        return read.make(relative.shifted(read.period, "quarter", 4 * step), certainty=0.6)
    return read.make(relative.shifted(base, unit, step * number), certainty=0.6 if read.one("v") else 0.9)


_YEARS_LONG: dict[Granularity, int] = {"decade": 10, "century": 100}

_DISTANCES: dict[str, Granularity] = {"d": "day", "w": "week", "m": "month", "y": "year"}


def _hours_away(day: Interval, unit: Granularity, number: int) -> Interval:
    """Return the day some hours away from another, by whole days."""
    return relative.shifted(day, "day", int(number / (24 if unit == "hour" else 24 * 60)))


def short_distance(read: RuleMatch) -> TimeMention | None:
    """Read distances in short: "5d ago", "3mo ago"."""
    word = read.one("δ") or ""
    number = int(word.rstrip("abcdefghijklmnopqrstuvwxyz"))
    unit = _DISTANCES[word.lstrip("0123456789")[:1]]
    if read.anchor is None or not 0 < number < _MOST:
        return read.make(None, certainty=0.7)
    return read.make(relative.shifted(read.anchor, unit, -number), certainty=0.8)


def distance_ahead(read: RuleMatch) -> TimeMention | None:
    """Read distances ahead: "in 3 days", "in a week's time"."""
    (unit, size), number = unit_of(read), amount(read)
    if read.original(0).lower() != "in" or number is None or not (read.one("x") == "time" or read.plans()):
        return None
    made = read.make(None, certainty=0.7)
    if read.anchor is None:
        moved = None
    elif unit in ("minute", "hour") and read.anchor.granularity == "day":
        moved = _hours_away(read.anchor, unit, number)
    else:
        moved = relative.shifted(read.anchor, unit, number * size)
    return made._replace(first=made.first + 1, interval=moved)


def shifted(read: RuleMatch) -> TimeMention | None:
    """Read neighbours: "last year", "this week", "the following month"."""
    word = read.one("uQK") or ""
    unit, size = unit_of(read)
    counted = read.one("n123456v")
    if read.ends_something():
        return None
    if unit in ("minute", "hour"):
        return _hours(read, unit)
    if size > 1 and not counted:
        return _fortnight(read)
    lasting = read.one("l") == "past" and unit in ("decade", "century")  # "in the past century": up to now
    if counted or lasting or (word.endswith("s") and read.one("b") is None):
        number = amount(read) if counted else 1 if lasting else None
        if unit == "day" and read.one("i"):
            return read.point("reference", 0.6)  # "these days"
        if not counted and unit == "year" and read.one("lj"):
            return read.point("reference", 0.6)  # "past years"
        if read.anchor is None or number is None or (read.one("i") and not read.one("lj")):
            return read.point("duration", 0.7)
        step = number * size * (-1 if read.one("l") else 1)
        if read.one("lj") in _FROM_NAMED and read.mentioned is not None:
            return _beside(read, unit, step)
        return read.make(relative.stretch(read.anchor, unit, step), kind="duration", certainty=0.7)
    if word == "day" and read.one("i"):
        return None
    base = read.anchor
    back = read.one("l") or read.one("j") or ""
    if read.one("b") or back in _FROM_NAMED or (back == "next" and read.one("T")):
        named = _fine_enough(read.mentioned, unit)
        if named is None and read.one("b"):
            return None  # "that day", and none was named
        if named is None and base is not None:
            return read.make(relative.shifted(base, unit, read.shift()), certainty=0.6)
        base = named
    if base is None:
        return read.make(None, certainty=0.7)
    coming = word == "weekend" and (read.one("i") is not None or back in ("coming", "upcoming"))
    moved = relative.shifted(base, unit, 0 if coming else read.shift())
    return read.make(weekend_of(moved) if word == "weekend" else moved, certainty=0.9)


_FROM_NAMED = frozenset(["following", "preceding", "previous", "prior"])
"""Counted from a time that the text has just named."""


def _beside(read: RuleMatch, unit: Granularity, steps: int) -> TimeMention:
    """Read units beside the time just named: "the following two years"."""
    base = _fine_enough(read.mentioned, unit)
    edge = None if base is None else base.start if steps < 0 else base.end
    if edge is None:
        return read.point("duration", 0.7)
    far = relative.shifted_moment(edge, unit, steps)
    return read.make(Interval(min(edge, far), max(edge, far)), kind="duration", certainty=0.6)


def _hours(read: RuleMatch, unit: Granularity) -> TimeMention | None:
    """Read counted hours and minutes: "the next 48 hours"."""
    number = amount(read)
    if number is None or read.anchor is None or not read.one("lj"):
        return None
    step = -1 if read.one("l") else 1
    days = max(1, -(-number // (24 if unit == "hour" else 24 * 60)))
    return read.make(relative.stretch(read.anchor, "day", step * days), kind="duration", certainty=0.7)


def _fortnight(read: RuleMatch) -> TimeMention | None:
    """Read "last fortnight", "the next fortnight"."""
    if read.anchor is None or not read.one("lj"):
        return read.point("duration", 0.7)
    return read.make(relative.stretch(read.anchor, "week", 2 * read.shift()), kind="duration", certainty=0.7)


def _fine_enough(base: Interval | None, unit: Granularity) -> Interval | None:
    """Return the base, unless it is vaguer than the unit.

    "the same month" says nothing after "in 2010".
    """
    return base if base is not None and relative.shifted(base, unit, 0).contains(base) else None


def reported(read: RuleMatch, quarter: Interval) -> Interval:
    """Return the quarter that a business text reports on, if named.

    That is the latest which is over: an outlook on a coming quarter or a look back at an earlier one leaves it. A fiscal
    quarter is of another calendar and starts anew.
    """
    about = read.period
    if about is None or read.anchor is None or read.one("f") or not about.before(read.anchor):
        return quarter
    return quarter if quarter.before(read.anchor) and not quarter.before(about) else about


def _ended(read: RuleMatch) -> Interval | None:
    """Return the calendar quarter that mostly fills "the quarter ended July 31"."""
    month, day = MONTHS.get(read.after(1)[1].lower()), read.after(3 if read.after(2)[1] == "." else 2)[1]
    if read.after()[1] not in ("ended", "ending") or month is None or read.anchor is None:
        return None
    number = int(day) if day.isascii() and day.isdigit() and len(day) < 3 else 28
    end = relative.likely_date(read.anchor, month=month, day=number, ahead=read.after()[1] == "ending")
    middle = (end.start or 0) - 45 * DAY
    return relative.shifted(Interval(middle, middle + DAY, "day"), "quarter", 0)


_WHOLE = frozenset(("full", "whole", "entire"))


def current_unit(read: RuleMatch) -> TimeMention | None:
    """Read the period being written about, after a preposition: "the quarter"."""
    word, before = read.one("uQ") or "", read.before()[1].lower()
    if not _WHOLE.issuperset(read.all("x")):
        return None
    if word == "weekend":
        return _weekend(read)
    if read.one("P%") and word in ("week", "month") and read.anchor is not None:
        return read.make(relative.shifted(read.anchor, UNITS[word], 0), certainty=0.6)
    if read.after()[1] == "to" and word == "year":
        return None  # "in the year to 31 March"
    if word not in ("year", "quarter") or before not in ("in", "for", "during", "of") or read.anchor is None:
        return None
    if (
        read.before(1)[1].lower() in ("rest", "time", "times", "most", "part", "parts", "day", "days", "half")
        or not read.lower_case()
    ):
        return None
    if word == "quarter":
        ended, about = _ended(read), read.period
        if ended is not None and (about is None or ended.before(about)):
            about = ended  # what is still to come is not what has ended
        if about is not None:
            return read.make(about, certainty=0.4)
    return read.make(relative.shifted(read.anchor, UNITS[word], 0), certainty=0.4)


def _weekend(read: RuleMatch) -> TimeMention | None:
    if read.anchor is None or read.before()[1].lower() not in ("over", "during", "on", "at", "for"):
        return None
    sunday = relative.weekday(read.anchor, 6, "next" if read.speaks_of_future() else "nearest")
    return read.make(weekend_of(sunday), certainty=0.6)


def weekend_of(week: Interval) -> Interval:
    """Return the weekend with which a week ends, Saturday and Sunday."""
    end = week.end or 0
    return Interval(end - 2 * DAY, end)


def period(read: RuleMatch) -> TimeMention | None:
    """Return the latest quarter, the 1988 period, the year-ago quarter.

    In a business report, the quarter it is about.
    """
    about = read.period
    if about is None and read.anchor is not None:
        about = relative.shifted(read.anchor, "quarter", -1)  # the latest that is over
    if about is None or about.start is None or read.anchor is None:
        return None
    if read.one("QU") is None and read.one("c") is not None:
        return read.make(relative.shifted(read.anchor, UNITS[read.one("u") or "year"], 0), certainty=0.5)
    year = read.one("4")
    if year is not None:
        steps = 4 * (int(year) - civil_from_days(about.start // DAY)[0])
    elif read.one("gr") is not None:
        steps = -4
    else:
        steps = 4 * read.shift()
    return read.make(relative.shifted(about, "quarter", steps), certainty=0.6)


def year_end(read: RuleMatch) -> TimeMention | None:
    """Read "year-end"."""
    if read.one("u") != "year" or read.one("%") != "end" or read.anchor is None:
        return None
    return read.make(relative.shifted(read.anchor, "year", 0), certainty=0.6)


_ENDS: dict[str, Granularity] = {"eoy": "year", "eom": "month", "eoq": "quarter", "eow": "week"}


def end_of_period(read: RuleMatch) -> TimeMention | None:
    """Read "EOY 2024", "EOM", "EOQ": the last part of the period."""
    unit, year = _ENDS[read.one("η") or ""], read.one("49")
    if year is not None and unit == "year":
        whole = Interval.of_year(full_year(year))
    elif year is not None or read.anchor is None:
        return None
    else:
        whole = relative.shifted(read.anchor, unit, 0)
    return read.make(narrowed(whole, "end"), certainty=0.8)._replace(whole=whole)


def end_of_day(read: RuleMatch) -> TimeMention | None:
    """Read "EOD" as the day of writing, unless another day follows."""
    if read.after()[0] in tuple("+WaTyjli12oMmJzI!¡"):
        return None
    return read.make(None if read.anchor is None else relative.shifted(read.anchor, "day", 0), certainty=0.6)


def weekday_of_week(read: RuleMatch) -> TimeMention | None:
    """Read weekdays of relative weeks: "Friday last week"."""
    if read.one("u") != "week":
        return None
    if read.anchor is None:
        return read.make(None, certainty=0.7)
    return read.make(day_of(relative.shifted(read.anchor, "week", read.shift()), WEEKDAYS[read.one("W") or ""]))


def day_of(week: Interval, number: int) -> Interval:
    """Return a day (Monday 0) of a week."""
    start = (week.start or 0) + number * DAY
    return Interval(start, start + DAY, "day")


def weekday(read: RuleMatch) -> TimeMention | None:
    """Read weekdays: "Friday", "last Tuesday", "next Monday".

    Of the week that is running.
    """
    number = WEEKDAYS[read.one("Wa") or ""]
    if read.one("a") and not _is_short_weekday(read):
        named = read.one("lij") is not None or read.after()[0] == "."
        if not named or read.original(len(read.classes) - 1) in _RARELY_SHORT:
            return None
    if read.anchor is None:
        return read.make(None, certainty=0.7)
    direction: Literal["past", "next", "nearest"] = "nearest"
    if read.one("i") and not read.one("lj"):
        return read.make(day_of(relative.shifted(read.anchor, "week", 0), number), certainty=0.8)
    if read.one("l"):
        direction = "past"
    elif read.one("j") or read.speaks_of_future() or (read.one("a") and read.after()[1].lower() in _AFTER_SHORT):
        direction = "next"
    return read.make(relative.weekday(read.anchor, number, direction), certainty=0.8)


_BEFORE_SHORT = frozenset(("on", "by", "until", "till", "since", "do", "u", "ok", "or", "and"))
_AFTER_SHORT = frozenset(("instead", "then", "please", "pls", "works", "work", "ok", "at", "or", "and", "morning"))
_RARELY_SHORT = frozenset(("sat", "sun"))


def _is_short_weekday(read: RuleMatch) -> bool:
    """Return whether a short weekday is one: "can u do fri?"."""
    (letter, before), (after_letter, after) = read.before(), read.after()
    if after.lower() == "at" and not read.after(1)[1][:1].isdigit():
        return False  # "Sat at home"
    led = read.one("lij") is not None or before.lower() in _BEFORE_SHORT or letter in ("", "/", "-")
    ends = after_letter in tuple("/-aWp") or after in ("", "?", "!", ",", ")", ".") or after.lower() in _AFTER_SHORT
    return led and ends


def month_shifted(read: RuleMatch) -> TimeMention | None:
    """Read relative months: "last May", "next March"."""
    if read.anchor is None:
        return read.make(None, certainty=0.7)
    return read.make(relative.month(read.anchor, month_of(read), read.shift()), certainty=0.8)


DAYS_AWAY = {"ereyesterday": -2, "yesterday": -1, "tomorrow": 1, "overmorrow": 2}


def day_word(read: RuleMatch) -> TimeMention | None:
    """Read day words: "yesterday", "today", "the day after tomorrow"."""
    beyond = 0
    if (side := read.one("+")) is not None:
        beyond = {("before", "yesterday"): -1, ("after", "tomorrow"): 1}.get((side, read.one("y") or ""), 0)
        if beyond == 0 or read.one("u") != "day":
            return None
    if read.in_name():
        return None
    if read.anchor is None:
        return read.point("reference", 0.7)
    step = DAYS_AWAY.get(read.one("y") or "", 0) + beyond
    return read.make(relative.shifted(read.anchor, "day", step), certainty=0.9)


_COMPARED = frozenset(("most", "more", "less", "as", "too", "very", "relatively", "fairly"))


def reference(read: RuleMatch) -> TimeMention | None:
    """Read vague references: "now", "recently", "in the past", "these days"."""
    if read.classes == "X" and (not read.lower_case() or read.before()[1].lower() in _COMPARED):
        return None
    if read.one("&") is None and read.one("u") in ("day", "days", "week", "weeks", "month", "months"):
        return read.point("duration")
    return read.point("reference")


def repeated(read: RuleMatch) -> TimeMention | None:
    """Read repetitions: "every Monday", "daily"."""
    return read.point("set")


def duration(read: RuleMatch) -> TimeMention | None:
    """Read durations: "two years", "a few weeks"."""
    return read.point("duration")
