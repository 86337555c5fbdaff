"""Cosines of stored passages with one vector, exact where looked up."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from dateline.ranking.bm25 import top
from dateline.search.index.columns import Columns, Integers, Mask
from dateline.search.index.store import Vector
from dateline.text.signs import SIGNS, differing_signs

CHECKED = 4
"""For each wanted passage, how many of the nearest by their signs have their exact cosine computed."""

LookUp = Callable[[Integers], NDArray[np.float32]]
"""Reads the vectors of passages by their numbers."""


class Cosines:
    """The nearest by their signs, then by their exact cosine.

    Attributes:
        exact: the cosine of each row, NaN where nobody has looked it up.
    """

    def __init__(self, columns: Columns, vector: Vector) -> None:
        self._columns, self._vector = columns, vector
        self._differing = differing_signs(columns.bits, vector)
        self.exact = np.full(len(columns), np.nan, dtype=np.float32)

    def nearest(self, vectors: LookUp, *, count: int, allowed: Mask) -> Integers:
        """Return the nearest of the allowed rows, nearest first."""
        rows = np.flatnonzero(allowed)
        differing = self._differing[rows]
        reached = np.cumsum(np.bincount(differing, minlength=SIGNS + 1))
        rows = rows[differing <= int(np.searchsorted(reached, CHECKED * count))]
        new = rows[np.isnan(self.exact[rows])]
        if len(new):
            self.exact[new] = vectors(self._columns.numbers[new]) @ self._vector
        return np.asarray(rows[top(self.exact[rows], count)], dtype=np.int64)
