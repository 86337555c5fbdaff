"""Relative dates: "3 days ago", "hace un mes", "Monday 5:00 AM"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import cache

from dateline.evidence.written_dates import with_clock
from dateline.language.calendar import WORD, CalendarWords, Unit, languages_from, unspaced_words
from dateline.temporal.interval import Interval, seconds_of
from dateline.temporal.relative import shifted

MAX_WEEKDAY_WORDS = 6
"""A weekday in a longer text belongs to a sentence, not to a date."""

_TOKENS = re.compile(rf"\d+|{WORD}['’]?")

_LAST = re.compile(r"\b(last|past|previous|this) (week|month|year)\b")

_COMPACT_AGO = re.compile(rf"\s*(\d{{1,3}})\s?({WORD})\.?\s*")


def relative_date(text: str, now: datetime, language: str) -> Interval | None:
    """Read a lower-case relative date counted from `now`, or `None`."""
    if not _maybe_relative().search(text):
        return None
    if (match := _unspaced_ago().search(text)) is not None:
        return _back(now, int(match[1]), unspaced_words().units[match[2]])
    if (match := _LAST.search(text)) is not None:
        unit: Unit = "week" if match[2] == "week" else "month" if match[2] == "month" else "year"
        return _back(now, int(match[1] != "this"), unit)
    for words in languages_from(language):
        if (found := _ago(text, now, words)) is not None or (found := _named_day(text, now, words)) is not None:
            return found
    if (shift := next((shift for word, shift in unspaced_words().days.items() if word in text), None)) is not None:
        return _shifted(now, shift)
    return _compact_ago(text, now, language)


def is_length(text: str) -> bool:
    """Return whether a text is only a duration: "3d", "8 hr"."""
    return _COMPACT_AGO.fullmatch(text) is not None


@cache
def _unspaced_ago() -> re.Pattern[str]:
    """A number, a unit and "ago" without spaces: "3 天前"."""
    words = unspaced_words()
    return re.compile(rf"(\d{{1,4}})\s*({_any_of(words.units)})\s*(?:{_any_of(words.ago)})")


@cache
def _maybe_relative() -> re.Pattern[str]:
    """Find a word without which no text is relative."""
    spaced = {word for words in languages_from("") for word in (*words.ago, *words.days)}
    unspaced = {*unspaced_words().days, *unspaced_words().ago}
    return re.compile(rf"{_any_of(spaced | unspaced)}|{_LAST.pattern}|^{_COMPACT_AGO.pattern}$")


def _any_of(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))


def _ago(text: str, now: datetime, words: CalendarWords) -> Interval | None:
    """Read number and unit before "ago"; a unit alone counts one."""
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
    """Read a string that is only a length: "3d", "2 weeks"."""
    if (match := _COMPACT_AGO.fullmatch(text)) is None:
        return None
    unit = next((words.units[match[2]] for words in languages_from(language) if match[2] in words.units), None)
    return None if unit is None else _back(now, int(match[1]), unit)


def _named_day(text: str, now: datetime, words: CalendarWords) -> Interval | None:
    for word, shift in words.days.items():
        if _has_word(text, word):
            return with_clock(text, _shifted(now, shift))
    return None


def weekday(text: str, now: datetime, language: str, ahead: bool) -> Interval | None:
    """Resolve "Monday 5:00 AM" to the latest or nearest such day."""
    tokens = _TOKENS.findall(text)
    for words in languages_from(language):
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
    return shifted(Interval.of_second(seconds_of(now)), unit, -count)
