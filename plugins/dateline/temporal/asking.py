"""The moment as of which a question is asked, in the forms in which people give it."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

from dateline.errors import BadInput
from dateline.temporal.interval import Interval


def last_moment(text: str) -> datetime:
    """The last second of `YYYY`, `YYYY-MM` or `YYYY-MM-DD`, in UTC.

    Raises:
        BadInput: where that cannot be read, or lies before the year 1, where no moment can be told.
    """
    interval = Interval.parse(text)
    moment = interval.last_moment()
    if not Interval.of_moment(moment).overlaps(interval):
        raise BadInput(f"Nothing can be asked as of {text.strip()}; its year must lie between 0001 and 9999.")
    return moment


def now() -> datetime:
    """The present moment, in UTC: the clock where no other is given."""
    return datetime.now(UTC)


def asking_moment(value: Any) -> datetime | None:
    """A datetime as it is; a date, or `YYYY`, `YYYY-MM`, `YYYY-MM-DD`, as its last second; `None` as `None`.

    Raises:
        BadInput: for anything else, and for years before 1. A number is refused: whether it is a year or a Unix time
            cannot be told.
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
        return last_moment(value)
    raise BadInput(
        f"Cannot read {value!r} as a date; give a datetime with a time zone, or YYYY, YYYY-MM or YYYY-MM-DD."
    )
