"""Objects and lists of them, each as a document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any

from dateline.documents.fields import TEXT_FIELDS, Fields
from dateline.documents.raw import RawDocument, raw_of
from dateline.documents.rules import DateRules
from dateline.errors import BadInput
from dateline.limits import DOCUMENT

_DEEPEST = 100
"""Levels of nested values that are read; chosen by hand."""


def documents_of(value: Any, *, file: str, rules: DateRules) -> Iterator[RawDocument]:
    """Read a value's documents: each object of a list, or the whole."""
    rows = objects_of(value)
    if rows is None:
        yield document_of_object(value, file=file, rules=rules)
        return
    for row in rows:
        yield document_of_object(row, file=file, rules=rules)


def objects_of(value: Any) -> list[Mapping[str, Any]] | None:
    """Return a list's objects, also of one inside an object."""
    if isinstance(value, Mapping) and not Fields(value).text(TEXT_FIELDS):
        lists = [each for each in value.values() if isinstance(each, list) and each and isinstance(each[0], Mapping)]
        value = lists[0] if len(lists) == 1 and len(value) <= 3 else value
    return value if isinstance(value, list) and value and all(isinstance(each, Mapping) for each in value) else None


def document_of_object(value: Any, *, file: str, rules: DateRules) -> RawDocument:
    """Read one value; one without a text is written as lines."""
    if not isinstance(value, Mapping):
        return raw_of(lines_of(value), fields=Fields({}), rules=rules, file=file)
    fields = Fields(value)
    return raw_of(fields.text(TEXT_FIELDS) or lines_of(value), fields=fields, rules=rules, file=file)


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

    Each row is a document where rows have dates or texts.
    """
    made = [row_document(row, file=file, rules=rules) for row in rows]
    if any(raw.dates for raw, is_text in made) or any(is_text for _, is_text in made):
        return [raw for raw, _ in made if raw.text]
    text = "\n".join(raw.text for raw, _ in made if raw.text)
    return [raw_of(text, fields=Fields({}), rules=rules, file=file)]


def row_document(row: Mapping[str, Any], *, file: str, rules: DateRules) -> tuple[RawDocument, bool]:
    """Read a row of a table, and whether it has a text."""
    fields = Fields(row)
    text = fields.text(TEXT_FIELDS)
    said = text or "; ".join(f"{name}: {_said(value)}" for name, value in row.items() if value not in (None, ""))
    return raw_of(said, fields=fields, rules=rules, file=file), bool(text)
