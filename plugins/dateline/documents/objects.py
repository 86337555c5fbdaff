"""Objects and lists of them, each as a document."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import chain, islice
from typing import Any

from dateline.documents.document_date import date_of_name, date_of_text
from dateline.documents.fields import TEXT_FIELDS, Fields
from dateline.documents.raw import RawDocument, raw_of
from dateline.documents.rules import DateRules
from dateline.documents.separated import FIRST_ROWS, cell_day
from dateline.errors import BadInput
from dateline.file_names import stem_of
from dateline.limits import DOCUMENT
from dateline.temporal.interval import Interval, beginning

_DEEPEST = 100
"""Levels of nested values that are read; chosen by hand."""

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
"""Without one, no day is told."""


def documents_of(value: Any, *, file: str, rules: DateRules) -> Iterator[RawDocument]:
    """Read a value's documents: each object of a list, or the whole."""
    objects = objects_of(value)
    for one in [value] if objects is None else objects:
        yield document_of_object(one, file=file, rules=rules)


def objects_of(value: Any) -> list[Mapping[str, Any]] | None:
    """Return a list's objects, also of the one list inside an object.

    What stands beside a list of dated objects, deep in an answer of a server say, is an object of its own behind them.
    """
    if not isinstance(value, Mapping):
        return _objects(value)
    if Fields(value).text(TEXT_FIELDS):
        return None
    found = list(_lists(value, ()))
    dated = [each for each in found if _are_dated(each[1])]
    is_list = len(found) == 1 and len(value) <= 3 and len(found[0][0]) == 1
    if Fields(value).dates("", ()) and not (is_list and dated):
        return None  # what has no day of its own has that of the whole
    if not is_list and len(dated) != 1:
        return None
    path, objects = found[0] if is_list else dated[0]
    rest = _without(value, path)
    return [*objects, rest] if lines_of(rest) else objects


def _objects(value: Any) -> list[Mapping[str, Any]] | None:
    """Return a list's objects where they are most of it."""
    if not isinstance(value, list):
        return None
    objects = [each for each in value if isinstance(each, Mapping)]
    return objects if 2 * len(objects) > len(value) else None


def _lists(
    value: Mapping[str, Any], path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], list[Mapping[str, Any]]]]:
    """Find an object's lists of objects, with the names above each."""
    for name, inner in value.items():
        if isinstance(inner, Mapping) and len(path) < _DEEPEST:
            yield from _lists(inner, (*path, name))
        elif (objects := _objects(inner)) is not None:
            yield (*path, name), objects


def _are_dated(objects: Sequence[Mapping[str, Any]]) -> bool:
    objects = objects[:FIRST_ROWS]
    dated = [one for one in objects if Fields(one).dates("", ()) or any(map(cell_day, one.values()))]
    return 2 * len(dated) >= len(objects)


def _without(value: Mapping[str, Any], path: tuple[str, ...]) -> Mapping[str, Any]:
    name, *below = path
    rest = {key: inner for key, inner in value.items() if key != name}
    return {**rest, name: _without(value[name], tuple(below))} if below else rest


def document_of_object(value: Any, *, file: str, rules: DateRules) -> RawDocument:
    """Read one value; one without a text is written as lines."""
    fields = Fields(value if isinstance(value, Mapping) else {})
    text = fields.text(TEXT_FIELDS)
    raw = raw_of(text or lines_of(value), fields=fields, rules=rules, file=file)
    return raw if text else _latest(raw, _entries(value), file=file)


def _entries(value: Any) -> Iterator[str]:
    """Write the entries of a value's lists of several as lines."""
    if isinstance(value, Mapping):
        for inner in value.values():
            yield from _entries(inner)
    elif isinstance(value, list):
        entries = [each for each in value if isinstance(each, Mapping | list)]
        if len(entries) > 1:
            yield from _lines(entries, ())
        elif entries:
            yield from _entries(entries[0])


