"""Rules for absolute dates: days, months, quarters, seasons, decades, centuries."""

from __future__ import annotations

import re

from dateline.language.word_lists import word_set
from dateline.temporal import relative
from dateline.temporal.calendar_words import DECADES, NUMBERS, SEASONS
from dateline.temporal.interval import DAY, Interval, civil_from_days, days_from_civil
from dateline.temporal.points import SEASON_MONTHS, RuleMatch, TimeMention, digits, month_of, number_of, season_of
from dateline.temporal.year_words import full_year, spoken_year


def _days(read: RuleMatch) -> list[int]:
    return [number_of(word) for word in read.all("12oO")]


def _year(read: RuleMatch) -> int:
    return full_year(read.one("49") or read.all("123")[-1])


def iso(read: RuleMatch) -> TimeMention | None:
    """Read numeric dates: "2021-05-06", "20210506", "25/12/2020", "6.5.2021"."""
    word = read.one("ILN") or ""
    if "0000" in (word[:4], word[-4:]) or word.startswith("0001-01-01"):
        return None  # what a program writes that has no date
    if word.isdigit():
        return read.make(Interval.of_day(int(word[:4]), int(word[4:6]), int(word[6:])), certainty=0.9)
    parts = [int(part) for part in re.findall(r"\d+", word)]
    if len(parts) > 3:
        day = Interval.of_day(*parts[:3])
        if not (parts[3] < 24 and parts[4] < 60):
            return read.make(day)
        start = days_from_civil(*parts[:3]) * DAY + parts[3] * 3600 + parts[4] * 60
        return read.make(Interval(start, start + 60, "minute"), kind="time")
    if len(parts) == 2:
        return read.make(Interval.of_month(parts[1], parts[0]), certainty=0.8)
    if word[:4].isdigit():
        return read.make(Interval.of_day(parts[0], parts[1], parts[2]))
    first, second, year = parts
    year = full_year(f"{year:02d}") if year < 100 else year
    # 25/12/2020 can only be day first, 12/25/2020 only month first; else a dot or the language tells the European custom.
    day_first = first > 12 or (second <= 12 and ("." in word or read.vocabulary.day_first))
    number, month = (first, second) if day_first else (second, first)
    return read.make(Interval.of_day(year, month, number), certainty=0.9 if max(first, second) > 12 else 0.7)


def calendar_day(read: RuleMatch) -> TimeMention | None:
    """Read full dates: "6 May 2021", "the sixth of May 2021", "17-Aug-22"."""
    if read.one("49") is None and not read.tight():
        return None
    return read.make(Interval.of_day(_year(read), month_of(read), _days(read)[0]))


def day_of_year(read: RuleMatch) -> TimeMention | None:
    """Read days without a year: "6 May", "last Oct. 23"."""
    day, month = _days(read)[0], month_of(read)
    if not 1 <= day <= 31 or read.after()[0] == "~":
        return None
    Interval.of_day(2000, month, day)
    shift = read.shift()
    if shift and read.anchor is not None:
        near = relative.likely_date(read.anchor, month=month, day=day, ahead=shift > 0, back=shift < 0)
        return read.make(near, certainty=0.9)
    return read.partial(month, day, certainty=0.8)


def day_range(read: RuleMatch) -> TimeMention | None:
    """Read ranges of days: "3-7 June 2010", "between 3 and 7 June"."""
    month, days, word = month_of(read), _days(read), read.one("49")
    if len(days) < 2 or not 1 <= days[0] < days[1] <= 31:
        return None
    if word is not None:
        first, last = (Interval.of_day(full_year(word), month, day) for day in days[:2])
    elif read.anchor is not None:
        ahead = read.speaks_of_future()
        first, last = (relative.likely_date(read.anchor, month=month, day=day, ahead=ahead) for day in days[:2])
    else:
        return read.point("range")
    if first.start is None or last.end is None or first.start >= last.end:
        return None
    return read.make(Interval(first.start, last.end), kind="range")


