"""Single times: a grammar over token classes finds them, one small function a rule reads them.

A `Point` may be complete ("6 May 2021"), partial ("6 May", "May", "Friday": read against an anchor or against
the other end of a range), or a mere reference ("now").
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from asof.errors import BadInput
from asof.temporal import relative
from asof.temporal.calendar_words import DAY_PARTS, DECADES, MONTHS, NUMBERS, ORDINALS, SEASONS, UNITS, WEEKDAYS
from asof.temporal.interval import DAY, Interval, civil_from_days, days_from_civil, month_start
from asof.temporal.tokens import Tokens

Kind = Literal["date", "time", "range", "duration", "set", "reference"]


@dataclass(frozen=True, slots=True)
class Point:
    """One time in a text: tokens `first` to `last` (exclusive) and what they say.

    `month` and `day` are set for a partial date, whose year is still unknown; `whole` is the decade, year
    or month of which an early, middle or late part is meant.
    """

    first: int
    last: int
    kind: Kind
    interval: Interval | None = None
    certainty: float = 1.0
    month: int | None = None
    day: int | None = None
    whole: Interval | None = None

    def in_year(self, year: int) -> Point:
        """The partial date placed in a year; itself when it is not partial or the day does not exist."""
        if self.month is None:
            return self
        try:
            interval = Interval.of_day(year, self.month, self.day) if self.day else Interval.of_month(year, self.month)
        except BadInput:
            return self
        return replace(self, interval=interval, month=None, day=None)


_MON = r"(?:[Mmz]|J\.?)"
_DAY = r"(?:[12]|o)"
_PART = r"(?:T?P(?:-|\+)?F?T?)?"
_YEAR = r"(?:4|9)"
_WEEKDAY = r"(?:(?:W|a\.?),?)?"

# The longest reading of a start stands first.
_RULES: tuple[tuple[str, str], ...] = (
    ("iso", r"I|L|N"),
    ("day_range", rf"(?:B{_DAY}&|<?{_DAY}[->]){_DAY}F?{_MON}(?:,?{_YEAR})?"),
    ("range_day", rf"{_MON}{_DAY}[-]{_DAY}(?:,?{_YEAR})?"),
    ("calendar_day", rf"{_WEEKDAY}T?(?:{_DAY}|O)F?{_MON},?F?{_YEAR}|{_WEEKDAY}{_MON}T?(?:{_DAY}|O),?{_YEAR}"),
    ("day_of_year", rf"{_WEEKDAY}T?(?:{_DAY}|OF)F?{_MON}|{_WEEKDAY}{_MON}T?(?:{_DAY}|O)(?![-]?4)"),
    ("month_of_year", rf"{_PART}{_MON},?F?{_YEAR}"),
    ("month_relative", rf"{_PART}{_MON}F?[ijl]u"),
    ("quarter", r"T?(?:O|o|n|1|l|i|j)-?QF?(?:T?G?4|[lij]?u)?|q,?F?4?|4q"),
    ("half", r"T?(?:O|o|l)-?HF?T?(?:4|s|k|u)|h4|4h"),
    ("season", rf"{_PART}T?SF?(?:4-[123]|4|Y)|{_PART}[ijl]S"),
    ("years", r"4[-/][123](?![-/12345])|Y"),
    ("fiscal", r"f(?:u)?(?:4|9)|G"),
    ("decade", rf"{_PART}T?(?:s|k)"),
    ("century", rf"{_PART}T?(?:o|O|n-O)-?KE?"),
    ("era", r"E[12345]|[12345]E"),
    ("ago", r"(?:A|[123456]|n(?:-?n)*|v|Av?F?)-?[uQ]g"),
    ("shifted", rf"{_PART}T?[ijl](?:n|[123]|v)?[uQ](?!g)|{_PART}T?b[uQ]"),
    ("weekday", r"[ijl]?[Wa]p?"),
    ("month_shifted", rf"{_PART}[ijl]{_MON}"),
    ("day_word", r"yp?"),
    ("day_part", r"[ilT]p"),
    ("year", rf"{_PART}(?:Tu)?4"),
    ("short_year", r"9"),
    ("clock", r"t~?|[12]~"),
    ("month", rf"{_PART}[Mm]"),
    ("set", r"e[OA]?[Wu]|D|w"),
    ("duration", r"(?:n(?:-?n)*|[123456]|v|Av?F?)-?[uQK]"),
    ("now", r"Z"),
)
# Nothing starts with the other classes; asked first, so that ordinary words cost one look each.
_START = r"(?=[1-69abehijklmnoqstvyzBDGHIJLMNOPSWYZEf<]|T[^x]|A[uvQKF])"
_GRAMMAR = re.compile(_START + "(?:" + "|".join(f"(?P<{name}>{pattern})" for name, pattern in _RULES) + ")")


class Reading:
    """The tokens of one rule's match, by class, and their neighbours."""

    __slots__ = ("_first", "_last", "_tokens", "anchor")

    def __init__(self, tokens: Tokens, first: int, last: int, anchor: Interval | None) -> None:
        self._tokens, self._first, self._last = tokens, first, last
        self.anchor = anchor

    @property
    def classes(self) -> str:
        """The classes of the match."""
        return self._tokens.classes[self._first : self._last]

    def all(self, classes: str) -> list[str]:
        """The words of those classes, in lower case and in order."""
        letters, word = self._tokens.classes, self._tokens.word
        return [word(i) for i in range(self._first, self._last) if letters[i] in classes]

    def one(self, classes: str) -> str | None:
        """The first word of those classes."""
        letters = self._tokens.classes
        for index in range(self._first, self._last):
            if letters[index] in classes:
                return self._tokens.word(index)
        return None

    def before(self, offset: int = 0) -> tuple[str, str]:
        """Class and original form of the token `offset` places before the match; empty at the edge."""
        return self._at(self._first - 1 - offset)

    def after(self, offset: int = 0) -> tuple[str, str]:
        """Class and original form of the token `offset` places after the match; empty at the edge."""
        return self._at(self._last + offset)

    def _at(self, index: int) -> tuple[str, str]:
        if 0 <= index < len(self._tokens):
            return self._tokens.classes[index], self._tokens.originals[index]
        return "", ""

    def touches_before(self) -> bool:
        """Whether no white space stands before the match."""
        return self._tokens.touch(self._first - 1)

    def touches_after(self) -> bool:
        """Whether no white space stands after the match."""
        return self._tokens.touch(self._last - 1)

    def tight(self) -> bool:
        """Whether no white space stands between the tokens of the match."""
        return all(self._tokens.touch(i) for i in range(self._first, self._last - 1))

    def point(self, kind: Kind, certainty: float = 0.8) -> Point:
        """A point without an interval."""
        return Point(self._first, self._last, kind, None, certainty)

    def make(self, interval: Interval | None, *, certainty: float = 1.0, kind: Kind = "date") -> Point:
        """A point over the whole match, narrowed by an early, mid or late before it."""
        part, whole = self.one("P"), None
        if part is not None and interval is not None:
            interval, whole = narrowed(interval, part), interval
        return Point(self._first, self._last, kind, interval, certainty, whole=whole)

    def partial(self, month: int, day: int | None, *, certainty: float) -> Point:
        """A date without its year, read against the anchor when there is one."""
        point = Point(self._first, self._last, "date", None, certainty, month, day)
        if self.anchor is None:
            return point
        interval = relative.nearest_date(self.anchor, month=month, day=day)
        return replace(point, interval=interval)


