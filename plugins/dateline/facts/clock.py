"""Knowledge time as a whole number."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def microseconds(moment: datetime) -> int:
    """Count microseconds since the Unix epoch to a timezone-aware moment."""
    return (moment - _EPOCH) // _MICROSECOND


def moment(microseconds: int) -> datetime:
    """Return the moment, in UTC."""
    return _EPOCH + timedelta(microseconds=microseconds)
