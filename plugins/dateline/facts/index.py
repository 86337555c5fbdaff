"""Contract of an index of vectors, and the exact reference in memory."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np
import numpy.typing as npt

from dateline.errors import BadInput, StoreFailed
from dateline.secrets import first_line

Vectors = npt.NDArray[np.float32]
"""Shape (n, dimensions) or (dimensions,), each of length 1."""

Mask = npt.NDArray[np.bool_]
"""Shape (rows,): which rows may be found."""

Hits = list[tuple[int, float]]
"""Rows with their cosine, the best first."""

_SEVERAL = 4
"""How many times more rows than wanted are asked for, so that enough allowed ones are among them."""


class Index(ABC):
    """Vectors of facts, numbered in the ledger's order; can always be rebuilt."""

    @property
    @abstractmethod
    def size(self) -> int:
        """Number of rows."""

    @property
    def batch(self) -> int:
        """Least number of new rows that are worth handing over."""
        return 1

    @property
    def place(self) -> str:
        """Place of the rows, told apart from a ledger's other indexes."""
        return type(self).__name__

    def follow(self, size: int) -> None:  # noqa: B027 - most indexes belong to one process
        """Take in rows that another process added, up to `size` of them."""

    @abstractmethod
    def extend(self, vectors: Vectors, *, start: int) -> None:
        """Add rows of shape (n, dimensions) from `start` on; keep present rows."""

    @abstractmethod
    def search(self, vector: Vectors, *, k: int, allowed: Mask | None = None) -> Hits:
        """Find the `k` nearest allowed rows; `allowed` covers at least `size` rows."""

    @abstractmethod
    def clear(self) -> None:
        """Forget every row."""

    def erase(self, rows: Sequence[int]) -> None:
        """Put zeros in the place of some rows, on disk too.

        An index that cannot forgets all of them, and is filled again.
        """
        self.clear()

    def rows(self, start: int, stop: int) -> Vectors | None:
        """Return the kept vectors of these rows, to check them.

        `None`: they cannot be read back.
        """
        return None

    def close(self) -> None:  # noqa: B027 - an index in memory holds nothing that needs closing
        """Write out what is pending; the index cannot be used afterwards."""


class ExactIndex(Index):
    """Reference index, which compares every allowed row in memory.

    Example:
        >>> import numpy as np
        >>> index = ExactIndex()
        >>> index.extend(np.eye(3, dtype=np.float32), start=0)
        >>> index.search(np.array([0, 1, 0], dtype=np.float32), k=1)
        [(1, 1.0)]
    """

    def __init__(self) -> None:
        self._rows: Vectors = np.empty((0, 0), dtype=np.float32)
        self._size = 0

    @property
    def size(self) -> int:
        return self._size

    def extend(self, vectors: Vectors, *, start: int) -> None:
        if self._size == 0:
            self._rows = np.empty((0, vectors.shape[1]), dtype=np.float32)
        check_width(vectors, dimensions=self._rows.shape[1])
        new = vectors[self._size - start :]
        size = self._size + len(new)
        if size > len(self._rows):
            grown = np.empty((max(size, 2 * len(self._rows), 1024), self._rows.shape[1]), dtype=np.float32)
            grown[: self._size] = self._rows[: self._size]
            self._rows = grown
        self._rows[self._size : size] = new
        self._size = size

    def search(self, vector: Vectors, *, k: int, allowed: Mask | None = None) -> Hits:
        if self._size == 0:
            return []
        return best(self._rows[: self._size] @ vector, k=k, allowed=allowed)

    def rows(self, start: int, stop: int) -> Vectors:
        return self._rows[start : min(stop, self._size)]

    def clear(self) -> None:
        self._size = 0

    def erase(self, rows: Sequence[int]) -> None:
        self._rows[[row for row in rows if row < self._size]] = 0


def check_width(vectors: Vectors, *, dimensions: int) -> None:
    """Raise `BadInput` for other than rows of so many numbers."""
    if vectors.ndim != 2 or vectors.shape[1] != dimensions:
        raise BadInput(f"The index takes vectors of {dimensions} numbers, not of shape {vectors.shape}.")


def best(scores: npt.NDArray[np.float32], *, k: int, allowed: Mask | None = None) -> Hits:
    """Return the `k` highest scores among allowed rows; older rows win ties."""
    if allowed is not None:
        scores = np.where(allowed[: len(scores)], scores, np.float32(-np.inf))
    if k < len(scores):
        top = np.argpartition(-scores, k - 1)[:k]
        top = np.flatnonzero(scores >= scores[top].min()) if np.isfinite(scores[top].min()) else top
    else:
        top = np.arange(len(scores))
    top = top[np.isfinite(scores[top])]
    top = top[np.lexsort((top, -scores[top]))][:k]
    return [(int(row), float(scores[row])) for row in top]


def unit(vector: Sequence[float]) -> Vectors:
    """Scale a vector to length 1 as float32; zero vectors stay zero."""
    array: Vectors = np.asarray(vector, dtype=np.float32)
    length = float(np.linalg.norm(array))
    return array if length == 0 else (array / length).astype(np.float32)


def nearest_allowed(find: Callable[[int], Hits], *, k: int, size: int, allowed: Mask | None) -> Hits:
    """Return the `k` nearest allowed rows of storage that knows no masks.

    Args:
        find: brings so many of the nearest rows.
        size: number of rows.
    """
    wanted = k if allowed is None else min(k, int(np.count_nonzero(allowed[:size])))
    asked = min(size, k * _SEVERAL)
    while wanted and asked:
        hits = [hit for hit in find(asked) if allowed is None or allowed[hit[0]]]
        if len(hits) >= wanted or asked == size:
            return hits[:k]
        asked = min(size, asked * _SEVERAL)
    return []


@contextmanager
def told_in_one_sentence(index: str) -> Iterator[None]:
    """Raise whatever a foreign index raises as `StoreFailed`."""
    try:
        yield
    except Exception as cause:  # such libraries document no common base of their errors
        raise StoreFailed(
            f"The {index} could not be used ({first_line(cause)}); nothing was lost, rebuild_store() builds it anew from the ledger."
        ) from cause