def narrowed(interval: Interval, part: str) -> Interval:
    """The early, mid or late third of an interval, on day boundaries where it is long enough."""
    if interval.start is None or interval.end is None:
        return interval
    length = interval.end - interval.start
    first, second = length * 2 // 5, length * 3 // 5
    low, high = {
        "early": (0, first),
        "beginning": (0, length // 4),
        "start": (0, length // 4),
        "mid": (length // 3, length - length // 3),
        "middle": (length // 3, length - length // 3),
        "late": (second, length),
        "end": (length - length // 4, length),
    }[part]
    start = interval.start + low // DAY * DAY
    end = interval.start + -(-high // DAY) * DAY
    return Interval(start, min(end, interval.end), "span")


def full_year(word: str, *, near: int = 1950) -> int:
    """A year from four digits, or from two with an apostrophe: the century nearest to `near` + 0..99."""
    digits = word.strip("'’‘`")
    if len(digits) > 2:
        return int(digits)
    return near + (int(digits) - near) % 100


def _iso(read: Reading) -> Point | None:
    word = read.one("ILN") or ""
    if word.isdigit():
        return read.make(Interval.of_day(int(word[:4]), int(word[4:6]), int(word[6:])), certainty=0.9)
    parts = [int(part) for part in re.findall(r"\d+", word)]
    if len(parts) > 3:
        start = days_from_civil(*parts[:3]) * DAY + parts[3] * 3600 + parts[4] * 60
        Interval.of_day(*parts[:3])
        return read.make(Interval(start, start + 60, "minute"), kind="time")
    if word[:4].isdigit():
        return read.make(Interval.of_day(parts[0], parts[1], parts[2]))
    first, second, year = parts
    year = full_year(f"{year:02d}") if year < 100 else year
    # 25/12/2020 can only be day first, 12/25/2020 only month first; else the separator tells the custom.
    day_first = first > 12 or (second <= 12 and "." in word)
    day, month = (first, second) if day_first else (second, first)
    return read.make(Interval.of_day(year, month, day), certainty=0.9 if first > 12 or second > 12 else 0.7)


def _month_number(read: Reading) -> int:
    return MONTHS[read.one("MmzJ") or ""]


def _day_numbers(read: Reading) -> list[int]:
    return [ORDINALS.get(word) or int(re.sub(r"\D", "", word)) for word in read.all("12oO")]


def _year_number(read: Reading) -> int:
    return full_year(read.one("49") or "")


def _calendar_day(read: Reading) -> Point | None:
    return read.make(Interval.of_day(_year_number(read), _month_number(read), _day_numbers(read)[0]))


def _day_of_year(read: Reading) -> Point | None:
    day = _day_numbers(read)[0]
    month = _month_number(read)
    if not 1 <= day <= 31 or read.after()[0] == "~" or (read.after()[0] == ":" and read.touches_after()):
        return None
    Interval.of_day(2000, month, day)
    return read.partial(month, day, certainty=0.8)


def _day_range(read: Reading) -> Point | None:
    month, days = _month_number(read), _day_numbers(read)
    word = read.one("49")
    if len(days) < 2 or days[0] >= days[1]:
        return None
    if word is None:
        if read.anchor is None:
            return read.point("range")
        first = relative.nearest_date(read.anchor, month=month, day=days[0])
        last = relative.nearest_date(read.anchor, month=month, day=days[1])
    else:
        first, last = (Interval.of_day(full_year(word), month, day) for day in days[:2])
    return read.make(Interval(first.start, last.end), kind="range")


def _month_of_year(read: Reading) -> Point | None:
    return read.make(Interval.of_month(_year_number(read), _month_number(read)))


def _anchor_year(read: Reading) -> int | None:
    if read.anchor is None or read.anchor.start is None:
        return None
    return civil_from_days(read.anchor.start // DAY)[0]


def _shift(read: Reading) -> int:
    return -1 if read.one("l") else 1 if read.one("j") else 0


def _month_relative(read: Reading) -> Point | None:
    year = _anchor_year(read)
    if read.one("u") not in ("year", "month"):
        return None
    return read.make(None if year is None else Interval.of_month(year + _shift(read), _month_number(read)))


def _quarter_interval(year: int, number: int) -> Interval:
    month = 3 * number - 2
    return Interval(month_start(year, month), month_start(year, month + 3), "quarter")


def _quarter(read: Reading) -> Point | None:
    short, word = read.one("q"), read.one("Oon1")
    year_word = read.one("4")
    year = int(year_word) if year_word else _anchor_year(read)
    if short is None and word is None:
        if read.one("u4"):
            return None
        anchor = read.anchor
        return read.make(None if anchor is None else relative.shifted(anchor, "quarter", _shift(read)))
    number = int(short.strip("q")) if short else ORDINALS.get(word or "") or int(re.sub(r"\D", "", word or "0") or 0)
    if not 1 <= number <= 4 or (short is None and word in NUMBERS):
        return None
    if year is not None and year_word is None and read.one("u"):
        year += _shift(read)
    return read.make(None if year is None else _quarter_interval(year, number))


def _half(read: Reading) -> Point | None:
    short, word = read.one("h"), read.one("Oo")
    second = short == "h2" or word in ("second", "2nd") or (short is None and word is None)
    whole = _whole(read)
    if whole is None or whole.start is None or whole.end is None:
        return None
    if whole.granularity == "year":
        year = civil_from_days(whole.start // DAY)[0]
        month = 7 if second else 1
        return read.make(Interval(month_start(year, month), month_start(year, month + 6), "half"))
    middle = whole.start + (whole.end - whole.start) // (2 * DAY) * DAY
    return read.make(Interval(middle, whole.end) if second else Interval(whole.start, middle))


def _whole(read: Reading) -> Interval | None:
    year, decade = read.one("4"), read.one("sk")
    if year:
        return Interval.of_year(int(year))
    if decade:
        return decade_interval(decade)
    return None


def decade_interval(word: str) -> Interval:
    """The ten years of "1990s", "90s" or "nineties"; of "1900s" the ten years from 1900."""
    digits = re.sub(r"\D", "", word)
    first = int(digits) if len(digits) == 4 else 1900 + (int(digits) if digits else DECADES[word])
    return Interval.of_years(first, first + 9, "decade")


def _decade(read: Reading) -> Point | None:
    word = read.one("sk") or ""
    if (
        len(re.sub(r"\D", "", word)) == 2
        and read.before()[0] in "x"
        and read.before()[1].lower() in ("his", "her", "their")
    ):
        return None
    if word in DECADES and read.one("T") is None and read.one("P") is None:
        return None
    return read.make(decade_interval(word), certainty=0.95)


def _season(read: Reading) -> Point | None:
    month = SEASONS[read.one("S") or ""]
    word = read.one("4Y")
    year = int(word[:4]) if word else _anchor_year(read)
    if word is None and year is not None:
        year += _shift(read)
    if year is None:
        return read.make(None, certainty=0.6)
    if month == 12 and not read.all("Y") and "-" not in read.classes:
        # A winter named by one year is mostly the one that starts before it ends: keep both.
        return read.make(Interval(month_start(year, 12), month_start(year + 1, 3), "season"), certainty=0.8)
    return read.make(Interval(month_start(year, month), month_start(year, month + 3), "season"), certainty=0.9)


def _years(read: Reading) -> Point | None:
    joined = read.one("Y")
    if joined:
        first_word, second_word = joined.split("/")
    else:
        first_word, second_word = read.all("4")[0], read.all("123")[0]
        if not read.tight():
            return None
    first = int(first_word)
    short = len(second_word) < 4
    second = first // 100 * 100 + int(second_word) if short else int(second_word)
    if short and len(second_word) < 2:
        return None
    if short and first % 100 == 99 and int(second_word) == 0:
        second = first + 1
    if second <= first:
        if short and read.one("-") == "-" and 1 <= int(second_word) <= 12:
            return read.make(Interval.of_month(first, int(second_word)), certainty=0.9)
        return None
    return read.make(Interval.of_years(first, second), kind="range", certainty=0.95)


def _fiscal(read: Reading) -> Point | None:
    word = re.sub(r"[^\d'’‘`]", "", read.one("49G") or "")
    year = full_year(word) if len(word) > 2 else full_year("'" + word)
    return read.make(Interval.of_year(year), certainty=0.8)


def _century(read: Reading) -> Point | None:
    words = read.all("oOn")
    number = sum(NUMBERS.get(word) or ORDINALS.get(word) or int(re.sub(r"\D", "", word)) for word in words)
    era = (read.one("E") or "").replace(".", "")
    if not 1 <= number <= 30:
        return None
    first = -100 * number + 1 if era.startswith("b") else 100 * number - 99
    # As people speak: the 19th century is 1800 to 1899, whatever the calendar says.
    first -= 0 if era.startswith("b") or number == 1 else 1
    return read.make(Interval.of_years(first, first + 99, "century"))


def _era(read: Reading) -> Point | None:
    number, era = int(read.one("12345") or 0), (read.one("E") or "").replace(".", "")
    if number == 0:
        return None
    if era.startswith("b"):
        return read.make(Interval.of_year(1 - number)) if read.classes[0] != "E" else None
    return read.make(Interval.of_year(number))


def _amount(read: Reading) -> int | None:
    words = read.all("n123456")
    if words:
        total = 0
        for word in words:
            value = NUMBERS.get(word)
            if value is None:
                value = int(word.replace(",", "")) if word.replace(",", "").isdigit() else 0
            total = total * value if value == 100 and total else total + value
        return total if 0 < total < 20_000 else None
    vague = read.one("v")
    if vague:
        return {"couple": 2, "few": 3, "several": 3, "dozen": 12}.get(vague)
    return 1 if read.one("A") else None


def _ago(read: Reading) -> Point | None:
    unit, amount = UNITS[read.one("uQ") or ""], _amount(read)
    if read.anchor is None or amount is None:
        return read.make(None, certainty=0.7)
    return read.make(relative.shifted(read.anchor, unit, -amount), certainty=0.9 if not read.one("v") else 0.6)


def _shifted(read: Reading) -> Point | None:
    unit = UNITS[read.one("uQ") or ""]
    if unit in ("minute", "hour"):
        return None
    amount = _amount(read) if read.one("n123v") else None
    if read.one("n123v") or (read.one("uQ") or "").endswith("s"):
        if read.anchor is None or amount is None:
            return read.point("duration", 0.7)
        step = -1 if read.one("l") else 1
        return read.make(relative.stretch(read.anchor, unit, step * amount), kind="duration", certainty=0.7)
    if read.anchor is None:
        return read.make(None, certainty=0.7)
    return read.make(relative.shifted(read.anchor, unit, _shift(read)), certainty=0.9)


def _weekday(read: Reading) -> Point | None:
    number = WEEKDAYS[read.one("Wa") or ""]
    if read.one("a") and not (read.one("lij") or read.after()[0] == "."):
        return None
    if read.anchor is None:
        return read.make(None, certainty=0.7)
    direction: Literal["past", "next", "nearest"] = "past" if read.one("l") else "next" if read.one("j") else "nearest"
    return read.make(relative.weekday(read.anchor, number, direction), certainty=0.8)


def _month_shifted(read: Reading) -> Point | None:
    if read.anchor is None:
        return read.make(None, certainty=0.7)
    month = _month_number(read)
    return read.make(relative.month(read.anchor, month, _shift(read)), certainty=0.8)


def _day_word(read: Reading) -> Point | None:
    if read.anchor is None:
        return read.make(None, certainty=0.7, kind="reference")
    step = {"yesterday": -1, "tomorrow": 1}.get(read.one("y") or "", 0)
    day = relative.shifted(read.anchor, "day", step)
    part = read.one("p") or ("night" if read.one("y") == "tonight" else None)
    if part is None:
        return read.make(day, certainty=0.9)
    return read.make(_part_of_day(day, part), kind="time", certainty=0.9)


def _part_of_day(day: Interval, part: str) -> Interval:
    low, high = DAY_PARTS[part]
    start = day.start or 0
    return Interval(start + low * 3600, start + high * 3600, "hour")


def _day_part(read: Reading) -> Point | None:
    part = read.one("p") or ""
    if read.one("T") or read.anchor is None:
        return None if read.one("T") else read.make(None, kind="time", certainty=0.7)
    day = relative.shifted(read.anchor, "day", -1 if read.one("l") and part == "night" else 0)
    return read.make(_part_of_day(day, part), kind="time", certainty=0.9)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_COUNTED = _words(
    "people seats members men women children soldiers troops students inhabitants residents votes voters copies units "
    "species points goals runs pounds dollars euros feet miles metres meters kilometres kilometers km kg acres hectares tons "
    "tonnes homes houses houses jobs workers employees players fans spectators books pages words songs items watts volts rpm "
    "m ft lb mph cc hp times shares yards casualties prisoners killed wounded more other additional different such "
    "percent per square cubic metric horsepower light nautical mm cm tracks stores shops cars aircraft ships guns horses "
    "families households passengers patients cases deaths rooms beds barrels bottles francs marks rupees yen"
)
"""What is counted, not dated."""
_NUMBERED = _words(
    "section page pages pp no number nos vol volume chapter article room route highway model version flight bus windows "
    "office line class type unit building room level channel figure table grade lot item id code ext phone tel fax zip "
    "about nearly almost over than least approximately roughly some exactly only another total per"
)
"""Words before a number that is not a year; "about" and its like count too when no other word speaks for a year."""
_EVENTS = _words("elections olympics games championships finals series awards playoffs")


def _year(read: Reading) -> Point | None:
    number = int(read.one("4") or "")
    if read.one("P") or read.one("u"):
        return read.make(Interval.of_year(number))
    before_class, before = read.before()
    after_class, after = read.after()
    lower_before, lower_after = before.lower(), after.lower()
    touching = read.touches_before()
    if (
        touching
        and (before_class in "x/:" or (before_class == "." and read.before(1)[0] in "123456"))
        and before not in '(["“‘*;~|_'
    ):
        return None
    if touching and before == "-" and read.before(1)[0] == "x" and read.before(1)[1].lower() not in ("pre", "post"):
        return None
    if lower_after in _COUNTED or after in ("%", "$", "€", "£", "°") or (after_class in "uQ" and after_class != ""):
        return None
    if (
        read.touches_after()
        and after == "-"
        and read.after(1)[1].lower() in ("seat", "strong", "year", "mile", "foot", "meter", "metre")
    ):
        return None
    if before in ("$", "€", "£", "#", "№", "¥", "+") or lower_before in (
        "section",
        "page",
        "chapter",
        "no",
        "number",
        "room",
        "route",
        "flight",
        "model",
        "version",
    ):
        return None
    if before == "." and read.before(1)[1].lower() in ("no", "vol", "pp", "p"):
        return None
    spoken_for = (
        before_class in "+^<>]BC"
        and before_class != ""
        and lower_before not in ("about", "for", "at", "within", "over", "to")
    )
    round_number = number % 100 == 0
    if not spoken_for and lower_before in _NUMBERED:
        return None
    if spoken_for:
        certainty = 0.95 if 1500 <= number < 2100 else 0.85
    elif before_class in "MmJFT&,-(&" or before_class == "":
        certainty = 0.8 if 1600 <= number < 2100 else 0.6
    else:
        certainty = 0.7 if 1700 <= number < 2100 and not round_number else 0.4
    plural = lower_after.endswith("s") and after.islower() and len(after) > 3 and lower_after not in _EVENTS
    if plural and not spoken_for and before_class != "T":
        certainty -= 0.4
    if round_number and not spoken_for and before_class not in "(-":
        certainty -= 0.2
    return read.make(Interval.of_year(number), certainty=certainty) if certainty >= 0.5 else None


def _short_year(read: Reading) -> Point | None:
    if read.before()[0] not in tuple("+^<>]BCFMmJ-&TS"):
        return None
    return read.make(Interval.of_year(full_year(read.one("9") or "")), certainty=0.8)


def _clock(read: Reading) -> Point | None:
    return read.make(None, kind="time", certainty=0.8)


def _month(read: Reading) -> Point | None:
    before_class, before = read.before()
    if read.one("m") and not read.one("P"):
        if before_class not in tuple("+^<>]BPije") or before.lower() in (
            "for",
            "at",
            "by",
            "to",
            "about",
            "over",
            "into",
            "before",
            "after",
        ):
            return None
        if read.after()[0] == "x" and read.after()[1][:1].isupper():
            return None
    return read.partial(_month_number(read), None, certainty=0.7)


def _set(read: Reading) -> Point | None:
    return read.make(None, kind="set", certainty=0.8)


def _duration(read: Reading) -> Point | None:
    return read.make(None, kind="duration", certainty=0.8)


def _now(read: Reading) -> Point | None:
    return read.make(None, kind="reference", certainty=0.8)


_READERS: dict[str, Callable[[Reading], Point | None]] = {
    "iso": _iso,
    "day_range": _day_range,
    "range_day": _day_range,
    "calendar_day": _calendar_day,
    "day_of_year": _day_of_year,
    "month_of_year": _month_of_year,
    "month_relative": _month_relative,
    "quarter": _quarter,
    "half": _half,
    "season": _season,
    "years": _years,
    "fiscal": _fiscal,
    "decade": _decade,
    "century": _century,
    "era": _era,
    "ago": _ago,
    "shifted": _shifted,
    "weekday": _weekday,
    "month_shifted": _month_shifted,
    "day_word": _day_word,
    "day_part": _day_part,
    "year": _year,
    "short_year": _short_year,
    "clock": _clock,
    "month": _month,
    "set": _set,
    "duration": _duration,
    "now": _now,
}


def find_points(tokens: Tokens, *, anchor: Interval | None) -> list[Point]:
    """The single times of a text, in order, not overlapping."""
    points: list[Point] = []
    classes, position = tokens.classes, 0
    while (match := _GRAMMAR.search(classes, position)) is not None:
        first, last = match.span()
        try:
            point = _READERS[match.lastgroup or ""](Reading(tokens, first, last, anchor))
        except BadInput:
            point = None  # a day or month that the calendar does not have
        if point is None:
            position = first + 1
        else:
            points.append(point)
            position = last
    return points