def _latest(raw: RawDocument, parts: Iterable[str], *, file: str) -> RawDocument:
    """Date entries that are one document by their latest day.

    By the first, whatever was entered later would be known too early. A date that the document or its file's name states
    goes before.
    """
    if raw.dates or date_of_name(stem_of(file)) is not None:
        return raw
    years = ((max(map(int, told)), part) for part in parts if (told := _YEAR.findall(part)))
    latest: Interval | None = None
    for year, part in sorted(years, reverse=True):
        # Of a long table few parts are read: no day of the others is later.
        if latest is not None and year < int(beginning(latest)[:4]):
            break
        said = date_of_text(part)
        if said is not None and (latest is None or _end(said.interval) > _end(latest)):
            latest = said.interval
    return raw if latest is None else replace(raw, dates=(("text", latest),))


def _end(interval: Interval) -> int:
    return interval.end or 0


def lines_of(value: Any) -> str:
    """Write a nested value as lines: `prices basic: 42`."""
    size, lines = 0, list[str]()
    for line in _lines(value, ()):
        lines.append(line)
        size += len(line)
        if size > DOCUMENT:
            raise BadInput(f"has more than {DOCUMENT:,} characters")
    return "\n".join(lines)


def _lines(value: Any, path: tuple[str, ...]) -> Iterator[str]:
    if len(path) > _DEEPEST:
        raise BadInput(f"is nested more than {_DEEPEST} deep")
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _lines(inner, (*path, str(key)))
    elif isinstance(value, list) and not all(isinstance(each, str | int | float) for each in value):
        for inner in value:
            yield from _lines(inner, path)
    elif value not in (None, "", []):
        yield f"{' '.join(path)}: {_said(value)}" if path else _said(value)


def _said(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(_said(each) for each in value)
    if isinstance(value, date):
        return value.isoformat()
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def rows_of(rows: Iterable[Mapping[str, Any]], *, file: str, rules: DateRules) -> list[RawDocument]:
    """Read a table whole, or row by row.

    Each row is a document where rows have dates or texts. Where no column is called like a date, that is one in which most
    rows have a day; beside texts only the first, for a day behind them may be a deadline or a birthday.
    """
    rows = list(rows)
    read = [row_document(row, file=file, rules=rules) for row in rows]
    made = [raw for raw, _ in read]
    if not rules.date_field and not any(raw.dates for raw in made):
        texts = any(is_text for _, is_text in read)
        column = column_of_days([dict(islice(row.items(), 1)) for row in rows] if texts else rows)
        made = [with_day(raw, row, column=column) for raw, row in zip(made, rows, strict=True)]
    if any(raw.dates for raw in made) or any(is_text for _, is_text in read):
        return [raw for raw in made if raw.text]
    text = "\n".join(raw.text for raw in made if raw.text)
    return [
        _latest(
            raw_of(text, fields=Fields({}), rules=rules, file=file), chain.from_iterable(map(_cells, rows)), file=file
        )
    ]


def column_of_days(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the first column in which most rows have a day."""
    rows = rows[:FIRST_ROWS]
    days = Counter(name for row in rows for name, value in row.items() if cell_day(value) is not None)
    names = dict.fromkeys(name for row in rows for name in row)
    return next((name for name in names if 2 * days[name] > len(rows)), "")


def with_day(raw: RawDocument, row: Mapping[str, Any], *, column: str) -> RawDocument:
    """Return a row dated by its value in a column, if any."""
    return replace(raw, dates=((f"field {column}", row[column]),)) if column and row.get(column) else raw


def row_document(row: Mapping[str, Any], *, file: str, rules: DateRules) -> tuple[RawDocument, bool]:
    """Read a row of a table, and whether it has a text."""
    fields = Fields(row)
    text = fields.text(TEXT_FIELDS)
    return raw_of(text or "; ".join(_cells(row)), fields=fields, rules=rules, file=file), bool(text)


def _cells(row: Mapping[str, Any]) -> Iterator[str]:
    return (f"{name}: {_said(value)}" for name, value in row.items() if value not in (None, ""))
