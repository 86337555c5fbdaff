"""Rules for quarters, halves and fiscal years: "3Q24", "H1 FY25"."""

from __future__ import annotations

from dateline.language.calendar import MONTHS
from dateline.temporal import relative
from dateline.temporal.calendar_dates import century_interval, decade_interval
from dateline.temporal.calendar_words import NUMBERS, UNITS
from dateline.temporal.interval import DAY, Granularity, Interval, civil_from_days, month_start
from dateline.temporal.points import RuleMatch, TimeMention, digits, number_of
from dateline.temporal.year_words import full_year

_MONTHS: dict[Granularity, int] = {"quarter": 3, "half": 6, "year": 12}
FISCAL_YEAR = r"(?:G(?:[-/][23])?|fu?(?:4(?:[-/][123])?|9|Y|[23]))"
"""Token classes of a fiscal year: "FY25", "FY24/25", "fiscal year 2025", "financial year 2024/25"."""


def fiscal(read: RuleMatch) -> TimeMention | None:
    """Read fiscal years, named by the calendar year in which they end."""
    year = _named_fiscal(read)
    if year is None or (read.one("49GY") is None and read.one("f") != "fy"):
        return None  # "the financial 20"
    return read.make(_part_of(read, year, unit="year"), certainty=0.8)


def _named_fiscal(read: RuleMatch) -> int | None:
    """Return the fiscal year's number, of "FY24/25" the second."""
    word, joined = read.one("Gφ"), read.one("Y")
    if joined is not None:
        return _later_year(joined)
    years = [digits(word.rpartition("y")[2])] if word else []
    years += [digits(each) for each in read.all("49")] + [digits(each) for each in read.all("123")]
    years = [each for each in years if each]
    if not years or not (read.one("Gfφ")):
        return None
    return full_year(years[-1].zfill(2))


def _later_year(joined: str) -> int | None:
    """Return 2025 of "2024/25", `None` where a year lies between."""
    first, second = joined.split("/")
    later = int(first) + 1
    return later if int(second) == later % 10 ** len(second) else None


def _first_month(read: RuleMatch, fiscal_year: bool) -> int:
    """Return the month with which a year starts."""
    word = read.one("Gφ") or ""
    return read.fiscal_year_start if fiscal_year and "cy" not in word else 1


def _part_of(read: RuleMatch, year: int, *, unit: Granularity, number: int = 1, fiscal_year: bool = True) -> Interval:
    """Return a year or its `number`th part."""
    first, months = _first_month(read, fiscal_year), _MONTHS[unit]
    start = first + months * (number - 1) - (12 if first > 1 else 0)
    shifted: Granularity = "span" if unit == "year" and first > 1 else unit
    return Interval(month_start(year, start), month_start(year, start + months), shifted)


def _number(read: RuleMatch) -> int | None:
    """Return which quarter or half is meant, of "the last" the last.

    "The previous quarter of 2019" is counted from another and may be any.
    """
    short, word = read.one("qhφ"), read.one("Oo")
    if short is not None:
        return int(digits(short.partition("fy")[0]))
    if word is not None:
        return number_of(word)
    if read.original(read.classes.find("l")).lower() not in read.vocabulary.final:
        return None
    return 2 if read.one("H") else 4


def _any_part(read: RuleMatch) -> TimeMention:
    """Return the period of a part that may be any."""
    year, fiscal_year = (None, False) if read.one("skKMmzJ") else _year_of(read)
    whole = _named_whole(read) if year is None else _part_of(read, year, unit="year", fiscal_year=fiscal_year)
    return read.point("date")._replace(interval=whole)


def _year_of(read: RuleMatch) -> tuple[int | None, bool]:
    """Return the year it names, and whether a fiscal one."""
    year = _named_fiscal(read)
    if year is not None:
        return year, True
    word = read.one("49")
    if word:
        return full_year(word), read.one("f") is not None
    short = read.one("123") if read.one("qh") else None
    if short is not None:
        return full_year(short), False
    period = _period_of(read)
    if period is not None and period.one("u") == "year" and read.anchor is not None:
        return (read.anchor_year() or 0) + period.shift(), read.one("f") is not None
    return None, read.one("f") is not None


def _period_of(read: RuleMatch) -> RuleMatch | None:
    """Return the "next year", or "the year" behind "of"."""
    period = read.named_unit()
    return period if period is not None and (period.one("ijl") or "F" in read.classes) else None


