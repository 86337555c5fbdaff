"""Points of the two clocks as people give them, and knowledge time as a whole number."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

from dateline.errors import BadInput
from dateline.temporal.asking import last_moment
from dateline.temporal.interval import Interval

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def event_time(given: datetime | date | Interval | str | None) -> datetime | date | Interval | None:
    """A point of event time; text is YYYY, YYYY-MM, YYYY-MM-DD or an ISO moment, and empty text is `None`.

    Raises:
        BadInput: for other text.
    """
    if isinstance(given, str):
        return Interval.parse(given) if given.strip() else None
    return given


def knowledge_time(given: datetime | date | Interval | str | None) -> datetime | None:
    """A point of knowledge time, aware; a date or a longer interval is read at its end, in UTC.

    Raises:
        BadInput: for unreadable text, or a moment without a time zone.
    """
    if isinstance(given, str):
        return last_moment(given) if given.strip() else None
    point = given
    if isinstance(point, Interval):
        return point.last_moment()
    if point is None or isinstance(point, datetime):
        if point is not None and point.tzinfo is None:
            raise BadInput(f"known_at must carry a time zone, but {point.isoformat()} has none; add tzinfo=UTC.")
        return point
    return datetime.combine(point, time.max, tzinfo=UTC)


def microseconds(moment: datetime) -> int:
    """Microseconds of a timezone-aware moment since 1970-01-01 in UTC."""
    delta = moment - _EPOCH
    return (delta.days * 86_400 + delta.seconds) * 1_000_000 + delta.microseconds


def moment(microseconds: int) -> datetime:
    """The moment, in UTC."""
    return _EPOCH + timedelta(microseconds=microseconds)
