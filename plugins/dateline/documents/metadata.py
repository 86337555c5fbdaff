"""The date that a document's metadata gives, in whatever form people store it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any

from dateline.documents.document_date import date_of_name
from dateline.errors import BadInput
from dateline.evidence.dates import MAX_LENGTH, read_date
from dateline.temporal.expressions import find_expressions
from dateline.temporal.interval import Interval

DATE_FIELDS = (
    "published",
    "dateline_published",
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

NAME_FIELDS = ("file_name", "filename", "file_path", "path", "source", "url")
"""Metadata fields whose last part may be a dated file name."""

_DATED = re.compile(r"(?<!\d)\d{4}[-_.]\d{2}(?!\d)|(?<!\d)(?:19|20)\d{6}(?!\d)")
"""What is a date in a name, and no number of an article: 204511 could be either."""

_RANGE = re.compile(r"(\d{4}(?:-\d{2}(?:-\d{2})?)?)/(\.\.|\d{4}-\d{2}-\d{2})")
"""A stretch of time as `Interval.isoformat` writes it: since 2019, or from one day to before another."""


def published_in(metadata: Mapping[str, Any]) -> Interval | None:
    """When the document was published: what a field says, else what its file's name does, or `None`."""
    return stated_in(metadata) or named_in(metadata)


def stated_in(metadata: Mapping[str, Any]) -> Interval | None:
    """When a field says that the document was published, or `None` where none says so readably.

    Values may be dates, ISO or other written dates, Unix times, intervals or their JSON form.
    """
    lowered = {str(key).lower(): value for key, value in metadata.items()}
    dates = (date_of(lowered[field]) for field in DATE_FIELDS if field in lowered)
    return next((found for found in dates if found is not None), None)


def named_in(metadata: Mapping[str, Any]) -> Interval | None:
    """The date in the name of the document's file, or `None`."""
    lowered = {str(key).lower(): value for key, value in metadata.items()}
    names = (_stem(value) for field in NAME_FIELDS if isinstance(value := lowered.get(field), str))
    dates = (date_of_name(name) for name in names if _DATED.search(name))
    return next((named for named in dates if named is not None), None)


def _stem(path: str) -> str:
    return PurePosixPath(path.replace("\\", "/")).stem


def date_of(value: Any) -> Interval | None:
    """The time that one value says, in any form that people store: also "Q3 2019" or "spring 2020"; else `None`."""
    if isinstance(value, Interval):
        return value
    if isinstance(value, Mapping):
        try:
            return Interval.from_json(value)
        except BadInput:
            return None
    return _date_of_text(value) if isinstance(value, str) else read_date(value, now=None)


# The same documents come back from a store again and again.
@lru_cache(maxsize=1 << 14)
def _date_of_text(value: str) -> Interval | None:
    if (stretch := _RANGE.fullmatch(value.strip())) is not None:
        return _date_of_range(stretch[1], stretch[2])
    if (read := read_date(value, now=None)) is not None:
        return read
    stated = (
        found.interval for found in find_expressions(value[:MAX_LENGTH]) if found.kind in ("date", "time", "range")
    )
    return next((interval for interval in stated if interval is not None), None)


def _date_of_range(first: str, second: str) -> Interval | None:
    try:
        start, end = Interval.parse(first), None if second == ".." else Interval.parse(second).start
        return Interval(start.start, end, start.granularity if end is None else "span")
    except BadInput:
        return None
