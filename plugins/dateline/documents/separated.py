"""Tables written as text: comma, semicolon or tab between their values."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from dateline.errors import BadInput

_SAMPLE = 20_000
_SEPARATORS = ",;\t|"


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
    lines = text.splitlines(keepends=True)  # a value in quotes may have several
    try:
        yield from named(csv.reader(lines, delimiter=separator or _separator(text[:_SAMPLE])))
    except csv.Error as cause:
        raise BadInput(f"is no table ({cause})") from cause


def named(rows: Iterable[Sequence[Any]]) -> Iterator[dict[str, Any]]:
    """Name each row's values by the first row."""
    filled = (row for row in rows if any(value not in (None, "") for value in row))
    names = [str(name if name is not None else "").strip() for name in next(iter(islice(filled, 1)), ())]
    for row in filled:
        yield {
            name or f"column {place}": value
            for place, (name, value) in enumerate(zip([*names, *[""] * len(row)], row, strict=False), start=1)
        }


def _separator(sample: str) -> str:
    """Return the separator that all of the first lines have."""
    lines = [line for line in sample.splitlines()[:20] if line.strip()]
    counts = {each: [line.count(each) for line in lines] for each in _SEPARATORS}
    return max(_SEPARATORS, key=lambda each: (min(counts[each], default=0), sum(counts[each])))
