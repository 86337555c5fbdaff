"""Tables written as text: comma, semicolon or tab between their values."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import chain, islice
from typing import Any

from dateline.documents.dates import date_of
from dateline.errors import BadInput
from dateline.limits import DOCUMENT
from dateline.temporal.interval import Interval
from dateline.text.lines import file_lines

_SAMPLE = 20_000
_SEPARATORS = ",;\t|"

_CELL = 40
"""Characters of the longest value that is a date and nothing else; chosen by hand."""

_QUOTED = re.compile(r'"[^"]*"')
_UNNAMED = "column "
FIRST_ROWS = 200
"""Rows that show what a table's columns hold; chosen by hand."""

# One limit for the whole process, and csv's own is lower: what a document may have, a value of it may have.
csv.field_size_limit(max(csv.field_size_limit(), DOCUMENT))


def separated_rows(text: str, *, separator: str = "") -> Iterator[dict[str, str]]:
    """Read a table's rows under the names of its first.

    Args:
        separator: what stands between values; empty: what most lines have.

    Raises:
        BadInput: half a sentence, for what is no table.

    Example:
        >>> list(separated_rows("date,text\\n2024-03-01,Filter changed."))
        [{'date': '2024-03-01', 'text': 'Filter changed.'}]
    """
    try:
        yield from named(csv.reader(file_lines(text), delimiter=separator or _separator(text[:_SAMPLE])))
    except csv.Error as cause:
        raise BadInput(f"is no table ({cause})") from cause


def named(rows: Iterable[Sequence[Any]]) -> Iterator[dict[str, Any]]:
    """Name each row's values by the first row.

    One that has a date where most others have one is a row like them: its columns have no names.
    """
    filled = (row for row in rows if any(value not in (None, "") for value in row))
    first = next(filled, ())
    ahead = list(islice(filled, FIRST_ROWS))
    names: list[str] = []
    days = [place for place, value in enumerate(first) if cell_day(value) is not None]
    if any(not ahead or 2 * sum(_has_day(row, place) for row in ahead) > len(ahead) for place in days):
        ahead.insert(0, first)
    else:
        names = [str(name if name is not None else "").strip() for name in first]
    for row in chain(ahead, filled):
        yield {
            name or f"{_UNNAMED}{place}": value
            for place, (name, value) in enumerate(zip([*names, *[""] * len(row)], row, strict=False), start=1)
        }


def cell_day(value: Any) -> Interval | None:
    """Return the day or month that is all a cell holds.

    Example:
        >>> str(cell_day("2024-03-01")), cell_day("12.50"), cell_day("Filter changed.")
        ('2024-03-01', None, None)
    """
    if isinstance(value, str):
        value = value.strip()
        is_number = value.isdigit() and len(value) != len("20240301")
        if is_number or len(value) > _CELL or not any(map(str.isdigit, value)):
            return None
    elif not isinstance(value, date):
        return None
    found = date_of(value, day_first=True)
    return found if found is not None and (found.is_precise or found.granularity in ("week", "month")) else None


def is_unnamed(column: str) -> bool:
    """Return whether a column has a number for a name."""
    return column.startswith(_UNNAMED)


def _has_day(row: Sequence[Any], place: int) -> bool:
    return place < len(row) and cell_day(row[place]) is not None


def _separator(sample: str) -> str:
    """Return the header's separator that all of the first lines have.

    Where none is in all, since values hold lines of their own, the header decides. A header without any is that of one
    column, whatever stands in its values, unless it is a title above a table.
    """
    lines = [line for line in file_lines(sample) if line.strip()][:20]
    header = _QUOTED.sub("", lines[0]) if lines else ""
    named = [each for each in _SEPARATORS if each in header] or [_steady(sample)]
    counts = {each: [line.count(each) for line in lines] for each in named}
    return max(named, key=lambda each: (min(counts[each], default=0), counts[each][:1], sum(counts[each])))


def _steady(sample: str) -> str:
    """Return what parts all rows below the first alike, else a comma."""
    for each in _SEPARATORS:
        rows = [row for row in csv.reader(file_lines(sample), delimiter=each) if row][1:20]
        if len(rows) > 1 and {len(row) for row in rows} == {max(2, len(rows[0]))}:  # one row shows nothing
            return each
    return ","
