"""Vectors of facts in one memory-mapped file; needs nothing but numpy."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from dateline.errors import BadInput, StoreFailed
from dateline.facts.index import Hits, Index, Mask, Vectors, best
from dateline.facts.sketch import Sketch
from dateline.files import identity, locked, make_file, write_whole

EXACT_ROWS = 20_000
"""Up to so many rows every one is compared in full."""

CANDIDATES = 4_000
CANDIDATE_SHARE = 100
"""Beyond, the sketch picks this many rows, or one in a hundred where that is more, to be compared in full."""

_SKETCHED_AT_ONCE = 65_536


class FileIndex(Index):
    """Rows of little-endian float32, in a file that processes may share.

    Exact up to `EXACT_ROWS` rows, and wherever the mask leaves no more rows than are compared in full.
    Beyond, a sketch picks the rows that are compared in full, by the vectors' signs: similarities are always
    those of the full vectors, but a near row can be missed. Of the true ten nearest among 100,000, all were found for
    vectors in clusters, as those of texts are, 99 in 100 for lexical ones, and 87 in 100 for vectors without any
    structure, the hardest case (`benchmarks/facts.py`).

    Args:
        path: the file, made when it is not there. A last row that was cut short is written anew.
        dimensions: length of a vector.

    Raises:
        StoreFailed: when the file cannot be read.

    Example:
        >>> from pathlib import Path
        >>> import numpy as np
        >>> index = FileIndex(Path("vectors.f32"), dimensions=3)
        >>> index.extend(np.eye(3, dtype=np.float32), start=0)
        >>> index.search(np.array([0, 1, 0], dtype=np.float32), k=1)
        [(1, 1.0)]
    """

    def __init__(self, path: Path, *, dimensions: int) -> None:
        if dimensions < 1:
            raise BadInput(f"A vector has at least 1 dimension, not {dimensions}.")
        self._path = path
        self._dimensions = dimensions
        self._sketch = Sketch(dimensions)
        self._rows: Vectors = np.empty((0, dimensions), dtype=np.float32)
        with self._told_in_one_sentence():
            make_file(path)
            self._folder = identity(path.parent)
            self._map(path.stat().st_size // self._row_bytes)

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(FileIndex, self._path.absolute(), dimensions=self._dimensions), ()

    @property
    def size(self) -> int:
        return len(self._rows)

    def extend(self, vectors: Vectors, *, start: int) -> None:
        if vectors.ndim != 2 or vectors.shape[1] != self._dimensions:
            raise BadInput(f"The index takes vectors of {self._dimensions} numbers, not of shape {vectors.shape}.")
        if identity(self._path.parent) != self._folder:
            raise StoreFailed(f"The folder of the index {self._path} was deleted or replaced; open the store again.")
        with self._told_in_one_sentence(), self._path.open("r+b") as file, locked(file):
            there = os.fstat(file.fileno()).st_size // self._row_bytes
            if there < start:
                raise StoreFailed(f"The index {self._path} has lost rows; rebuild it from the ledger with reindex().")
            file.seek(there * self._row_bytes)
            try:
                file.write(np.ascontiguousarray(vectors[there - start :], dtype="<f4").tobytes())
                file.flush()
            except OSError:
                file.truncate(there * self._row_bytes)
                raise
            # No further: rows of another process belong to facts that this one may not have read yet.
            self._map(start + len(vectors))

    def search(self, vector: Vectors, *, k: int, allowed: Mask | None = None) -> Hits:
        if self.size <= EXACT_ROWS:
            return best(self._rows @ vector, k=k, allowed=allowed)
        rows = self._candidates(vector, k=k, allowed=allowed)
        return [(int(rows[place]), similarity) for place, similarity in best(self._rows[rows] @ vector, k=k)]

    def clear(self) -> None:
        with self._told_in_one_sentence():
            write_whole(self._path, b"")  # never truncated: another process may have the old file mapped
        self._rows = np.empty((0, self._dimensions), dtype=np.float32)
        self._sketch.clear()

    def rows(self, start: int, stop: int) -> Vectors:
        return self._rows[start:stop]

    @property
    def _row_bytes(self) -> int:
        return 4 * self._dimensions

    def _candidates(
        self, vector: Vectors, *, k: int, allowed: Mask | None
    ) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
        wanted = max(CANDIDATES, self.size // CANDIDATE_SHARE, k)
        if allowed is not None and np.count_nonzero(allowed[: self.size]) <= wanted:
            return np.flatnonzero(allowed[: self.size])
        return self._sketch.nearest(vector, count=wanted, allowed=allowed)

    def _map(self, size: int) -> None:
        if size > self.size:
            self._rows = np.memmap(self._path, dtype="<f4", mode="r", shape=(size, self._dimensions))
        for start in range(self._sketch.size, size, _SKETCHED_AT_ONCE):
            self._sketch.extend(self._rows[start : min(size, start + _SKETCHED_AT_ONCE)])

    @contextmanager
    def _told_in_one_sentence(self) -> Iterator[None]:
        try:
            yield
        except OSError as cause:
            raise StoreFailed(
                f"The index {self._path} could not be used ({cause.strerror}); nothing was lost, the ledger has it all."
            ) from cause
