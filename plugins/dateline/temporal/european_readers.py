"""Readers of rules for languages beyond English."""

from __future__ import annotations

import re

from dateline.language.word_lists import word_set
from dateline.temporal import clock, distances, relative, relative_rules
from dateline.temporal.bare_years import measures
from dateline.temporal.calendar_dates import decade_interval, yearless_season
from dateline.temporal.calendar_words import NUMBERS, SEASONS, UNITS
from dateline.temporal.interval import Interval
from dateline.temporal.points import RuleMatch, TimeMention, digits, month_of, narrowed, season_of
from dateline.temporal.year_words import full_year

_COUNTED = word_set("people members euros metres seats euro")
_LABELS = word_set("room windows port iso python version")
_BEFORE_YEAR = frozenset("+^<>]BCFMJPQHKS")
"""Classes of words after which a number is a year, unless something is counted."""
_EDGES = frozenset(["", "(", "[", ",", ";", ":", "-", "&", "/", ".", "T", "¿", "¡", "«", "“"])


def numeric_day(read: RuleMatch) -> TimeMention | None:
    """Read days in digits without a year: "14.2.", "le 14/02"."""
    word = read.one("ν") or ""
    if read.before()[0] == "" or read.before()[0] not in "T+><]^F,":
        return None  # "7/10", "Python 3.12."
    day, month = (int(digits(part)) for part in word.strip(".").replace("/", ".").split("."))
    Interval.of_day(2000, month, day)
    return read.partial(month, day, certainty=0.7)


def month(read: RuleMatch) -> TimeMention | None:
    """Read a month alone after a preposition: "en mars", "seit März"."""
    if read.before()[0] not in tuple("+^<>]BF&-P") and read.one("P") is None:
        return None
    if not read.vocabulary.capital_months and read.one("P") is None and read.capitalised():
        return None  # "Mars", "Abril"
    return read.partial(month_of(read), None, certainty=0.7)


def season(read: RuleMatch) -> TimeMention | None:
    """Read seasons: "l'été dernier", "im Sommer 2012"."""
    month, word = SEASONS[read.one("S") or ""], read.one("4Y9")
    if word is not None:
        year = full_year(word[:4])
        return read.make(season_of(year, month), certainty=0.9)
    shift = read.shift()
    if (read.before()[0] not in tuple("+^]") and not shift and read.one("i") is None) or read.anchor is None:
        return None
    ahead = shift > 0 or (not shift and read.speaks_of_future())
    interval = relative.likely_part(read.anchor, month=month, unit="season", ahead=ahead)
    return yearless_season(read, interval, certainty=0.6)


def year(read: RuleMatch) -> TimeMention | None:
    """Read a year in digits, unless it counts or names something."""
    number = int(read.one("4") or "")
    interval = Interval.of_year(number)
    if read.one("Pu"):
        return read.make(interval)
    (before_class, before), (after_class, after) = read.before(), read.after()
    if before in ("$", "€", "£", "#") or after in ("%", "$", "€", "£", "°", "'") or read.word(-1) in _LABELS:
        return None
    if (read.touches_before() and before_class in "x/:.-") or (read.touches_after() and after_class in ("/", ":")):
        return None
    if read.word_after() in _COUNTED or measures(read) or after_class in tuple("uQK"):
        return None
    if _is_joined(read):
        return read.make(interval, certainty=0.9)
    named = read.is_before_other_word()
    modern = 1500 <= number < 2100
    if before_class in _BEFORE_YEAR and not (before_class in "F>C" and named):
        return read.make(interval, certainty=0.9) if modern or not named else None
    if modern and not named and before.lower() in read.vocabulary.bounding:
        return read.make(interval, certainty=0.9)
    if before_class in _EDGES and modern and not (named and before_class in ("T", "&") and number % 100 == 0):
        return read.make(interval, certainty=0.7) if not named or read.vocabulary.bare_years else None
    if read.vocabulary.bare_years and before[:1].isupper() and read.before(1)[0] in tuple("T+F"):
        return read.make(interval, certainty=0.6) if modern and number % 100 else None  # "der Umsatz 2023"
    if not 1700 <= number < 2100 or number % 100 == 0 or read.before()[1][:1].isupper():
        return read.make(interval, certainty=0.6) if number % 100 and modern and after in (".", ")", "?", "") else None
    return read.make(interval, certainty=0.6) if read.vocabulary.bare_years or not after.isalpha() else None


