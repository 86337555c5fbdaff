"""A single time mention, and the grammar match it is read from."""

from __future__ import annotations

import re
from math import ceil
from typing import Literal, NamedTuple

from dateline.errors import BadInput
from dateline.language.calendar import MONTHS
from dateline.language.numbers import ORDINALS
from dateline.language.past import is_past
from dateline.temporal import relative, tense
from dateline.temporal.calendar_words import WEEKDAYS
from dateline.temporal.interval import DAY, Granularity, Interval, civil_from_days, month_start
from dateline.temporal.tokens import Tokens
from dateline.temporal.vocabulary import ENGLISH, Vocabulary

Kind = Literal["date", "time", "range", "duration", "set", "reference"]


class TimeMention(NamedTuple):
    """A single time in a text: tokens `first` to `last` (exclusive).

    `month` and `day` are set for a partial date, whose year is still unknown; it lasts `months`, a season three. `whole` is
    the decade, year or month of which an early, middle or late part is meant; `clock` is a time of day as (from, to) in
    seconds after midnight.
    """

    first: int
    last: int
    kind: Kind
    interval: Interval | None = None
    certainty: float = 1.0
    month: int | None = None
    day: int | None = None
    whole: Interval | None = None
    clock: tuple[int, int] | None = None
    months: int = 1

    def in_year(self, year: int) -> TimeMention:
        """Return the partial date placed in a year.

        A full date stays as it is, and so does a day that the year does not have.
        """
        if self.month is None:
            return self
        if self.interval is not None and civil_from_days(relative.start_of(self.interval) // DAY)[0] == year:
            return self._replace(month=None, day=None)  # a part of the month stays one
        try:
            if self.months > 1:
                interval = season_of(year, self.month)
            elif self.day:
                interval = Interval.of_day(year, self.month, self.day)
            else:
                interval = Interval.of_month(year, self.month)
        except BadInput:
            return self
        return self._replace(interval=interval, month=None, day=None)


SEASON_MONTHS = 3


def season_of(year: int, month: int) -> Interval:
    """Return the season that starts in a month."""
    return Interval(month_start(year, month), month_start(year, month + SEASON_MONTHS), "season")


_SEEN_BEFORE = 12
"""Words between a date and an earlier one that it is read against."""


def digits(word: str) -> str:
    """Return the digits of a word."""
    return "".join(filter(str.isdigit, word))


def number_of(word: str) -> int:
    """Return the number that an ordinal or digits stand for, else 0."""
    return ORDINALS.get(word) or int(digits(word) or 0)


_NAMED_UNIT = re.compile(r"[ijl]?u[ijl]?\Z|[ijl]u(?=')")
"""Token classes of the period whose part is meant, behind the part or before it ("last year's third quarter")."""


class RuleMatch:
    """A grammar rule's match: its tokens, their context and reference times.

    `anchor` is the time of writing; `latest` is the latest date that the text itself has named so far,
    `period` the latest quarter: what a business report is about. `fiscal_year_start` is the month with which fiscal
    years start.
    """

    __slots__ = ("_first", "_last", "_tokens", "anchor", "fiscal_year_start", "latest", "period")

    def __init__(
        self,
        tokens: Tokens,
        first: int,
        last: int,
        *,
        anchor: Interval | None,
        latest: TimeMention | None = None,
        period: Interval | None = None,
        fiscal_year_start: int = 1,
    ) -> None:
        self._tokens, self._first, self._last = tokens, first, last
        self.fiscal_year_start = fiscal_year_start
        self.anchor = anchor
        self.latest = latest
        self.period = period

    @property
    def classes(self) -> str:
        """Token classes of the match."""
        return self._tokens.classes[self._first : self._last]

    @property
    def mentioned(self) -> Interval | None:
        """The interval of the latest date that the text has named."""
        return None if self.latest is None else self.latest.interval

    @property
    def first(self) -> int:
        """The place of the match among the tokens."""
        return self._first

    def original(self, offset: int) -> str:
        """Return the token `offset` after the first, as written."""
        return self._at(self._first + offset)[1]

    def letter(self, offset: int) -> str:
        """Return the class of the token `offset` after the first."""
        return self._at(self._first + offset)[0]

    def ends_in_day(self, point: TimeMention) -> bool:
        """Return whether an earlier time ends in a day number ("April 24")."""
        return self._tokens.classes[point.last - 1] in "12o"

    def all(self, classes: str) -> list[str]:
        """Return the words of those classes, in lower case and in order."""
        letters, word = self._tokens.classes, self._tokens.word
        return [word(i) for i in range(self._first, self._last) if letters[i] in classes]

    def words(self) -> list[str]:
        """Return all words of the match, in lower case."""
        return [self._tokens.word(i) for i in range(self._first, self._last)]

    def capitalised(self) -> bool:
        """Return whether the match starts with a capital."""
        return self._tokens.originals[self._first][:1].isupper()

    def one(self, classes: str) -> str | None:
        """Return the first word of those classes."""
        letters = self._tokens.classes
        for index in range(self._first, self._last):
            if letters[index] in classes:
                return self._tokens.word(index)
        return None

    def before(self, offset: int = 0) -> tuple[str, str]:
        """Return class and original form of the token `offset` before it.

        Empty at the edge.
        """
        return self._at(self._first - 1 - offset)

    def after(self, offset: int = 0) -> tuple[str, str]:
        """Return class and original form of the token `offset` after it.

        Empty at the edge.
        """
        return self._at(self._last + offset)

    def _at(self, index: int) -> tuple[str, str]:
        if 0 <= index < len(self._tokens):
            return self._tokens.classes[index], self._tokens.originals[index]
        return "", ""

    def is_before_other_word(self) -> bool:
        """Return whether a word follows that may be counted: "1850 woningen"."""
        return self._tokens.is_other_word(self._last)

    def touches_before(self) -> bool:
        """Return whether no white space stands before the match."""
        return self._tokens.touch(self._first - 1)

    def touches_after(self) -> bool:
        """Return whether no white space stands after the match."""
        return self._tokens.touch(self._last - 1)

    def tight(self) -> bool:
        """Return whether no white space stands between the tokens of the match."""
        return all(self._tokens.touch(i) for i in range(self._first, self._last - 1))

    def in_name(self) -> bool:
        """Return whether the match is capitalised within a name: "High Noon"."""
        before = self.before()[1]
        return self._tokens.originals[self._first].istitle() and before.isalpha() and before[0].isupper()

    def lower_case(self) -> bool:
        """Return whether the match is written without capitals."""
        return not any(word[:1].isupper() for word in self._tokens.originals[self._first + 1 : self._last])

    @property
    def vocabulary(self) -> Vocabulary:
        """The words of the text's language."""
        return self._tokens.vocabulary

    def word(self, offset: int) -> str:
        """Return the grammar's word for the token `offset` from the first.

        Empty beyond the edge.
        """
        place = self._first + offset
        return self._tokens.word(place) if 0 <= place < len(self._tokens) else ""

    def word_after(self) -> str:
        """Return the grammar's word for the token after it."""
        return self.word(self._last - self._first)

    def speaks_of_future(self) -> bool:
        """Return whether the match looks ahead, by words, tense and genre."""
        words, first, last = self._tokens.spoken, self._first, self._last
        if self.before()[0] == "^":
            return False
        if tense.looks_ahead(words, first, last) or tense.arranges(words, first, last):
            return True
        return self.vocabulary is ENGLISH and tense.asks_ahead(words, first, last)

    def is_moved_to(self) -> bool:
        """Return whether something was moved to it: "slipped to June"."""
        return tense.is_moved_to(self._tokens.spoken, self._first)

    def plans(self) -> bool:
        """Return whether an amount behind "in" lies ahead.

        Else it tells how long something takes.
        """
        words, first, last = self._tokens.spoken, self._first, self._last
        if tense.looks_ahead(words, first, last):
            return not is_past(self.before()[1].lower())
        return not tense.tells_how_long(words, first, last)

    def point(self, kind: Kind, certainty: float = 0.8) -> TimeMention:
        """Return a mention without an interval."""
        return TimeMention(self._first, self._last, kind, None, certainty)

    def make(self, interval: Interval | None, *, certainty: float = 1.0, kind: Kind = "date") -> TimeMention:
        """Return a mention of the whole match, narrowed by "early" or "late"."""
        parts, whole = self.all("P%"), None
        if parts and interval is not None:
            interval, whole = narrowed(interval, *parts), interval
        return TimeMention(self._first, self._last, kind, interval, certainty, whole=whole)

    def at_clock(self, clock: tuple[int, int], *, day: Interval | None, certainty: float = 0.9) -> TimeMention:
        """Return a time of day, on `day` without a date beside it."""
        interval = None if day is None else on_day(day, clock)
        return TimeMention(self._first, self._last, "time", interval, certainty, clock=clock)

    def partial(self, month: int, day: int | None, *, certainty: float) -> TimeMention:
        """Return a date without a year, read against the anchor if possible."""
        point = TimeMention(self._first, self._last, "date", None, certainty, month, day)
        if self.anchor is None or (self._looks_back() and not self.speaks_of_future()):
            return self._continued(point)
        interval = relative.likely_date(
            self.anchor,
            month=month,
            day=day,
            ahead=self.speaks_of_future(),
            back=self.before()[0] == "^",
            weekday=WEEKDAYS.get(self.one("Wa") or ""),
        )
        if self.one("P%") is None:
            return point._replace(interval=interval)
        return point._replace(interval=narrowed(interval, *self.all("P%")), whole=interval)

    def _looks_back(self) -> bool:
        """Return whether the sentence is already about a much earlier year."""
        latest, year = self.latest, self.anchor_year()
        if latest is None or latest.interval is None or latest.interval.end is None or year is None:
            return False
        if self._first - latest.last > _SEEN_BEFORE or "." in self._tokens.classes[latest.last : self._first]:
            return False
        if latest.first and self._tokens.classes[latest.first - 1] == "^":
            return False  # "since Boxing Day 2012" leads up to now
        return latest.interval.end < month_start(year - 1, 1)

    def _continued(self, point: TimeMention) -> TimeMention:
        """Place a partial date after the latest full date of the text."""
        latest = self.mentioned
        if (
            latest is None
            or latest.start is None
            or point.month is None
            or latest.granularity not in ("year", "month", "day")
        ):
            return point
        year, month, day = civil_from_days(latest.start // DAY)
        earlier = latest.granularity != "year" and (point.month or 1, point.day or 31) < (month, day)
        return point.in_year(year + earlier)._replace(month=point.month, day=point.day, certainty=0.6)

    def anchor_year(self) -> int | None:
        """Return the year of the anchor."""
        if self.anchor is None or self.anchor.start is None:
            return None
        return civil_from_days(self.anchor.start // DAY)[0]

    def named_unit(self) -> RuleMatch | None:
        """Return the "next week" whose "first day" is meant."""
        found = _NAMED_UNIT.search(self.classes)
        if found is None:
            return None
        return RuleMatch(self._tokens, self._first + found.start(), self._first + found.end(), anchor=self.anchor)

    def ends_something(self) -> bool:
        """Return whether it is "the last year" of something."""
        told = "T" in self.classes or self.before()[0] == "T"
        last = self.one("l") in ("last", "penultimate") and self.classes[-1] != "l"
        return told and last and self.after()[0] == "F"

    def shift(self) -> int:
        """Return -1 for "last", 1 for "next", 0 for "this"."""
        word = self.one("lj")
        return 0 if word is None else _SHIFTS.get(word) or (-1 if self.one("l") else 1)


def month_of(read: RuleMatch) -> int:
    """Return the number of the month that a match names."""
    return MONTHS[read.one("MmzJ") or ""]


_SHIFTS = {"penultimate": -2, "overnext": 2}
"""Steps of other words than "last" and "next"."""

_PARTS: dict[str, tuple[float, float]] = {
    "early": (0, 1 / 3),
    "beginning": (0, 1 / 4),
    "start": (0, 1 / 4),
    "mid": (1 / 3, 2 / 3),
    "middle": (1 / 3, 2 / 3),
    "late": (2 / 3, 1),
    "end": (3 / 4, 1),
}
"""Which share of a whole these words mean, from and to; rounded outwards to whole years, months or days."""


def narrowed(whole: Interval, *parts: str) -> Interval:
    """Return the early, middle or late part of an interval.

    Two parts are read from one to the other.

    Decades and centuries are divided in years, a year in months, anything else in days. The granularity is that of a
    vague date, not "span": nobody says that the part was filled from end to end.
    """
    if whole.start is None or whole.end is None or whole.end - whole.start <= DAY:
        return whole
    low, high = _PARTS[parts[0]][0], _PARTS[parts[-1]][1]
    if low >= high:
        return whole
    if whole.granularity in ("century", "decade", "year"):
        year = civil_from_days(whole.start // DAY)[0]
        months = (civil_from_days(whole.end // DAY)[0] - year) * 12
        size = 1 if whole.granularity == "year" else 12
        steps = months // size
        first, last = int(steps * low), ceil(steps * high)
        vague: Granularity = "season" if whole.granularity == "year" else "decade"
        return Interval(month_start(year, 1 + first * size), month_start(year, 1 + last * size), vague)
    days = (whole.end - whole.start) // DAY
    start, end = whole.start + int(days * low) * DAY, whole.start + ceil(days * high) * DAY
    return Interval(start, end, "week") if start < end else whole


def bound(time: Interval, *, whole: Interval | None) -> Interval:
    """Return what bounds a stretch told from or to a time.

    Of the start or the end of a period (`whole`) that is its first or its last day.
    """
    if whole is None or whole.start is None or whole.end is None or time == whole:
        return time
    if time == narrowed(whole, "start"):
        return Interval(whole.start, whole.start + DAY, "day")
    return Interval(whole.end - DAY, whole.end, "day") if time == narrowed(whole, "end") else time


def on_day(day: Interval, clock: tuple[int, int]) -> Interval:
    """Return a time of day on a given day."""
    start = relative.start_of(day) // DAY * DAY
    length = clock[1] - clock[0]
    return Interval(
        start + clock[0], start + clock[1], "minute" if length <= 60 else "hour" if length <= 3600 else "span"
    )
