"""Segments that become one, so that their number stays small."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter

import numpy as np

from dateline.search.index.columns import Catalogue, Columns, Integers
from dateline.search.index.postings import Postings

MERGED_AT = 8
"""So many segments of about one size become one."""

LARGEST = 1 << 16
"""Passages of a segment that is merged no further, so that a small change never rewrites much."""


def to_merge(catalogue: Catalogue) -> Iterator[list[int]]:
    """Return segments of about one size, and those half gone."""
    tiers: dict[int, list[int]] = {}
    for segment, rows in catalogue.segments.items():
        if 2 * int(catalogue.alive[rows.start : rows.stop].sum()) < len(rows):
            tiers.setdefault(-1, []).append(segment)
        elif len(rows) < LARGEST:
            tiers.setdefault(int(np.log(len(rows)) / np.log(MERGED_AT)), []).append(segment)
    for tier, chosen in tiers.items():
        if tier < 0 or len(chosen) >= MERGED_AT:
            yield chosen


def merge(connection: sqlite3.Connection, catalogue: Catalogue, chosen: Sequence[int]) -> None:
    """Write some segments as one, without what has gone."""
    rows = np.concatenate([np.array(catalogue.segments[each], dtype=np.int64) for each in chosen])
    living, gone = rows[catalogue.alive[rows]], rows[~catalogue.alive[rows]]
    places = np.full(len(catalogue.columns), -1, dtype=np.int64)
    places[living] = np.arange(len(living))
    marks = ",".join("?" * len(chosen))
    found = connection.execute(
        f"SELECT term, kind, segment, data FROM postings WHERE segment IN ({marks}) ORDER BY term, kind, segment",
        list(chosen),
    ).fetchall()
    connection.execute(f"DELETE FROM postings WHERE segment IN ({marks})", list(chosen))
    connection.execute(f"DELETE FROM segments WHERE id IN ({marks})", list(chosen))
    numbers = catalogue.columns.numbers[gone].tolist()
    connection.executemany("DELETE FROM gone WHERE number = ?", [(number,) for number in numbers])
    if len(living):
        new = write_columns(connection, catalogue.columns.take(living))
        connection.executemany("INSERT INTO postings VALUES (?, ?, ?, ?)", _moved(found, catalogue, places, new))


def write_columns(connection: sqlite3.Connection, columns: Columns) -> int:
    """Write a segment without its postings, and return its id."""
    written = connection.execute(
        "INSERT INTO segments (size, columns) VALUES (?, ?)", (len(columns), columns.to_bytes())
    )
    return int(written.lastrowid or 0)


def _moved(
    found: Iterable[tuple[int, int, int, bytes]], catalogue: Catalogue, places: Integers, new: int
) -> Iterator[tuple[int, int, int, bytes]]:
    """Return the postings of merged segments with their new rows."""
    for (term, kind), group in groupby(found, key=itemgetter(0, 1)):
        parts = []
        for _, _, segment, data in group:
            old = Postings.from_bytes(data)
            rows = places[catalogue.segments[segment].start + old.rows]
            parts.append(Postings(rows[rows >= 0], old.counts[rows >= 0]))
        if len((joined := Postings.joined(parts)).rows):
            yield term, kind, new, joined.to_bytes()
