"""The date that a document's metadata gives, in whatever form people store it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any

from asof.errors import BadInput
from asof.evidence.dates import MAX_LENGTH, read_date
from asof.evidence.own_date import date_of_name
from asof.temporal.expressions import find_expressions
from asof.temporal.interval import Interval

DATE_FIELDS = (
    "published",
    "asof_published",
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
    names = (value for field in NAME_FIELDS if isinstance(value := lowered.get(field), str))
    return next((named for name in names if (named := date_of_name(_stem(name))) is not None), None)


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
    if (read := read_date(value, now=None)) is not None:
        return read
    stated = (
        found.interval for found in find_expressions(value[:MAX_LENGTH]) if found.kind in ("date", "time", "range")
    )
    return next((interval for interval in stated if interval is not None), None)
