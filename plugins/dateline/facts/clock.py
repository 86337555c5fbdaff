"""Knowledge time as a whole number."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def microseconds(moment: datetime) -> int:
    """Count microseconds since the Unix epoch to a timezone-aware moment."""
    delta = moment - _EPOCH
    return (delta.days * 86_400 + delta.seconds) * 1_000_000 + delta.microseconds


def moment(microseconds: int) -> datetime:
    """Return the moment, in UTC."""
    return _EPOCH + timedelta(microseconds=microseconds)
