"""Rows of an export: reading them, and their fields."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from dateline.counted import counted
from dateline.errors import BadInput
from dateline.facts.fact import Fact
from dateline.facts.operation import Operation
from dateline.facts.slots import ImportTag
from dateline.files import read_bytes
from dateline.limits import DOCUMENT
from dateline.temporal.interval import DAY, Interval, seconds_of
from dateline.text.lines import file_lines

Row = Mapping[str, Any]


class RowError(ValueError):
    """A row that cannot be imported, in a few words."""


class Told(NamedTuple):
    """Operations that an export's rows tell.

    Attributes:
        operations: in order, by document.
        problems: rows left out, one sentence each.
    """

    operations: dict[str, list[Operation]]
    problems: list[str]


class ExportRows(NamedTuple):
    """Rows of an export, and what else it holds.

    Attributes:
        placed: each with its place.
        unread: other lists, one sentence each.
    """

    placed: list[tuple[str, Any]]
    unread: list[str]


def read_rows(path: Path, *, keys: tuple[str, ...]) -> ExportRows:
    """Read an export's rows.

    Read are a list, an object that holds lists (or lists by id) under one of `keys`, and lines of JSON.

    Raises:
        BadInput: for a file that cannot be read as JSON.
    """
    try:
        text = read_bytes(path).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as cause:
        raise BadInput(f"Cannot read the export {path}: {getattr(cause, 'strerror', None) or cause}.") from cause
    try:
        told = json.loads(text)
        return ExportRows(list(_rows_of(told, keys, place="row")), list(_unread(told, keys)))
    except (ValueError, RecursionError):
        return ExportRows(list(_lines(text, path)), [])


def _lines(text: str, path: Path) -> Iterator[tuple[str, Any]]:
    found = False
    for number, line in enumerate(file_lines(text), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        found = found or isinstance(row, dict)
        yield f"line {number}", row
    if not found:
        raise BadInput(f"{path} is no export in JSON: neither one value nor one object a line can be read.")


def _rows_of(value: Any, keys: tuple[str, ...], *, place: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, list):
        for number, row in enumerate(value, start=1):
            # The history of several memories is a list of lists.
            yield from (
                _rows_of(row, keys, place=f"{place} {number}.")
                if isinstance(row, list)
                else [(f"{place} {number}", row)]
            )
    elif named := _named(value, keys):
        for key in named:
            lists = value[key].items() if isinstance(value[key], dict) else [("", value[key])]
            for name, rows in lists:
                yield from _rows_of(rows, (), place=f"{key} {name}".strip())
    else:
        yield place, value


def _named(value: Any, keys: tuple[str, ...]) -> list[str]:
    """List the keys under which an object holds rows."""
    return [key for key in keys if isinstance(value, dict) and isinstance(value.get(key), list | dict)]


def _unread(value: Any, keys: tuple[str, ...]) -> Iterator[str]:
    """Yield the lists beside an object's rows, down to one level."""
    for key, other in value.items() if _named(value, keys) else ():
        lists = other.items() if isinstance(other, dict) else [("", other)]
        for name, rows in lists if key not in keys else ():
            if isinstance(rows, list) and rows:
                yield f"{key} {name}".strip() + f": {counted(len(rows), 'row')} of another kind."


def tags_of(row: Row, name: ImportTag) -> tuple[str, ...]:
    """Write what a field holds as tags.

    Example:
        >>> tags_of({"metadata": {"topic": "home", "place": {"city": "Lund"}, "note": None}}, "metadata")
        ('metadata.place.city:Lund', 'metadata.topic:home')
    """
    tags: set[str] = set()
    waiting: list[tuple[str, Any]] = [(name, row.get(name))]
    while waiting:
        called, value = waiting.pop()
        if isinstance(value, dict):
            waiting += [(f"{called}.{key}", each) for key, each in value.items()]
        elif isinstance(value, list):
            waiting += [(called, each) for each in value]
        elif value is not None and value != "":
            tags.add(f"{called}:{value}")
    return tuple(sorted(tags))


def with_all_tags(facts: Iterable[Fact]) -> dict[str, Fact]:
    """Join the tags of all facts with one text; facts by id."""
    joined: dict[str, Fact] = {}
    for fact in facts:
        tags = (*joined.get(fact.id, fact).tags, *fact.tags)
        joined[fact.id] = fact.model_copy(update={"tags": tuple(dict.fromkeys(tags))})
    return joined


def text_of(row: Row, name: str) -> str:
    """Read a text that must be there.

    Raises:
        RowError: where it is missing, empty or too long.
    """
    value = row.get(name)
    if not isinstance(value, str) or not value.strip():
        raise RowError(f"{name} is missing or empty")
    if len(value) > DOCUMENT:
        raise RowError(f"{name} has more than {DOCUMENT:,} characters")
    return value


def word_of(row: Row, name: str) -> str:
    """Read a text that may be missing."""
    value = row.get(name)
    return value.strip() if isinstance(value, str) else ""


def time_of(row: Row, name: str) -> datetime | None:
    """Read a time that may be missing; UTC without a zone.

    Raises:
        RowError: where it is no ISO date and time.
    """
    value = row.get(name)
    if value is None or value == "":
        return None
    try:
        moment = datetime.fromisoformat(value)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (TypeError, ValueError, OverflowError) as cause:
        raise RowError(f"{name} is no date and time: {str(value)[:40]!r}") from cause


def event_time(moment: datetime) -> Interval:
    """Return the second of a moment, or its day at midnight."""
    start = seconds_of(moment)
    return Interval.of_moment(moment) if start % DAY == 0 else Interval.of_second(start)
