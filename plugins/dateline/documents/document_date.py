"""A document's date from its file name or its text."""

from __future__ import annotations

import re

from dateline.errors import BadInput
from dateline.temporal.expressions import find_expressions
from dateline.temporal.interval import Interval

DATELINE = 240
"""A date within this many characters of the beginning is the document's own."""

NAME_DATE = re.compile(r"(?<!\d)(\d{4})[-_.]?(\d{2})(?:[-_.]?(\d{2}))?(?!\d)")
"""A date in a file's name: 2021-05-06, 20210506, 2021_05."""

_LOOKED_AT = 20_000
_PRECISE = ("second", "minute", "hour", "day", "week", "month")


def date_of_name(stem: str) -> Interval | None:
    """The day or month that a file's name carries, or `None`."""
    for match in NAME_DATE.finditer(stem):
        year, month, day = int(match[1]), int(match[2]), int(match[3] or 0)
        if not 1000 <= year <= 2999:
            continue
        try:
            return Interval.of_day(year, month, day) if day else Interval.of_month(year, month)
        except BadInput:
            continue
    return None


def date_of_text(text: str) -> Interval | None:
    """Read a dateline, else the text's first most precise date.

    A mere year further on dates nothing.
    """
    dates = [
        (found.start, found.interval)
        for found in find_expressions(text[:_LOOKED_AT])
        if found.kind in ("date", "time") and found.interval is not None and found.interval.granularity in _PRECISE
    ]
    if not dates:
        return None
    start, interval = min(dates, key=lambda date: (date[0] > DATELINE, _PRECISE.index(date[1].granularity), date[0]))
    return interval if start <= DATELINE or interval.granularity == "day" else None
