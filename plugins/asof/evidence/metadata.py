"""The date that a document's metadata gives, in whatever form people store it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from asof.errors import BadInput
from asof.temporal.interval import DAY, Interval

DATE_FIELDS = (
    "published",
    "publish_date",
    "published_date",
    "published_at",
    "date_published",
    "pubdate",
    "publication_date",
    "date",
    "timestamp",
    "created_at",
    "created",
)
"""Metadata fields that may hold the date of publication, the most telling first; letter case is ignored."""

_MILLISECONDS = 100_000_000_000
"""A number above this is milliseconds: as seconds it would lie after the year 5138."""


def published_in(metadata: Mapping[str, Any]) -> Interval | None:
    """When the document was published, or `None` where no field says so readably."""
    lowered = {str(key).lower(): value for key, value in metadata.items()}
    dates = (date_of(lowered[field]) for field in DATE_FIELDS if field in lowered)
    return next((found for found in dates if found is not None), None)


def date_of(value: Any) -> Interval | None:
    """A date out of a `date`, `datetime`, ISO string, Unix time, `Interval` or its JSON form; else `None`.

    A whole number of four digits is a year. Time zones are kept: the day is that of the value's own clock.
    """
    match value:
        case Interval():
            return value
        case date() | datetime():
            return Interval.of_moment(value)
        case bool():
            return None
        case int() | float():
            return _of_number(value)
        case str():
            return _of_text(value)
        case Mapping():
            try:
                return Interval.from_json(value)
            except BadInput:
                return None
    return None


def _of_number(value: float) -> Interval | None:
    if not math.isfinite(value):
        return None
    if 1000 <= value <= 9999 and value == int(value):
        return Interval.of_year(int(value))
    seconds = int(value / 1000 if abs(value) > _MILLISECONDS else value)
    days = seconds // DAY
    # Beyond these a number is no moment of a document's life: before 1900, after 2200.
    return Interval(days * DAY, (days + 1) * DAY, "day") if -25_567 <= days <= 84_006 else None


def _of_text(value: str) -> Interval | None:
    from asof.temporal.expressions import find_expressions

    text = value.strip()
    if text.isdecimal() and len(text) > 4:
        return _of_number(int(text)) if len(text) < 20 else None
    try:
        return Interval.parse(text)
    except BadInput:
        pass
    found = [e.interval for e in find_expressions(text[:100]) if e.interval is not None]
    return found[0] if found else None
