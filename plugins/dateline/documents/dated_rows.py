"""Rows of a table or of JSON, each of its own day."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, NamedTuple

from dateline.documents.dates import date_of
from dateline.documents.fields import TEXT_FIELDS, Fields, key_of
from dateline.documents.journal import FEWEST
from dateline.documents.objects import column_of_days, document_of_object, objects_of, row_document, with_day
from dateline.documents.raw import RawDocument
from dateline.documents.rules import USUAL, DateRules
from dateline.documents.separated import FIRST_ROWS, is_unnamed, separated_rows
from dateline.errors import BadInput
from dateline.text.lines import file_lines

_OURS = "dateline"
"""What the names of fields begin with that only this library writes."""

Value = str | int | float | bool


class DatedRow(NamedTuple):
    """A row as a document, and its values beside text and date."""

    raw: RawDocument
    values: tuple[tuple[str, Value], ...]


def dated_rows(document: RawDocument, *, rules: DateRules = USUAL) -> list[DatedRow]:
    """Read the rows of a document's text, each with its day.

    Empty where there are none. There are where it is a table under named columns, JSON, or one JSON object a line, and a column or field dates two or more
    rows, at least half of them. A row that states no day has the document's.

    Example:
        >>> log = RawDocument("date,text,by\\n2024-03-01,Filter changed.,Ana\\n2024-04-02,Pressure is 3 bar.,Ben")
        >>> [(row.raw.text, row.raw.dates, row.values) for row in dated_rows(log)][1]
        ('Pressure is 3 bar.', (('field date', '2024-04-02'),), (('by', 'Ben'),))
    """
    made = _json_rows(document, rules) if document.text.lstrip()[:1] in ("[", "{") else _table_rows(document, rules)
    dated = sum(any(date_of(value) is not None for _, value in row.raw.dates) for row in made)
    if dated < FEWEST or 2 * dated < len(made):
        return []
    return [
        row._replace(
            raw=replace(
                row.raw, dates=(*row.raw.dates, *document.dates), names=(*document.names, *row.raw.names), speaks=True
            )
        )
        for row in made
        if row.raw.text
    ]


def _json_rows(document: RawDocument, rules: DateRules) -> list[DatedRow]:
    try:
        objects = objects_of(json.loads(document.text))
    except (ValueError, RecursionError):
        objects = _objects_of_lines(document.text)
    return [_row(document_of_object(one, file=document.source, rules=rules), one) for one in objects or ()]


def _objects_of_lines(text: str) -> list[Mapping[str, Any]]:
    """Read one object a line; empty where a line is none."""
    try:
        read = [json.loads(line) for line in file_lines(text) if line.strip()]
    except (ValueError, RecursionError):
        return []
    return read if all(isinstance(one, Mapping) for one in read) else []


def _table_rows(document: RawDocument, rules: DateRules) -> list[DatedRow]:
    try:
        rows = separated_rows(document.text)
        ahead = list(islice(rows, FIRST_ROWS))
        column = _column(ahead, rules)
        if column is None:
            return []
        read = [*ahead, *rows]
    except BadInput:
        return []
    return [
        _row(with_day(row_document(one, file=document.source, rules=rules)[0], one, column=column), one) for one in read
    ]


def _column(rows: Sequence[Mapping[str, Any]], rules: DateRules) -> str | None:
    """Return the column of days, "" for those called so, `None` without one.

    Only a table whose rows are of one length is looked through: prose has commas too, and lists of days.
    """
    if not rows or len(rows[0]) < FEWEST:
        return None
    if Fields(rows[0]).dates("field", rules.date_field):
        return ""
    if rules.date_field or any(len(row) != len(rows[0]) for row in rows):
        return None
    found = column_of_days(rows)
    return found if found and not is_unnamed(found) else None


def _row(raw: RawDocument, given: Mapping[str, Any]) -> DatedRow:
    """Return a row with its values beside text and date."""
    text = next((key for key in TEXT_FIELDS if Fields(given).text((key,))), "")
    told = {text, *(key_of(place.removeprefix("field ")) for place, _ in raw.dates)}
    values = (
        (str(name), value)
        for name, value in given.items()
        if isinstance(value, Value) and value != "" and key_of(str(name)) not in told
    )
    kept = ((name, value) for name, value in values if text and not key_of(name).startswith(_OURS))
    return DatedRow(raw, tuple(islice(kept, 20)))
