"""Rules for holidays: "Christmas Eve 2010", "Easter Monday", "next Thanksgiving"."""

from __future__ import annotations

from dateline.temporal import relative
from dateline.temporal.holiday_dates import DAYS_LONG, HOLIDAYS, DayOf
from dateline.temporal.interval import DAY, Interval, civil_from_days
from dateline.temporal.points import RuleMatch, TimeMention
from dateline.temporal.relative import start_of
from dateline.temporal.vocabulary import ENGLISH
from dateline.temporal.year_words import full_year

_LONGEST = 7
"""Tokens of the longest name: "Martin Luther King , Jr . Day"."""
_SILENT = frozenset(["'", "’", "s", "."])
"""Tokens that a name is looked up without: those of "Valentine's" and "St."."""


def holiday(read: RuleMatch) -> TimeMention | None:
    """Return a holiday's day in its year, or its likeliest occurrence."""
    lead = len(read.all("lji")) if read.letter(0) != "¡" else 0
    if read.vocabulary is ENGLISH and not read.original(lead)[:1].isupper():
        return None
    name, length = _longest_name(read, lead)
    if name is None:
        return None
    length = max(lead + length, len(read.classes))
    year_word, length = _year_behind(read, length)
    mention = read.make(None, certainty=0.6)._replace(last=read.first + length)
    if year_word:
        return mention._replace(interval=_day(name, full_year(year_word)), certainty=0.9)
    year = read.anchor_year()
    if year is None or read.anchor is None:
        return mention
    days = [name(each) for each in (year - 1, year, year + 1)]
    today = start_of(read.anchor) // DAY
    shift = read.shift()
    if read.one("i") and not shift:
        chosen = _day(name, year)
    elif shift > 0:
        chosen = next(_day(name, each) for each in (year, year + 1) if days[each - year + 1] > today)
    elif shift < 0:
        chosen = next(_day(name, each) for each in (year, year - 1) if days[each - year + 1] < today)
    else:
        near = [_day(name, each) for each in (year - 1, year, year + 1)]
        chosen = relative.likeliest(read.anchor, near, ahead=read.speaks_of_future(), back=read.before()[0] == "^")
    return mention._replace(interval=chosen, certainty=0.7)


def _day(name: DayOf, year: int) -> Interval:
    first = name(year)
    length = DAYS_LONG.get(name, 1)
    return Interval.of_day(*civil_from_days(first)) if length == 1 else Interval(first * DAY, (first + length) * DAY)


def _longest_name(read: RuleMatch, lead: int) -> tuple[DayOf | None, int]:
    """Return the longest holiday that starts here, with its tokens."""
    words: list[str] = []
    best: tuple[DayOf | None, int] = (None, 0)
    for place in range(_LONGEST):
        word = read.word(lead + place)
        if not word:
            break
        if word not in _SILENT:
            words.append(word)
            found = HOLIDAYS.get(" ".join(words))
            if found is not None:
                best = (found, place + 1)
    return best


def _year_behind(read: RuleMatch, length: int) -> tuple[str, int]:
    """Return the year behind a name, with the length of both."""
    for gap in ((), (",",), ("of",), ("of", "the")):
        if all(read.word(length + place) == word for place, word in enumerate(gap)):
            place = length + len(gap)
            if read.letter(place) in ("4", "9"):
                return read.original(place), place + 1
    return "", length
