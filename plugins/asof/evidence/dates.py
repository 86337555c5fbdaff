"""The date strings of search results and documents, read relative to the moment of their search.

"Sep 16, 2025", "hace 2 días", "10/07/2025, 01:06 PM, +0000 UTC", "3 months ago", "2025年9月16日": the result is
the calendar unit (minute, hour, day, week, month, year) in which the said moment lies, so "1 year ago" is a year and
never a day. What cannot be read is `None`, never "now".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache

from asof.errors import BadInput
from asof.evidence.languages import LANGUAGES, UNSPACED_DAYS, UNSPACED_UNITS, Language, Unit
from asof.temporal.interval import DAY, Interval, civil_from_days, seconds_of

MAX_LENGTH = 160
"""Date strings are short; what stands behind this many characters is not looked at."""

MAX_WEEKDAY_WORDS = 6
"""A weekday in a longer text belongs to a sentence, not to a date."""

MONTH_FIRST_COUNTRIES = frozenset({"", "us", "ph", "fm", "mh", "pw"})
"""Countries that write month/day/year; the empty one is an engine asked without a country."""

_SECONDS: Mapping[Unit, int] = {"second": 1, "minute": 60, "hour": 3600, "day": DAY, "week": 7 * DAY}
_WORD = r"(?:[^\W\d_]|[\u0300-\u036f\u0900-\u0903\u093a-\u094f\u0e31\u0e34-\u0e3a\u0e47-\u0e4e])+"
"""Letters and the vowel signs of Devanagari and Thai, which are no letters to `re`."""

_TIME = r"(?P<hour>\d{1,2})[:h](?P<minute>\d{2})(?::\d{2})?\s*(?P<half>[ap])?\.?m?"

_ISO = re.compile(r"(?<!\d)(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)")
_ISO_MONTH = re.compile(r"(?<!\d)(\d{4})[-/](\d{1,2})(?![\d/-])")
_COMPACT = re.compile(r"(?<!\d)((?:19|20)\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?=T\d|\b)")
_NUMERIC = re.compile(r"(?<!\d)(\d{1,2})([/.-])\s?(\d{1,2})\2\s?(\d{4}|\d{2})(?!\d)")
_CJK = re.compile(r"(?:(\d{4})\s*[年년]\s*)?(\d{1,2})\s*[月월]\s*(?:(\d{1,2})\s*[日일])?|(\d{4})\s*[年년]")
_DAY_MONTH = re.compile(
    rf"(?<!\d)(\d{{1,2}})(?:st|nd|rd|th|er|\.|º|ª)?\s{{0,2}}(?:de\s|of\s|-)?\s?({_WORD})[.,]?\s{{0,2}}(?:del?\s|-)?\s?(\d{{4}}|'\d\d)?"
)
_MONTH_DAY = re.compile(
    rf"(?<!\w)({_WORD})\.?\s{{0,2}}(\d{{1,2}})(?:st|nd|rd|th)?(?![\d:])(?:\s?,\s{{0,2}}|\s{{0,2}}|\s-\s)(\d{{4}})?"
)
_MONTH_YEAR = re.compile(rf"(?<!\w)({_WORD})\.?,?\s{{0,2}}(?:del?\s|of\s)?(\d{{4}})(?!\d)")
_YEAR_MONTH_DAY = re.compile(rf"(?<!\d)(\d{{4}})[.,]?\s({_WORD})\.?\s(\d{{1,2}})(?!\d)")
_NUMBERED_MONTH = re.compile(r"(?<!\d)(\d{1,2})\s(?:thg|tháng)\s(\d{1,2}),?\s(?:năm\s)?(\d{4})(?!\d)")
_YEAR = re.compile(r"\D{0,12}?(\d{4})\D{0,2}")
_FOUR_DIGITS = re.compile(r"(?<!\d)\d{4}(?!\d)")
_CLOCK = re.compile(rf"(?<![\d/.-]){_TIME}", re.I)
_TOKENS = re.compile(rf"\d+|{_WORD}['’]?")
_UNSPACED_AGO = re.compile(
    r"(\d{1,4})\s*(" + "|".join(sorted(UNSPACED_UNITS, key=len, reverse=True)) + r")\s*(?:前|之前|以前|전|ที่ผ่านมา|ที่แล้ว)"
)
_MAYBE_RELATIVE = re.compile(
    "|".join(
        sorted(
            {re.escape(word) for words in LANGUAGES.values() for word in (*words.ago, *words.days)}
            | {re.escape(word) for word in (*UNSPACED_DAYS, "前", "전")}
            | {f"{word} (?:week|month|year)" for word in ("last", "past", "previous", "this")},
            key=len,
            reverse=True,
        )
    )
    + rf"|^\s*\d{{1,3}}\s?{_WORD}\.?\s*$"
)
_LAST = re.compile(r"\b(last|past|previous|this) (week|month|year)\b")
_COMPACT_AGO = re.compile(rf"\s*(\d{{1,3}})\s?({_WORD})\.?\s*")


def read_date(
    value: object, *, now: datetime | None, language: str = "en", country: str = "", ahead: bool = False
) -> Interval | None:
    """The time that a date field says, or `None`.

    Args:
        value: a string, a `date` or `datetime`, a year, or seconds or milliseconds since 1970.
        now: the moment at which the value was written; without it nothing relative is read.
        language: two-letter code of the language the value is probably written in; others are tried after it.
        country: two-letter code, which decides whether 10/07/2025 is October or July.
        ahead: whether it may lie ahead, as a game's date does: a day without a year is then the nearest one, where
            otherwise it is the latest that has come.
    """
    try:
        if isinstance(value, bool):
            return None
        if isinstance(value, datetime | date):
            return _at(value) if isinstance(value, datetime) else Interval.of_moment(value)
        if isinstance(value, int | float):
            return _of_number(value)
        if isinstance(value, str):
            return _of_text(value[:MAX_LENGTH], now, language[:2].lower(), country[:2].lower(), ahead)
    except (BadInput, OverflowError, ValueError):
        return None
    return None


def states_date(text: str) -> bool:
    """Whether a short text is a date to the day or nearer, and no mere length of time ("8 hr", "90-day returns")."""
    if len(text) > 28 or not any(character.isdigit() for character in text) or _COMPACT_AGO.fullmatch(text.lower()):
        return False
    read = read_date(text, now=None) or read_date(text, now=datetime(2100, 1, 1, tzinfo=UTC))
    return read is not None and read.granularity in ("second", "minute", "hour", "day", "week")


def reading_of(published: Interval | None) -> str:
    """An interval as a person writes it: `May 6, 2021`, `May 2021`, `2021`; a moment keeps its time of day."""
    if published is None or published.start is None:
        return "unknown"
    year, month, day = civil_from_days(published.start // DAY)
    match published.granularity:
        case "year":
            return f"{year}"
        case "month":
            return f"{_ENGLISH_MONTHS[month - 1]} {year}"
        case "week":
            return f"week of {_ENGLISH_MONTHS[month - 1]} {day}, {year}"
        case "day" | "hour" | "minute" | "second":
            return f"{_ENGLISH_MONTHS[month - 1]} {day}, {year}"
        case _:
            return published.isoformat()


_ENGLISH_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def _of_number(value: float) -> Interval | None:
    if 1000 <= value <= 2999:
        return Interval.of_year(int(value))
    if not 1e8 <= value < 1e14:
        return None
    return _at(datetime.fromtimestamp(value / 1000 if value >= 1e11 else value, UTC))


def _at(moment: datetime) -> Interval:
    """The minute of a moment; its day when it stands at midnight, as dates without a time do."""
    if not (moment.hour or moment.minute or moment.second):
        return Interval.of_moment(moment)
    start = seconds_of(moment) // 60 * 60
    return Interval(start, start + 60, "minute")


def _of_text(text: str, now: datetime | None, language: str, country: str, ahead: bool) -> Interval | None:
    text = " ".join(text.replace("\u200e", "").replace("\u200f", "").split())
    if not text:
        return None
    if text.isascii() and text.isdecimal() and 9 <= len(text) <= 14:
        return _of_number(int(text))
    lowered = text.lower()
    if now is not None and _MAYBE_RELATIVE.search(lowered):
        relative = _relative(lowered, now, language)
        if relative is not None:
            return relative
    day = _absolute(text, now, language, country)
    if now is not None:
        if day is None:
            day = _weekday(lowered, now, language, ahead)
        elif ahead:
            day = _nearest(day, text, now)
    return None if day is None else _with_clock(text, day)


# -- relative ---------------------------------------------------------------------------------


def _relative(text: str, now: datetime, language: str) -> Interval | None:
    if (match := _UNSPACED_AGO.search(text)) is not None:
        return _back(now, int(match[1]), UNSPACED_UNITS[match[2]])
    if (match := _LAST.search(text)) is not None:
        unit: Unit = "week" if match[2] == "week" else "month" if match[2] == "month" else "year"
        return _back(now, int(match[1] != "this"), unit)
    for words in _languages(language):
        if (found := _ago(text, now, words)) is not None or (found := _named_day(text, now, words)) is not None:
            return found
    if (shift := next((shift for word, shift in UNSPACED_DAYS.items() if word in text), None)) is not None:
        return _shifted(now, shift)
    return _compact_ago(text, now, language)


def _ago(text: str, now: datetime, words: Language) -> Interval | None:
    """A number and a unit in a text that says "ago"; a unit alone counts as one ("tydzień temu")."""
    if not any(_has_word(text, marker) for marker in words.ago):
        return None
    tokens = _TOKENS.findall(text)
    for index, token in enumerate(tokens):
        unit = words.units.get(token)
        if unit is None:
            continue
        before = tokens[index - 1] if index else ""
        if before == "of" and index > 1:
            before = tokens[index - 2]
        if before.isdigit() or before in words.numbers:
            return _back(now, words.numbers.get(before) or int(before), unit)
        if len(token) > 1:
            return _back(now, 1, unit)
    return None


def _compact_ago(text: str, now: datetime, language: str) -> Interval | None:
    """ "3d", "5 h", "2 weeks": a whole string that is only a length of time."""
    if (match := _COMPACT_AGO.fullmatch(text)) is None:
        return None
    unit = next((words.units[match[2]] for words in _languages(language) if match[2] in words.units), None)
    return None if unit is None else _back(now, int(match[1]), unit)


def _named_day(text: str, now: datetime, words: Language) -> Interval | None:
    for word, shift in words.days.items():
        if _has_word(text, word):
            return _with_clock(text, _shifted(now, shift))
    return None


def _weekday(text: str, now: datetime, language: str, ahead: bool) -> Interval | None:
    """ "Monday 5:00 AM": the latest such day, or the nearest one where it may lie ahead."""
    tokens = _TOKENS.findall(text)
    for words in _languages(language):
        number = next((words.weekdays[token] for token in tokens if token in words.weekdays), None)
        if number is not None and len(tokens) <= MAX_WEEKDAY_WORDS:
            back = (now.weekday() - number) % 7
            return _shifted(now, 7 - back if ahead and back > 3 else -back)
    return None


def _has_word(text: str, word: str) -> bool:
    start = text.find(word)
    while start >= 0:
        end = start + len(word)
        if not (start and text[start - 1].isalpha()) and not (end < len(text) and text[end].isalpha()):
            return True
        start = text.find(word, start + 1)
    return False


def _shifted(now: datetime, days: int) -> Interval:
    return Interval.of_moment(now + timedelta(days=days))


def _back(now: datetime, count: int, unit: Unit) -> Interval:
    """The calendar unit in which the moment `count` units before `now` lies."""
    if unit == "year":
        return Interval.of_year(now.year - count)
    if unit == "month":
        months = now.year * 12 + now.month - 1 - count
        return Interval.of_month(months // 12, months % 12 + 1)
    moment = seconds_of(now) - count * _SECONDS[unit]
    if unit == "day":
        return Interval(moment // DAY * DAY, moment // DAY * DAY + DAY, "day")
    if unit == "week":
        # 1970-01-01 was a Thursday; weeks start on Monday.
        monday = (moment // DAY + 3) // 7 * 7 - 3
        return Interval(monday * DAY, (monday + 7) * DAY, "week")
    length = _SECONDS[unit]
    return Interval(moment // length * length, moment // length * length + length, unit)


# -- absolute ---------------------------------------------------------------------------------


def _absolute(text: str, now: datetime | None, language: str, country: str) -> Interval | None:
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
        for match in _YEAR_MONTH_DAY.finditer(lowered):
            if match[2] in month_of:
                return _civil(match[1], month_of[match[2]], match[3], now)
        for match in _DAY_MONTH.finditer(lowered):
            if match[2] in month_of:
                return _civil(match[3], month_of[match[2]], match[1], now)
        for match in _MONTH_DAY.finditer(lowered):
            if match[1] in month_of:
                return _civil(match[3], month_of[match[1]], match[2], now)
        for match in _MONTH_YEAR.finditer(lowered):
            if match[1] in month_of:
                return _civil(match[2], month_of[match[1]], None, now)
    return None


def _civil(year: str | None, month: int | None, day: str | None, now: datetime | None) -> Interval | None:
    """A date of its parts; a day without a year is the latest such day that is not after `now`."""
    if month is None:
        return None if year is None else Interval.of_year(_year(year))
    if year is None:
        if now is None or day is None:
            return None
        last = now.year if (month, int(day)) <= (now.month, now.day) else now.year - 1
        return Interval.of_day(last, month, int(day))
    return Interval.of_month(_year(year), month) if day is None else Interval.of_day(_year(year), month, int(day))


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
    """Two digits are the nearest century's (70 and more: the 1900s); years above 2400 are Buddhist."""
    year = int(digits.lstrip("'"))
    if len(digits.lstrip("'")) == 2:
        return year + (1900 if year >= 70 else 2000)
    return year - 543 if 2400 < year < 2700 else year