def _is_joined(read: RuleMatch) -> bool:
    """Return whether another year is joined before.

    Examples: "entre 1998 y 2005", "na 2005 en voor 2010".
    """
    before_class, before = read.before()
    joint = 1 if before_class == "T" or before.lower() in read.vocabulary.bounding else 0
    return read.before(joint)[0] in tuple("&>]-") and read.before(joint + 1)[0] == "4"


def decade_of_years(read: RuleMatch) -> TimeMention | None:
    """Read decades: "les années 90", "anni Sessanta", "década de 1960"."""
    unit, word = read.one("u"), read.all("1235649n")[-1]
    number = NUMBERS.get(word) or int(digits(word) or 0)
    if unit not in ("years", "decade") or number % 10 or not (10 <= number < 100 or 1000 <= number < 2100):
        return None
    return read.make(decade_interval(f"{number}s"), certainty=0.9)


def lasting(read: RuleMatch) -> TimeMention | None:
    """Read stretches that last: "seit drei Jahren", "depuis deux ans"."""
    (unit, size), number = relative_rules.unit_of(read), relative_rules.amount(read)
    if number is None or read.anchor is None:
        return read.point("duration", 0.7)
    start = relative.shifted_moment(relative.start_of(read.anchor), unit, -number * size)
    return read.make(Interval(start, None), kind="range", certainty=0.7)


def ahead(read: RuleMatch) -> TimeMention | None:
    """Read distances behind "in": "in zwei Wochen", unless it took so long."""
    (unit, size), number = relative_rules.unit_of(read), relative_rules.amount(read)
    if number is None or not read.plans() or unit in ("minute", "hour"):
        return None
    if read.anchor is None:
        return read.make(None, certainty=0.7)
    return read.make(relative.shifted(read.anchor, unit, number * size), certainty=0.8)


def or_so(read: RuleMatch) -> TimeMention | None:
    """Read Dutch amounts that are rough: "over een maand of drie"."""
    return relative_rules.ago(read) if read.one("x") == "or" else None


def half_ago(read: RuleMatch) -> TimeMention | None:
    """Read half a unit back: "vor einem halben Jahr", "hace medio siglo"."""
    halves = distances.HALVES.get(UNITS.get(read.one("uK") or "year", ""))
    if halves is None or read.anchor is None:
        return None
    return read.make(relative.shifted(read.anchor, halves[1], -halves[0]), certainty=0.8)


def part_of_unit(read: RuleMatch) -> TimeMention | None:
    """Read parts of the running period: "Ende des Monats", "fin d'année"."""
    unit, parts = UNITS[read.one("uQ") or ""], read.all("P")
    if read.anchor is None or unit in ("minute", "hour", "day"):
        return None
    whole = relative.shifted(read.anchor, unit, 0)
    return read.make(whole, certainty=0.6)._replace(interval=narrowed(whole, *parts), whole=whole)


_DOTTED = re.compile(r"\d\d?\.\d\d")


def clock_time(read: RuleMatch) -> TimeMention | None:
    """Read times of day: "15 Uhr", "15h30", "18.30 uur"."""
    dotted = read.one("6")
    if dotted is not None and (_DOTTED.fullmatch(dotted) is None or read.one("u") not in (None, "hour", "hours")):
        return None
    numbers = [int(part) for part in "".join(c if c.isdigit() else " " for c in read.one("t126") or "").split()]
    if not numbers or clock.is_offset(read):
        return None
    return clock.at_time(read, *numbers[:2], certainty=0.7)


def weekday(read: RuleMatch) -> TimeMention | None:
    """Read weekdays: "am Montag", "el lunes pasado"."""
    inside = read.before()[0] not in ("", ".") or read.after()[1].istitle()
    if inside and read.capitalised() and not read.vocabulary.capital_months:
        return None  # "Domingo Pérez"
    return relative_rules.weekday(read)
