"""Dates of a web page, the most credible first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from dateline.documents.dates import date_of
from dateline.documents.document_date import date_of_address, end_of_present, has_come
from dateline.documents.fields import CHANGED_FIELDS, key_of
from dateline.temporal.as_of import Clock, now
from dateline.temporal.interval import Interval

Dates = tuple[tuple[str, Any], ...]
"""(where it stood, value)."""

_MARKS = re.compile(
    r"(?:^|[^a-z])(?:date|datum|fecha|published|publish|posted|timestamp|created)|(?<!up)(?<!vali)date(?:$|[^a-z])"
)
_MARKING = ("class", "id", "itemprop")
_LONGEST = 100
"""Characters of an element that says a date and little else; chosen by hand."""


def is_marked(attributes: Mapping[str, str]) -> bool:
    """Return whether an element's names say that it holds a date."""
    return any(_MARKS.search(attributes.get(name, "").lower()) for name in _MARKING)


def page_dates(
    stated: Dates, *, address: str, elements: Iterable[tuple[str, str]], title: str, clock: Clock = now
) -> Dates:
    """Put a page's dates into the order in which they are believed.

    A day beats a mere month or year, the day in the address beats metadata in another time zone, and a date of change comes last.
    A day to come, in an element or the title, is what the page announces.

    Args:
        stated: by metadata.
        elements: (kind, text) of those that are marked as dates.
    """
    day, end = date_of_address(address, clock=clock), end_of_present(clock)
    said = [(*date, _day_of(date[1])) for date in stated]
    days = [(place, value) for place, value, read in said if read is not None and not _is_change(place)]
    shown = [(kind, text) for kind, text in elements if len(text) <= _LONGEST and _has_come(text, end)]
    titled = [("title", title)] if _has_come(title, end) else []
    within = [date for date in days if day is not None and _same_day(date[1], day)]
    addressed = [("address", day)] if day is not None else []
    return tuple(dict.fromkeys([*within, *addressed, *days, *shown, *titled, *stated]))


def _day_of(value: Any) -> Interval | None:
    found = date_of(value)
    return found if found is not None and found.is_precise else None


def _has_come(text: str, end: int) -> bool:
    found = _day_of(text)
    return found is not None and has_come(found, end=end)


def _same_day(value: Any, day: Interval) -> bool:
    found = date_of(value)
    return found is not None and found.start is not None and day.start <= found.start < day.end  # type: ignore[operator]


def _is_change(place: str) -> bool:
    return key_of(place.rpartition(" ")[2]) in CHANGED_FIELDS
