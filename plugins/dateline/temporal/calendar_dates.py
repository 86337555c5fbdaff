"""Rules for absolute dates: days, months, quarters, seasons, decades, centuries."""

from __future__ import annotations

import re

from dateline.language.calendar import MONTHS
from dateline.language.numbers import ORDINALS
from dateline.temporal import relative
from dateline.temporal.calendar_words import DECADES, NUMBERS, SEASONS
from dateline.temporal.interval import DAY, Interval, civil_from_days, days_from_civil, month_start
from dateline.temporal.points import RuleMatch, TimeMention
from dateline.temporal.year_words import full_year, spoken_year


def _digits(word: str) -> str:
    return re.sub(r"\D", "", word)


def _month(read: RuleMatch) -> int:
    return MONTHS[read.one("MmzJ") or ""]


def _days(read: RuleMatch) -> list[int]:
    return [ORDINALS.get(word) or int(_digits(word)) for word in read.all("12oO")]


def _year(read: RuleMatch) -> int:
    return full_year(read.one("49") or "")


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
    # 25/12/2020 can only be day first, 12/25/2020 only month first; else a dot tells the European custom.
    day_first = first > 12 or (second <= 12 and "." in word)
    number, month = (first, second) if day_first else (second, first)
    return read.make(Interval.of_day(year, month, number), certainty=0.9 if max(first, second) > 12 else 0.7)


def calendar_day(read: RuleMatch) -> TimeMention | None:
    """Read full dates: "6 May 2021", "the sixth of May 2021"."""
    return read.make(Interval.of_day(_year(read), _month(read), _days(read)[0]))


def day_of_year(read: RuleMatch) -> TimeMention | None:
    """Read days without a year: "6 May", "last Oct. 23"."""
    day, month = _days(read)[0], _month(read)
    if not 1 <= day <= 31 or read.after()[0] == "~":
        return None
    Interval.of_day(2000, month, day)
    shift = read.shift()
    if shift and read.anchor is not None:
        return read.make(relative.likely_date(read.anchor, month=month, day=day, ahead=shift > 0), certainty=0.9)
    return read.partial(month, day, certainty=0.8)


