"""Calendar words in 34 languages: months, weekdays, units, "ago", yesterday.

`data/calendar.json` is written from CLDR by `training/calendars.py`; `data/search_words.json` holds by hand what search
pages write beyond it. A language's own words win over those of others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Literal

from dateline.language.numbers import CARDINALS
from dateline.language.word_lists import json_data

Unit = Literal["second", "minute", "hour", "day", "week", "month", "year"]


@dataclass(frozen=True, slots=True)
class CalendarWords:
    """One language's words of time, in lower case.

    Attributes:
        months: word -> 1..12, full names and usual abbreviations without their full stop.
        weekdays: word -> 0 (Monday) to 6.
        units: word -> unit.
        ago: words or phrases that say that a length of time lies back.
        days: word -> days from today (yesterday -1, tomorrow 1).
        numbers: word -> number.

    Example:
        >>> calendar_words("es").months["septiembre"], calendar_words("fr").days["hier"]
        (9, -1)
    """

    months: Mapping[str, int]
    weekdays: Mapping[str, int]
    units: Mapping[str, Unit]
    ago: tuple[str, ...]
    days: Mapping[str, int]
    numbers: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class UnspacedWords:
    """Time words of Chinese, Japanese, Korean and Thai.

    Attributes:
        units: a unit right behind its number.
        ago: marks right behind the unit that it lies back.
        days: days from today.
    """

    units: Mapping[str, Unit]
    ago: tuple[str, ...]
    days: Mapping[str, int]


WORD = r"(?:[^\W\d_]|[\u0300-\u036f\u0900-\u0903\u093a-\u094f\u0e31\u0e34-\u0e3a\u0e47-\u0e4e])+"
"""Letters and the vowel signs of Devanagari and Thai, which are no letters to `re`."""


@cache
def languages() -> tuple[str, ...]:
    """Return all language codes, in the order of lookup."""
    return tuple(json_data("calendar"))


@cache
def calendar_words(code: str) -> CalendarWords:
    """Return the words of the language with that code, one of `languages()`."""
    words, more = json_data("calendar")[code], json_data("search_words").get(code, {})
    units = {word: unit for unit, forms in words["units"].items() for word in forms}
    numbers = {word: value for word, value in CARDINALS.items() if value} if code == "en" else {}
    return CalendarWords(
        months=MappingProxyType(_numbered(words["months"], 1) | more.get("months", {})),
        weekdays=MappingProxyType(_numbered(words["weekdays"], 0) | more.get("weekdays", {})),
        units=MappingProxyType(
            units | {word: unit for unit, forms in more.get("units", {}).items() for word in forms.split()}
        ),
        ago=(*words["ago"], *more.get("ago", ())),
        days=MappingProxyType(more.get("days", {})),
        numbers=MappingProxyType(numbers | more.get("numbers", {})),
    )


@cache
def unspaced_words() -> UnspacedWords:
    """Return the words of the languages that write without spaces."""
    words = json_data("search_words")["unspaced"]
    return UnspacedWords(words["units"], tuple(words["ago"]), words["days"])


def languages_from(first: str) -> Iterator[CalendarWords]:
    """Yield the language's words, if known, then all others'."""
    if first in languages():
        yield calendar_words(first)
    yield from (calendar_words(code) for code in languages() if code != first)


def _numbered(groups: list[list[str]], first: int) -> dict[str, int]:
    return {word: number for number, forms in enumerate(groups, start=first) for word in forms}


MONTHS: Mapping[str, int] = calendar_words("en").months
"""English full and short names, in small letters; January is 1."""

WEEKDAYS: Mapping[str, int] = calendar_words("en").weekdays
"""English full and short names, in small letters; Monday is 0."""

MONTH_NAMES = tuple(forms[0].title() for forms in json_data("calendar")["en"]["months"])
WEEKDAY_NAMES = tuple(forms[0].title() for forms in json_data("calendar")["en"]["weekdays"])
CALENDAR = frozenset(name.lower() for name in (*MONTH_NAMES, *WEEKDAY_NAMES))
"""English months and weekdays by their full names, in small letters."""

CALENDAR_AND_SHORT = CALENDAR | {name[:3] for name in CALENDAR} | {"sept"}
"""With their short forms."""

NO_VERB = r"(?!(?-i:march|may)\b(?!\s*+,?\s*+\d{4}\b))"
"""Stands between a day and a pattern of months: in small letters and without a year these are verbs ("only 3 may enter")."""