def _with_clock(text: str, day: Interval) -> Interval:
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


def _nearest(found: Interval, text: str, now: datetime) -> Interval:
    """The same day of the year that is nearest to `now`, unless the text names the year."""
    if (
        found.start is None
        or found.end is None
        or found.granularity not in ("day", "minute")
        or _FOUR_DIGITS.search(text)
    ):
        return found
    year, month, day = civil_from_days(found.start // DAY)
    try:
        later = Interval.of_day(year + 1, month, day)
    except BadInput:
        return found
    shift = (later.start or 0) - found.start // DAY * DAY
    moment = seconds_of(now)
    if abs(found.start + shift - moment) >= abs(moment - found.start):
        return found
    return Interval(found.start + shift, found.end + shift, found.granularity)


# -- languages --------------------------------------------------------------------------------


def _languages(first: str) -> Iterator[Language]:
    if first in LANGUAGES:
        yield LANGUAGES[first]
    yield from (words for code, words in LANGUAGES.items() if code != first)


@lru_cache(maxsize=64)
def _month_tables(first: str) -> tuple[Mapping[str, int], ...]:
    """The language's own month words, then those of all languages (earlier ones win)."""
    everyone: dict[str, int] = {}
    for words in _languages(first):
        for word, number in words.months.items():
            everyone.setdefault(word, number)
    own = (LANGUAGES[first].months,) if first in LANGUAGES else ()
    return (*own, everyone)