def day_range(read: RuleMatch) -> TimeMention | None:
    """Read ranges of days: "3-7 June 2010", "between 3 and 7 June"."""
    month, days, word = _month(read), _days(read), read.one("49")
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
    """Return the 25 of "April 24 and 25"."""
    latest, joint = read.latest, read.before()[0]
    if latest is None or latest.interval is None or latest.interval.start is None or joint not in ("&", ","):
        return None
    if latest.last != read.first - 1 or latest.interval.granularity != "day" or not read.ends_in_day(latest):
        return None
    year, month, day = civil_from_days(latest.interval.start // DAY)
    number = _days(read)[0]
    return read.make(Interval.of_day(year, month, number), certainty=0.7) if number > day else None


def month_of_year(read: RuleMatch) -> TimeMention | None:
    """Read months: "May 2021", "early May 2021"."""
    return read.make(Interval.of_month(_year(read), _month(read)))


def month_of_relative_year(read: RuleMatch) -> TimeMention | None:
    """Read months of relative years: "July last year"."""
    if read.one("u") not in ("year", "month"):
        return None
    year = read.anchor_year()
    return read.make(None if year is None else Interval.of_month(year + read.shift(), _month(read)))


def month(read: RuleMatch) -> TimeMention | None:
    """Read "May" where the words before it mean the month."""
    before_class, before = read.before()
    if read.one("m") and not read.one("P%"):
        after_class, after = read.after()
        named = after_class == "x" and after[:1].isupper()
        described = before_class == "T" and after_class == "x" and after[:1].islower()  # "the March elections"
        joined = after_class in tuple("->&/") and read.after(1)[0] in tuple("MmzJ")  # "May-June 2012"
        by_then = before.lower() == "by" and read.one("m") != "may"
        by_then = by_then or (before.lower() in ("to", "and") and read.before(1)[0] in tuple("MmJ"))
        by_then = by_then or (before.lower() == "of" and read.before(1)[1].lower() == "month")
        if named or not (joined or described or by_then or before.lower() in _BEFORE_MONTH):
            return None
    return read.partial(_month(read), None, certainty=0.7)


_BEFORE_MONTH = frozenset(
    ("in", "during", "since", "from", "until", "till", "between", "each", "through", "early", "late", "mid")
)


def week_of(read: RuleMatch) -> TimeMention | None:
    """Return the week of March 6."""
    if read.one("u") != "week":
        return None
    day, month = _days(read)[0], _month(read)
    word = read.one("49")
    if word is None and read.anchor is None:
        return read.make(None)
    if word is not None:
        moment = Interval.of_day(full_year(word), month, day)
    elif read.anchor is not None:
        moment = relative.likely_date(read.anchor, month=month, day=day, ahead=read.speaks_of_future())
    return read.make(relative.shifted(moment, "week", 0), certainty=0.9)


def quarter(read: RuleMatch) -> TimeMention | None:
    """Read quarters: "Q3 2019", "the third quarter of 2010", "this quarter"."""
    short, word, year_word = read.one("q"), read.one("Oon1"), read.one("4")
    year = int(year_word) if year_word else None
    if short is None and word is None:
        if read.one("Q") == "quarters":
            return read.point("reference", 0.6)
        return read.make(None if read.anchor is None else relative.shifted(read.anchor, "quarter", read.shift()))
    number = int(short.strip("q")) if short else ORDINALS.get(word or "") or int(_digits(word or "") or 0)
    if not 1 <= number <= 4 or (short is None and word in NUMBERS):
        return None
    if year is None and read.one("u") and read.anchor is not None:
        year = (read.anchor_year() or 0) + read.shift()
    if year is None:
        year = _year_of_range(read, number)
    if year is not None:
        return read.make(_quarter_of(year, number))
    if read.anchor is None:
        return read.make(None)
    return read.make(relative.likely_part(read.anchor, month=3 * number - 2, months=3, unit="quarter", ahead=False))


def _year_of_range(read: RuleMatch, number: int) -> int | None:
    """Return the year of the second quarter in "2019-Q1 to Q3"."""
    latest = read.latest
    if latest is None or latest.last != read.first - 1 or read.before()[0] not in tuple("->]"):
        return None
    if latest.interval is None or latest.interval.start is None or latest.interval.granularity != "quarter":
        return None
    year, month, _ = civil_from_days(latest.interval.start // DAY)
    return year if 3 * number - 2 > month else year + 1


def _quarter_of(year: int, number: int) -> Interval:
    month = 3 * number - 2
    return Interval(month_start(year, month), month_start(year, month + 3), "quarter")


def half(read: RuleMatch) -> TimeMention | None:
    """Read half-years: "H1 2019", "the first half of 2010"."""
    short, word = read.one("h"), read.one("Oo")
    if short is None and word is not None and word not in ("first", "second", "1st", "2nd"):
        return None
    second = short == "h2" or word in ("second", "2nd") or (short is None and word is None)
    whole = _named_whole(read)
    if whole is None or whole.start is None or whole.end is None:
        return None
    if whole.granularity == "year":
        year, month = civil_from_days(whole.start // DAY)[0], 7 if second else 1
        return read.make(Interval(month_start(year, month), month_start(year, month + 6), "half"))
    middle = whole.start + (whole.end - whole.start) // (2 * DAY) * DAY
    return read.make(Interval(*((middle, whole.end) if second else (whole.start, middle)), whole.granularity))


def _named_whole(read: RuleMatch) -> Interval | None:
    year, decade, number = read.one("4"), read.one("sk"), read.all("oO")
    if year:
        return Interval.of_year(int(year))
    if decade:
        return decade_interval(decade)
    if read.one("K") and len(number) > 1:
        return century_interval(ORDINALS.get(number[-1]) or int(_digits(number[-1])))
    if read.one("u") == "year" and read.anchor is not None:
        return relative.shifted(read.anchor, "year", read.shift())
    return None


def season(read: RuleMatch) -> TimeMention | None:
    """Read seasons: "summer 2012", "the winter of 1941-42", "last spring"."""
    month, word = SEASONS[read.one("S") or ""], read.one("4Y")
    if word is None and not read.all("n"):
        if read.after()[1][:1].isupper():
            return None  # "the Summer Olympics"
        if read.one("Tlij") is None and read.before()[1].lower() not in ("in", "during", "since", "until"):
            return None
        if read.anchor is None:
            return read.make(None, certainty=0.6)
        running = relative.likely_part(read.anchor, month=month, months=3, unit="season", ahead=True)
        if read.one("i") is not None and read.one("lj") is None and not running.overlaps(read.anchor):
            first = read.anchor_year() or 0
            this = Interval(month_start(first, month), month_start(first, month + 3), "season")
            return read.make(this, certainty=0.7)
        ahead = read.one("j") is not None or (read.one("l") is None and read.speaks_of_future())
        interval = relative.likely_part(read.anchor, month=month, months=3, unit="season", ahead=ahead)
        return read.make(interval, certainty=0.7)
    year = int(word[:4]) if word is not None else spoken_year(read.all("n"))
    if year is None:
        return None
    return read.make(Interval(month_start(year, month), month_start(year, month + 3), "season"), certainty=0.9)


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


def fiscal(read: RuleMatch) -> TimeMention | None:
    """Read fiscal years as calendar years: "FY2019", "fiscal 2019"."""
    word = re.sub(r"[^\d'’‘`]", "", read.one("49G") or "")
    return read.make(Interval.of_year(full_year(word)), certainty=0.8)


def decade_interval(word: str) -> Interval:
    """Return the ten years of "1990s" or "nineties", the century of "1800s"."""
    digits = _digits(word)
    if len(digits) == 4 and digits.endswith("00") and digits < "2000":
        return century_interval(int(digits[:2]) + 1)
    first = int(digits) if len(digits) == 4 else 1900 + (int(digits) if digits else DECADES[word])
    return Interval.of_years(first, first + 9, "decade")


_POSSESSIVES = frozenset(("his", "her", "its", "their", "my", "your", "our"))


def decade(read: RuleMatch) -> TimeMention | None:
    """Return the 1990s, the early 90s, the nineties."""
    word = read.one("sk") or ""
    if read.before()[1].lower() in _POSSESSIVES:
        return None  # an age
    if len(_digits(word)) < 4 and read.one("TP%") is None and word[:1].isdigit():
        return None
    if word in DECADES and read.one("TP%") is None:
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
    numbers = [ORDINALS.get(word) or int(_digits(word)) for word in read.all("oO")]
    if len(numbers) != 2 or not 1 <= numbers[0] < numbers[1] <= 30:
        return None
    first, last = (century_interval(number) for number in numbers)
    return read.make(Interval(first.start, last.end), kind="range")


def century(read: RuleMatch) -> TimeMention | None:
    """Return the 19th century, the fifth century BC, late 18th-century."""
    words = read.all("oOn")
    number = sum(NUMBERS.get(word) or ORDINALS.get(word) or int(_digits(word)) for word in words)
    if not 1 <= number <= 30 or read.before()[1].lower() in _POSSESSIVES:
        return None
    if (read.one("E") or "").startswith("b"):
        return read.make(Interval.of_years(1 - 100 * number, 100 - 100 * number, "century"))
    return read.make(century_interval(number))


def era(read: RuleMatch) -> TimeMention | None:
    """Read years with an era: "44 BC", "AD 79"."""
    number, name = int(read.one("12345") or 0), (read.one("E") or "").lower()
    if number == 0:
        return None
    if name.startswith("b"):
        return read.make(Interval.of_year(1 - number)) if read.classes[0] != "E" else None
    return read.make(Interval.of_year(number))
