"""The date that a document's metadata gives, in whatever form people store it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from asof.errors import BadInput
from asof.evidence.dates import read_date
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


def published_in(metadata: Mapping[str, Any]) -> Interval | None:
    """When the document was published, or `None` where no field says so readably.

    Values may be dates, ISO or other written dates, Unix times, intervals or their JSON form.
    """
    lowered = {str(key).lower(): value for key, value in metadata.items()}
    dates = (_date_of(lowered[field]) for field in DATE_FIELDS if field in lowered)
    return next((found for found in dates if found is not None), None)


def _date_of(value: Any) -> Interval | None:
    if isinstance(value, Interval):
        return value
    if isinstance(value, Mapping):
        try:
            return Interval.from_json(value)
        except BadInput:
            return None
    return read_date(value, now=None)