def quarter(read: RuleMatch) -> TimeMention | None:
    """Read quarters: "Q3 2019", "the third quarter of 2010", "this quarter"."""
    if _counts(read):
        return None  # "Q3 24 people", "Q3 2019/22"
    period = _period_of(read)
    if period is not None and period.one("u") != "year":
        return None
    if read.one("qhφOo49GfuY") is None:
        if read.ends_something():
            return None  # "the last quarter of the match"
        if read.one("Q") == "quarters":
            return read.point("reference", 0.6)
        return read.make(None if read.anchor is None else relative.shifted(read.anchor, "quarter", read.shift()))
    number = _number(read)
    if number is None:
        return _any_part(read)
    if (read.one("φ") or "").lstrip("12").startswith("h"):
        return read.make(_part_of(read, _named_fiscal(read) or 0, unit="half", number=number))
    if not 1 <= number <= 4 or (read.one("qφ") is None and (read.one("Oo") or "") in NUMBERS):
        return None
    year, fiscal_year = _year_of(read)
    if year is None:
        year = _year_of_range(read, number)
    if year is not None:
        return read.make(_part_of(read, year, unit="quarter", number=number, fiscal_year=fiscal_year))
    if read.anchor is None:
        return read.make(None)
    month = (_first_month(read, fiscal_year) + 3 * number - 4) % 12 + 1
    ahead = read.speaks_of_future()
    return read.make(relative.likely_part(read.anchor, month=month, unit="quarter", ahead=ahead))


def _counts(read: RuleMatch) -> bool:
    """Return whether numbers beside a quarter are no year."""
    short, joined = read.one("123"), read.one("Y")
    if joined is not None:
        return _later_year(joined) is None
    return short is not None and not read.one("Gf") and not (read.tight() and len(short) == 2)


def quarters(read: RuleMatch) -> TimeMention | None:
    """Read ranges of quarters: "Q1-Q3 2024", "Q1 to Q3 FY25"."""
    first, last = (int(digits(each)) for each in read.all("q"))
    year, fiscal_year = _year_of(read)
    if year is None or not first < last:
        return None
    whole = [_part_of(read, year, unit="quarter", number=each, fiscal_year=fiscal_year) for each in (first, last)]
    return read.make(Interval(whole[0].start, whole[1].end), kind="range")


def _year_of_range(read: RuleMatch, number: int) -> int | None:
    """Return the year of the second quarter in "2019-Q1 to Q3"."""
    latest = read.latest
    if latest is None or latest.last != read.first - 1 or read.before()[0] not in tuple("->]"):
        return None
    if latest.interval is None or latest.interval.start is None or latest.interval.granularity != "quarter":
        return None
    year, month, _ = civil_from_days(latest.interval.start // DAY)
    return year if 3 * number - 2 > month else year + 1


def half(read: RuleMatch) -> TimeMention | None:
    """Read halves: "H1 2019", "the second half of March"."""
    short, word = read.one("h"), read.one("Oo")
    if (short is None and word is not None and number_of(word) not in (1, 2)) or _counts(read):
        return None
    number = _number(read)
    if number is None:
        return _any_part(read)
    year, fiscal_year = (None, False) if read.one("skKMmzJ") else _year_of(read)
    if year is not None:
        return read.make(_part_of(read, year, unit="half", number=number, fiscal_year=fiscal_year))
    whole = _named_whole(read)
    if whole is None or whole.start is None or whole.end is None:
        return None
    middle = whole.start + (whole.end - whole.start) // (2 * DAY) * DAY
    granularity: Granularity = "week" if whole.granularity == "month" else whole.granularity
    return read.make(Interval(*((middle, whole.end) if number == 2 else (whole.start, middle)), granularity))


def _named_whole(read: RuleMatch) -> Interval | None:
    """Return the decade, century, month or week whose half is meant."""
    decade, number, month, period = read.one("sk"), read.all("oO"), read.one("MmzJ"), _period_of(read)
    if decade:
        return decade_interval(decade)
    if read.one("K") and len(number) > 1:
        return century_interval(number_of(number[-1]))
    if month:
        year = read.one("49")
        if year:
            return Interval.of_month(full_year(year), MONTHS[month])
        return read.partial(MONTHS[month], None, certainty=0.8).interval
    unit = None if period is None else period.one("u")
    if period is not None and read.anchor is not None and period.one("ijl") and unit in ("week", "month", "decade"):
        return relative.shifted(read.anchor, UNITS[unit], period.shift())
    return None
