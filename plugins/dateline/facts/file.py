"""Vectors of facts in one memory-mapped file; needs nothing but numpy."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from dateline.errors import BadInput, StoreFailed
from dateline.facts.index import Hits, Index, Mask, Vectors, best
from dateline.facts.row_file import RowFile
from dateline.facts.sketch import Sketch
from dateline.files import identity, locked

EXACT_ROWS = 4_000
"""Up to so many rows every one is compared in full."""

CANDIDATES = 800
"""Beyond, the sketch picks this many rows to be compared in full."""

_SKETCHED_AT_ONCE = 8_192

_SKETCHED_FROM = 256
"""Rows without a sketch from which on it is written; fewer are compared in full. Chosen by hand."""


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
        with self._told_in_one_sentence():
            self._rows = RowFile(path, dimensions)
            self._folder = identity(path.parent)
            self._sketch = Sketch(path, dimensions)
            self._sketch.follow(self.size)
            if self.size - self._sketch.size > EXACT_ROWS or self._sketch.stored > self.size:
                self._sketch_anew()

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(FileIndex, self._path.absolute(), dimensions=self._dimensions), ()

    @property
    def size(self) -> int:
        return self._rows.size

    @property
    def place(self) -> str:
        return f"{super().place} {self._path.absolute()}"

    def extend(self, vectors: Vectors, *, start: int) -> None:
        if vectors.ndim != 2 or vectors.shape[1] != self._dimensions:
            raise BadInput(f"The index takes vectors of {self._dimensions} numbers, not of shape {vectors.shape}.")
        if identity(self._path.parent) != self._folder:
            raise StoreFailed(f"The folder of the index {self._path} was deleted or replaced; open the store again.")
        with self._told_in_one_sentence(), self._path.open("r+b") as file, locked(file):
            there = os.fstat(file.fileno()).st_size // self._rows.row_bytes
            if there < start:
                raise StoreFailed(f"The index {self._path} has lost rows; rebuild it from the ledger with reindex().")
            file.seek(there * self._rows.row_bytes)
            try:
                file.write(np.ascontiguousarray(vectors[there - start :], dtype="<f4").tobytes())
                file.flush()
            except OSError:
                file.truncate(there * self._rows.row_bytes)
                raise
            self._write_sketch(there=there, size=max(there, start + len(vectors)))
            # No further: rows of another process belong to facts that this one may not have read yet.
            self._map(start + len(vectors))

    def follow(self, size: int) -> None:
        if self.size < size:
            with self._told_in_one_sentence():
                self._map(size)

    def search(self, vector: Vectors, *, k: int, allowed: Mask | None = None) -> Hits:
        if self.size <= EXACT_ROWS:
            return best(self._rows.scores(vector), k=k, allowed=allowed)
        rows = self._candidates(vector, k=k, allowed=allowed)
        return [(int(rows[place]), similarity) for place, similarity in best(self._rows.scores_of(rows, vector), k=k)]

    def clear(self) -> None:
        with self._told_in_one_sentence():
            self._sketch.clear()  # first: a sketch must never stand for other rows
            self._rows.clear()

    def erase(self, rows: Sequence[int]) -> None:
        with self._told_in_one_sentence(), self._path.open("r+b") as file, locked(file):
            self._rows.erase(rows)
            self._sketch.erase(rows)

    def rows(self, start: int, stop: int) -> Vectors:
        return self._rows.rows(start, stop)

    def _candidates(
        self, vector: Vectors, *, k: int, allowed: Mask | None
    ) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
        wanted = max(CANDIDATES, 2 * k)
        if allowed is not None and np.count_nonzero(allowed[: self.size]) <= wanted:
            return np.flatnonzero(allowed[: self.size])
        near = self._sketch.nearest(vector, count=wanted, allowed=allowed)
        # What another process has not sketched yet, or was killed before it did, is compared too.
        rest = np.arange(self._sketch.size, self.size)
        return np.concatenate([near, rest if allowed is None else rest[allowed[rest]]])

    def _map(self, size: int) -> None:
        self._rows.follow(size)
        self._sketch.follow(self.size)

    def _sketch_anew(self) -> None:
        """Sketch a file without a sketch of its own rows."""
        with self._path.open("r+b") as file, locked(file):
            there = os.fstat(file.fileno()).st_size // self._rows.row_bytes
            if self._sketch.stored > there:
                self._sketch.clear()
            self._write_sketch(there=there, size=there)
        self._sketch.follow(self.size)

    def _write_sketch(self, *, there: int, size: int) -> None:
        """Sketch rows up to `size`, of which `there` were there before."""
        start = min(there, self._sketch.stored)
        if size <= EXACT_ROWS or size - start < _SKETCHED_FROM:
            return
        rows = self._rows.map(size)
        for first in range(start, size, _SKETCHED_AT_ONCE):
            self._sketch.extend(rows[first : first + _SKETCHED_AT_ONCE], start=first)

    @contextmanager
    def _told_in_one_sentence(self) -> Iterator[None]:
        try:
            yield
        except OSError as cause:
            raise StoreFailed(
                f"The index {self._path} could not be used ({cause.strerror}); nothing was lost, the ledger has it all."
            ) from cause
