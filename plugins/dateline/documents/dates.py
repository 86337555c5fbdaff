"""Dates in fields, in every form that people and programs store."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from dateline.documents.plain_values import plain_date
from dateline.errors import BadInput
from dateline.evidence.dates import MAX_LENGTH, read_date
from dateline.temporal.expressions import find_expressions
from dateline.temporal.interval import Interval
from dateline.temporal.year_words import full_year

_RANGE = re.compile(r"(\d{4}(?:-\d{2}(?:-\d{2})?)?)/(\.\.|\d{4}-\d{2}-\d{2})")
"""A stretch of time as `Interval.isoformat` writes it: since 2019, or from one day to before another."""

_TWO_NUMBERS = re.compile(r"(?<![\d/-])(\d{1,2})([/-])(\d{1,2})\2(\d{4}|\d\d)(?![\d/-])")
"""A day and a month as numbers, in an order that only the writer knows."""

_INSIDE = ("iso", "value", "date", "$date", "$numberLong", "datetime", "start", "raw", "text")
"""Where a date stands that is a mapping itself, or in one that is: MongoDB's {"$date": {"$numberLong": "1551657600000"}}."""


def date_of(value: Any, *, day_first: bool | None = None) -> Interval | None:
    """Read the time in a value, also "Q3 2019", or `None`.

    Args:
        day_first: reads 03/04/2019 as 3 April (True) or March 4 (False); `None`: only the year is certain.
    """
    if isinstance(value, Interval):
        return value
    value = plain_date(value)
    if isinstance(value, Mapping):
        return _of_mapping(value, day_first)
    return _of_text(value[:MAX_LENGTH], day_first) if isinstance(value, str) else read_date(value, now=None)


def two_ways(value: Any) -> str:
    """Return the part of a value whose day and month are ambiguous."""
    match = _numbers(value)
    return "" if match is None or _order(match) is not None or int(match[1]) == int(match[3]) else match[0]


def remark(value: Any, *, day_first: bool | None) -> str:
    """Say which of two readings was taken, or nothing."""
    if not (shown := two_ways(value)):
        return ""
    if day_first is None:
        return f", only the year: {shown} may have the day or the month first"
    return f", {'day' if day_first else 'month'} first"


def order_shown(values: Iterable[Any]) -> bool | None:
    """Find a corpus's order of day and month from unambiguous dates.

    Returns:
        Whether the day is first; `None` where no date shows it, or where two show different orders.
    """
    shown = {_order(match) for value in values if (match := _numbers(value)) is not None} - {None}
    return shown.pop() if len(shown) == 1 else None


def _numbers(value: Any) -> re.Match[str] | None:
    # Google News writes month/day/year and its own "UTC" wherever it is asked from.
    if not isinstance(value, str) or value.endswith("UTC"):
        return None
    return _TWO_NUMBERS.search(value[:MAX_LENGTH])


def _order(match: re.Match[str]) -> bool | None:
    first, second = int(match[1]), int(match[3])
    if first > 12 >= second:
        return True
    return False if second > 12 >= first else None


def _of_mapping(value: Mapping[str, Any], day_first: bool | None) -> Interval | None:
    try:
        return Interval.from_json(value)
    except BadInput:
        found = (date_of(each, day_first=day_first) for each in _inside(value, depth=2))
        return next((each for each in found if each is not None), None)


def _inside(value: Mapping[str, Any], *, depth: int) -> Iterator[Any]:
    for inner in (value[name] for name in _INSIDE if name in value):
        if not isinstance(inner, Mapping):
            yield inner
        elif depth > 1:
            yield from _inside(inner, depth=depth - 1)


# The same documents come back from a store again and again.
@lru_cache(maxsize=1 << 14)
def _of_text(value: str, day_first: bool | None) -> Interval | None:
    if (stretch := _RANGE.fullmatch(value.strip())) is not None:
        return _of_range(stretch[1], stretch[2])
    if (read := read_date(_plain(value, day_first), now=None)) is not None:
        return read
    stated = (found.interval for found in find_expressions(value) if found.kind in ("date", "time", "range"))
    return next((interval for interval in stated if interval is not None), None)


def _plain(text: str, day_first: bool | None) -> str:
    """Normalise ordered or ambiguous days and months."""
    if not two_ways(text) or (match := _TWO_NUMBERS.search(text)) is None:
        return text
    year = f"{full_year(match[4]):04}"
    if day_first is None:
        return year
    day, month = (match[1], match[3]) if day_first else (match[3], match[1])
    return f"{text[: match.start()]}{year}-{int(month):02}-{int(day):02}{text[match.end() :]}"


def _of_range(first: str, second: str) -> Interval | None:
    try:
        start, end = Interval.parse(first), None if second == ".." else Interval.parse(second).start
        return Interval(start.start, end, start.granularity if end is None else "span")
    except BadInput:
        return None