def day_listed(read: RuleMatch) -> TimeMention | None:
    """Return the second day of "April 24 and 25, 2020"."""
    latest, joint = read.latest, read.before()
    if latest is None:
        return None
    if joint[0] not in ("&", ",") and joint[1].lower() != "or":
        return None
    if latest.last != read.first - 1 or not read.ends_in_day(latest):
        return None
    found, year = latest.interval, None
    month, day = latest.month, latest.day
    if found is not None and found.start is not None and found.granularity == "day":
        year, month, day = civil_from_days(found.start // DAY)
    number, named = _days(read)[0], read.one("4")
    if month is None or day is None or number <= day:
        return None
    if named or (year and latest.month is None):
        return read.make(Interval.of_day(int(named or year or 0), month, number), certainty=0.7)
    point = read.point("date", 0.7)._replace(month=month, day=number)
    return point if year is None else point._replace(interval=Interval.of_day(year, month, number))


def month_of_year(read: RuleMatch) -> TimeMention | None:
    """Read months: "May 2021", "early May 2021"."""
    return read.make(Interval.of_month(_year(read), month_of(read)))


def month_of_relative_year(read: RuleMatch) -> TimeMention | None:
    """Read months of relative years: "July last year"."""
    if read.one("u") not in ("year", "month"):
        return None
    year = read.anchor_year()
    return read.make(None if year is None else Interval.of_month(year + read.shift(), month_of(read)))


def month(read: RuleMatch) -> TimeMention | None:
    """Read "May" where the words before it mean the month."""
    before, after = read.before()[1].lower(), read.after()[1]
    if read.one("J") and not read.one("P%") and not _in_month(before, after) and not _joined(read):
        return None
    if read.one("z") and not (before in _BEFORE_MONTH and _stands_alone(after)):
        return None
    if read.one("m") and not read.one("P%") and not _is_month(read):
        return None
    return read.partial(month_of(read), None, certainty=0.7)


def _is_month(read: RuleMatch) -> bool:
    """Return whether a word like "May" is a month here."""
    (before_class, before), (after_class, after) = read.before(), read.after()
    earlier_class, earlier = read.before(1)
    if after_class == "x" and after[:1].isupper():
        return False
    described = before_class == "T" and after_class == "x" and after[:1].islower()  # "the March elections"
    by_then = before.lower() == "by" and read.one("m") != "may"
    by_then = by_then or (before.lower() in ("to", "and", "or") and earlier_class in tuple("MmJ"))
    by_then = by_then or read.is_moved_to()
    by_then = by_then or (before.lower() == "of" and earlier.lower() in ("month", "as"))
    return _joined(read) or described or by_then or before.lower() in _BEFORE_MONTH


def _joined(read: RuleMatch) -> bool:
    """Return whether another month is joined on, as in "May-June 2012"."""
    joined = read.after()[0] in tuple("->&/") or read.word_after() == "or"
    return joined and read.after(1)[0] in tuple("MmzJ")


def _in_month(before: str, after: str) -> bool:
    return (before in _BEFORE_MONTH or before == "by") and not after[:1].isupper()


def _stands_alone(after: str) -> bool:
    return not after or not after[:1].isalpha() or after.lower() in _AFTER_MONTH


_AFTER_MONTH = word_set("we i you he she it they the a and or but when so for with at on my our was is were are there")
_BEFORE_MONTH = word_set("in during since from until till between each through early late mid come starting beginning")


def season(read: RuleMatch) -> TimeMention | None:
    """Read seasons: "summer 2012", "the winter of 1941-42", "last spring"."""
    month, word = SEASONS[read.one("S") or ""], read.one("4Y9")
    if word is None and not read.all("n"):
        if read.after()[1][:1].isupper():
            return None  # "the Summer Olympics"
        if read.one("Tlij") is None and read.before()[1].lower() not in ("in", "during", "since", "until"):
            return None
        if read.anchor is None:
            return yearless_season(read, None, certainty=0.6)
        running = relative.likely_part(read.anchor, month=month, unit="season", ahead=True)
        if read.one("i") is not None and read.one("lj") is None and not running.overlaps(read.anchor):
            first = read.anchor_year() or 0
            return read.make(season_of(first, month), certainty=0.7)
        ahead = read.one("j") is not None or (read.one("l") is None and read.speaks_of_future())
        interval = relative.likely_part(read.anchor, month=month, unit="season", ahead=ahead)
        return yearless_season(read, interval, certainty=0.7)
    year = full_year(word[:4]) if word is not None else spoken_year(read.all("n"))
    if year is None:
        return None
    return read.make(season_of(year, month), certainty=0.9)


def yearless_season(read: RuleMatch, interval: Interval | None, *, certainty: float) -> TimeMention:
    """Return a season without a year, unless it is "last spring"."""
    made = read.make(interval, certainty=certainty)
    if read.one("lij") is not None:
        return made
    return made._replace(month=SEASONS[read.one("S") or ""], months=SEASON_MONTHS)


_LONGEST_SPAN = 400
"""Years between two numbers that are still read as a range."""


def whole_years(read: RuleMatch) -> TimeMention | None:
    """Read ranges of years: "1916-1920"."""
    first, last = (int(word) for word in read.all("4"))
    if not first < last <= first + _LONGEST_SPAN or (read.touches_before() and read.before()[1] not in '(["“‘*;~,'):
        return None
    return read.make(Interval.of_years(first, last), kind="range", certainty=0.9)


def years(read: RuleMatch) -> TimeMention | None:
    """Read year ranges with a shortened second year: "2010-11", "1997/98"."""
    joined = read.one("Y")
    if joined:
        first_word, second_word = joined.split("/")
    else:
        first_word, second_word = read.all("4")[0], read.all("123")[0]
        if not read.tight() or (read.touches_before() and read.before()[1] in "-/+"):
            return None
    first, size = int(first_word), 10 ** len(second_word)
    second = first // size * size + int(second_word)
    if int(second_word) == 0 and size == 100 and first % 100 == 99:
        second = first + 1  # 1999-00
    if second > first and (size > 10 or read.one("-") != "-" or second - first < 4):
        return read.make(Interval.of_years(first, second), kind="range", certainty=0.95)
    if read.one("-") == "-" and size == 100 and 1 <= int(second_word) <= 12:
        return read.make(Interval.of_month(first, int(second_word)), certainty=0.9)
    return None


def decade_interval(word: str) -> Interval:
    """Return the ten years of "1990s" or "nineties", the century of "1800s"."""
    number = digits(word)
    if len(number) == 4 and number.endswith("00") and number < "2000":
        return century_interval(int(number[:2]) + 1)
    if len(number) == 4:
        first = int(number)
    else:
        first = 1900 + (int(number) + 100 * (number in ("00", "10")) if number else DECADES[word])
    return Interval.of_years(first, first + 9, "decade")


_DEGREES = frozenset(("low", "lower", "high", "upper", "mid", "top"))
_POSSESSIVES = frozenset(("his", "her", "its", "their", "my", "your", "our"))


def decade(read: RuleMatch) -> TimeMention | None:
    """Return the 1990s, the early 90s, the nineties."""
    word = read.one("sk") or ""
    if read.before()[1].lower() in _POSSESSIVES:
        return None  # an age
    if len(digits(word)) < 4 and read.one("TP%") is None and word[:1].isdigit():
        return None
    if word in DECADES and (read.one("TP%") is None or read.one("x") in _DEGREES):
        return None
    if read.before()[0] == "n" and word in DECADES:
        return None
    return read.make(decade_interval(word), certainty=0.95)


def century_interval(number: int) -> Interval:
    """Return the `number`th century as people speak.

    The 19th is 1800 to 1899, the first the years 1 to 99.
    """
    first = 100 * number - 100
    return Interval.of_years(max(first, 1), first + 99, "century")


def centuries(read: RuleMatch) -> TimeMention | None:
    """Return the 15th to 17th centuries, between the fifth and sixth century."""
    numbers = [number_of(word) for word in read.all("oO")]
    if len(numbers) != 2 or not 1 <= numbers[0] < numbers[1] <= 30:
        return None
    first, last = (century_interval(number) for number in numbers)
    return read.make(Interval(first.start, last.end), kind="range")


def century(read: RuleMatch) -> TimeMention | None:
    """Return the 19th century, the fifth century BC, late 18th-century."""
    words = read.all("oOn")
    number = sum(NUMBERS.get(word) or number_of(word) for word in words)
    if not 1 <= number <= 30 or read.before()[1].lower() in _POSSESSIVES:
        return None
    if (read.one("E") or "").startswith("b"):
        return read.make(Interval.of_years(1 - 100 * number, 100 - 100 * number, "century"))
    return read.make(century_interval(number))


_AROUND_TURN = 5
"""Years before and behind the turn of a century that it is said of (chosen by hand)."""


def turn(read: RuleMatch) -> TimeMention | None:
    """Read "the turn of the century": the years about its first.

    Without a number the latest turn is meant.
    """
    word, millennium = read.one("oO"), read.one("x")
    if millennium not in (None, "millennium"):
        return None
    now = read.anchor_year()
    if word is not None:
        first = 100 * number_of(word) - 100
    elif now is None:
        return read.make(None, certainty=0.6)
    else:
        first = now - now % (100 if millennium is None else 1000)
    return read.make(Interval.of_years(first - _AROUND_TURN, first + _AROUND_TURN - 1, "decade"), certainty=0.7)


def era(read: RuleMatch) -> TimeMention | None:
    """Read years with an era: "44 BC", "AD 79"."""
    number, name = int(read.one("12345") or 0), (read.one("E") or "").lower()
    if number == 0:
        return None
    if name.startswith("b"):
        return read.make(Interval.of_year(1 - number)) if read.classes[0] != "E" else None
    return read.make(Interval.of_year(number))
