"""The vectors of facts: the contract of an index, and the exact one over a flat array."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from asof.errors import BadInput

Vectors = npt.NDArray[np.float32]
"""Shape (n, dimensions) or (dimensions,), each of length 1."""

Mask = npt.NDArray[np.bool_]
"""Shape (rows,): which rows may be found."""

Hits = list[tuple[int, float]]
"""Rows with their cosine, the best first."""


class Index(ABC):
    """Vectors by row, where a row is a fact's number in the ledger's order; it can be rebuilt at any time."""

    @property
    @abstractmethod
    def size(self) -> int:
        """How many rows it holds: 0 to `size` - 1."""

    @abstractmethod
    def extend(self, vectors: Vectors, *, start: int) -> None:
        """Take in rows from `start` on, shape (n, dimensions); rows that it holds already stay as they are."""

    @abstractmethod
    def search(self, vector: Vectors, *, k: int, allowed: Mask | None = None) -> Hits:
        """The `k` allowed rows nearest to `vector`; `allowed` covers at least the first `size` rows."""

    @abstractmethod
    def clear(self) -> None:
        """Forget every row."""

    def close(self) -> None:  # noqa: B027 - an index in memory holds nothing that needs closing
        """Write out what is not written yet; the index is not used afterwards."""


class ExactIndex(Index):
    """Compares with every allowed row. In memory, or kept in a file of little-endian float32 rows.

    Args:
        path: the file; `None` keeps the rows in memory only. A last row that was cut short is left out.
        dimensions: length of a vector; `None` takes it from the first rows, which a file needs said.
    """

    def __init__(self, path: Path | None = None, *, dimensions: int | None = None) -> None:
        if path is not None and dimensions is None:
            raise BadInput(f"An index file needs its dimensions said to read {path}; pass dimensions=, such as 384.")
        self._path = path
        self._rows: Vectors = np.empty((0, dimensions or 0), dtype=np.float32)
        self._size = 0
        if path is not None and path.exists():
            self._load(path, dimensions or 0)

    @property
    def size(self) -> int:
        return self._size

    def extend(self, vectors: Vectors, *, start: int) -> None:
        vectors = np.ascontiguousarray(vectors, dtype="<f4")
        if self._size == 0 and self._rows.shape[1] == 0:
            self._rows = np.empty((0, vectors.shape[1]), dtype=np.float32)
        if vectors.ndim != 2 or vectors.shape[1] != self._rows.shape[1]:
            raise BadInput(f"The index takes vectors of {self._rows.shape[1]} numbers, not of shape {vectors.shape}.")
        vectors = vectors[self._size - start :]
        if self._path is not None:
            with self._path.open("ab") as file:
                file.write(vectors.tobytes())
        self._reserve(self._size + len(vectors))
        self._rows[self._size : self._size + len(vectors)] = vectors
        self._size += len(vectors)

    def search(self, vector: Vectors, *, k: int, allowed: Mask | None = None) -> Hits:
        if self._size == 0:
            return []
        scores = self._rows[: self._size] @ np.asarray(vector, dtype=np.float32)
        if allowed is not None:
            scores[~allowed[: self._size]] = -np.inf
        return best(scores, k=k)

    def clear(self) -> None:
        self._size = 0
        if self._path is not None:
            self._path.write_bytes(b"")

    def _reserve(self, size: int) -> None:
        if size > len(self._rows):
            grown = np.empty((max(size, 2 * len(self._rows), 1024), self._rows.shape[1]), dtype=np.float32)
            grown[: self._size] = self._rows[: self._size]
            self._rows = grown

    def _load(self, path: Path, dimensions: int) -> None:
        whole = path.stat().st_size // (4 * dimensions)
        with path.open("r+b") as file:
            file.truncate(whole * 4 * dimensions)
        self._rows = np.fromfile(path, dtype="<f4").reshape(whole, dimensions)
        self._size = whole


def best(scores: npt.NDArray[np.float32], *, k: int) -> Hits:
    """The `k` highest finite scores with their rows, the best first; ties go to the older row."""
    if k < len(scores):
        top = np.argpartition(-scores, k - 1)[:k]
        top = np.flatnonzero(scores >= scores[top].min()) if np.isfinite(scores[top].min()) else top
    else:
        top = np.arange(len(scores))
    top = top[np.isfinite(scores[top])]
    top = top[np.lexsort((top, -scores[top]))][:k]
    return [(int(row), float(scores[row])) for row in top]


def unit(vector: Sequence[float]) -> Vectors:
    """A vector scaled to length 1 as float32; a zero vector stays zero and is similar to nothing."""
    array: Vectors = np.asarray(vector, dtype=np.float32)
    length = float(np.linalg.norm(array))
    return array if length == 0 else (array / length).astype(np.float32)
