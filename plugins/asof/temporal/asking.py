"""The moment as of which a question is asked, in the forms in which people give it."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

from asof.errors import BadInput
from asof.temporal.interval import Interval


def asking_moment(value: Any) -> datetime | None:
    """A datetime as it is; a date, or `YYYY`, `YYYY-MM`, `YYYY-MM-DD`, as its last second; `None` as `None`.

    Raises:
        BadInput: for anything else. A number is refused: whether it is a year or a Unix time cannot be told.
    """
    if value is None or isinstance(value, datetime):
        return value
    if isinstance(value, date):
        return Interval.of_moment(value).last_moment()
    if isinstance(value, str):
        try:
            moment = datetime.fromisoformat(value) if "T" in value else None
        except ValueError:
            moment = None
        if moment is not None:
            return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
        return Interval.parse(value).last_moment()
    raise BadInput(
        f"Cannot read {value!r} as a date; give a datetime with a time zone, or YYYY, YYYY-MM or YYYY-MM-DD."
    )
