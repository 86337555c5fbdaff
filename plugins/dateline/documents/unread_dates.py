"""Sentences and warnings about dates that were not read."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, islice
from typing import Any

from dateline.limits import shortened
from dateline.visible import logger

_LOG = logger(__name__)

_NONE_TOLD = frozenset({"", "unknown", "undated", "none", "null", "nan", "n/a", "na", "no date", "-", "–", "?"})
"""What stands where writers say that there is no date."""

_WARNED: set[str] = set()
_MOST = 100
"""Fields that are warned of in a process; chosen by hand."""


def unread_date(dates: Sequence[tuple[str, Any]], *, overlooked: Sequence[str]) -> str:
    """Say why a document has no date, where one seems told.

    Args:
        dates: where a date should stand, and what stands there.
        overlooked: fields that look like a date.

    Example:
        >>> unread_date([("field date", "soonish")], overlooked=[])
        "The field date holds 'soonish', which cannot be read as a date; write YYYY, YYYY-MM or YYYY-MM-DD."
        >>> unread_date([], overlooked=["meeting_date"])
        "The field meeting_date looks like a date and is not used; if it is the document's own, set date_field='meeting_date'."
    """
    if told := _told(dates):
        place, value = told[0]
        return f"The {place} holds {_short(value)}, which cannot be read as a date; write YYYY, YYYY-MM or YYYY-MM-DD."
    if overlooked:
        return (
            f"The field {overlooked[0]} looks like a date and is not used; if it is the document's own, "
            f"set date_field={overlooked[0]!r}."
        )
    return ""


def warn_of_unread_date(dates: Sequence[tuple[str, Any]], *, overlooked: Sequence[str]) -> None:
    """Log why a document has no date, once for each field."""
    told = _told(dates)
    field = told[0][0] if told else next(iter(overlooked), "")
    if field and field not in _WARNED and len(_WARNED) < _MOST:
        _WARNED.add(field)
        _LOG.warning("%s", unread_date(dates, overlooked=overlooked))


def warn_of_absent_field(named: Sequence[str], *, lacking: Sequence[Sequence[str] | None]) -> None:
    """Log once that no document has the field that a person named.

    Args:
        named: the field, or several of which one would do.
        lacking: of each document the fields it has instead, `None` where it has one of the named.
    """
    absent = [fields for fields in lacking if fields is not None]
    if not absent or len(absent) < len(lacking):
        return
    held = ", ".join(map(repr, islice(dict.fromkeys(chain.from_iterable(absent)), 5))) or "no fields"
    line = f"No document has the field {' or '.join(map(repr, named))}; they hold {held}."
    if line not in _WARNED and len(_WARNED) < _MOST:
        _WARNED.add(line)
        _LOG.warning("%s", line)


def _told(dates: Sequence[tuple[str, Any]]) -> list[tuple[str, Any]]:
    return [(place, value) for place, value in dates if str(value).strip().casefold() not in _NONE_TOLD]


def _short(value: Any) -> str:
    return shortened(repr(value), limit=60)
