"""Cosines of stored passages with one vector, exact where looked up."""

from __future__ import annotations

import json
import sqlite3

import numpy as np

from dateline.ranking.bm25 import top
from dateline.search.index.columns import Columns, Integers, Mask
from dateline.search.index.store import Vector
from dateline.text.signs import SIGNS, differing_signs

CHECKED = 4
"""For each wanted passage, how many of the nearest by their signs have their exact cosine computed."""


class Cosines:
    """The nearest by their signs, then by their exact cosine.

    Attributes:
        exact: the cosine of each row, NaN where nobody has looked it up.
    """

    def __init__(self, columns: Columns, vector: Vector) -> None:
        self._columns, self._vector = columns, vector
        self._differing = differing_signs(columns.bits, vector)
        self.exact = np.full(len(columns), np.nan, dtype=np.float32)

    def nearest(self, connection: sqlite3.Connection, *, count: int, allowed: Mask) -> Integers:
        """Return the nearest of the allowed rows, nearest first."""
        rows = np.flatnonzero(allowed)
        differing = self._differing[rows]
        reached = np.cumsum(np.bincount(differing, minlength=SIGNS + 1))
        rows = rows[differing <= int(np.searchsorted(reached, CHECKED * count))]
        self._look_up(connection, rows)
        return np.asarray(rows[top(self.exact[rows], count)], dtype=np.int64)

    def _look_up(self, connection: sqlite3.Connection, rows: Integers) -> None:
        rows = rows[np.isnan(self.exact[rows])]
        if not len(rows):
            return
        numbers = self._columns.numbers[rows]
        asked = json.dumps(numbers.tolist())
        found = connection.execute(
            "SELECT number, vector FROM vectors WHERE number IN (SELECT value FROM json_each(?))", [asked]
        ).fetchall()
        if len(found) != len(rows):
            raise ValueError("a passage has no vector")
        vectors = np.frombuffer(b"".join(vector for _, vector in found), dtype="<f2").reshape(len(found), -1)
        by_number = np.argsort(numbers, kind="stable")
        order = np.argsort([number for number, _ in found], kind="stable")
        self.exact[rows[by_number]] = vectors[order].astype(np.float32) @ self._vector
