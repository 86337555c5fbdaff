"""Rows of vectors in a file that grows, mapped rather than loaded."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from dateline.facts.index import Vectors
from dateline.files import make_file, write_whole

_MAPPED_AT_ONCE = 256
"""New rows from which on the file is mapped anew; fewer are held in memory. Chosen by hand."""

_COMPARED_AT_ONCE = 1 << 19
"""Bytes compared at a time: small enough that a copy asks for no new memory, and that the product takes one thread.

Beside other work, threads that wait for each other spend ten times the product's processor time."""


class RowFile:
    """Rows of little-endian float32, in a file that processes may share.

    A new mapping has every page of it looked up again, so it is not made for every new row.

    Args:
        path: the file, made when it is not there.
        dimensions: length of a row.

    Attributes:
        row_bytes: size of a row in the file.
    """

    def __init__(self, path: Path, dimensions: int) -> None:
        make_file(path)
        self.row_bytes = 4 * dimensions
        self._path = path
        self._width = dimensions
        self._none: Vectors = np.empty((0, dimensions), dtype=np.float32)
        self._mapped = self._newest = self._none
        self.follow(self.stored)

    @property
    def size(self) -> int:
        return len(self._mapped) + len(self._newest)

    @property
    def stored(self) -> int:
        """Number of rows in the file."""
        return self._path.stat().st_size // self.row_bytes

    def follow(self, size: int) -> None:
        """Take in the rows that are in the file, at most `size`."""
        size = min(size, self.stored)
        if size - len(self._mapped) >= _MAPPED_AT_ONCE:
            self._mapped, self._newest = self.map(size), self._none
        elif size > self.size:
            numbers = (size - self.size) * self._width
            new = np.fromfile(self._path, dtype="<f4", count=numbers, offset=self.size * self.row_bytes)
            self._newest = np.concatenate([self._newest, new.reshape(-1, self._width)])

    def map(self, size: int) -> Vectors:
        """Map the first rows."""
        return np.asarray(np.memmap(self._path, dtype="<f4", mode="r", shape=(size, self._width)))

    def clear(self) -> None:
        """Forget every row."""
        write_whole(self._path, b"")  # never truncated: another process may have the old file mapped
        self._mapped = self._newest = self._none

    def erase(self, rows: Sequence[int]) -> None:
        """Write zeros in the place of rows that are in the file."""
        zeros, there = bytes(self.row_bytes), self.stored
        with self._path.open("r+b") as file:
            for row in rows:
                if row < there:
                    file.seek(row * self.row_bytes)
                    file.write(zeros)
            file.flush()
            os.fsync(file.fileno())
        held = [row - len(self._mapped) for row in rows if len(self._mapped) <= row < self.size]
        self._newest[held] = 0

    def rows(self, start: int, stop: int) -> Vectors:
        """Return some of the rows."""
        mapped = len(self._mapped)
        return np.concatenate([self._mapped[start:stop], self._newest[max(0, start - mapped) : max(0, stop - mapped)]])

    def scores(self, vector: Vectors) -> npt.NDArray[np.float32]:
        """Return the product of each row with a vector."""
        parts = [self._mapped[some] @ vector for some in self._slices(len(self._mapped))]
        return np.concatenate([*parts, self._newest @ vector])

    def scores_of(self, rows: npt.NDArray[np.intp], vector: Vectors) -> npt.NDArray[np.float32]:
        """Return the product of ascending rows with a vector."""
        old = rows[: np.searchsorted(rows, len(self._mapped))]
        parts = [self._mapped.take(old[some], axis=0) @ vector for some in self._slices(len(old))]
        return np.concatenate([*parts, self._newest[rows[len(old) :] - len(self._mapped)] @ vector])

    def _slices(self, count: int) -> list[slice]:
        at_once = max(1, _COMPARED_AT_ONCE // self.row_bytes)
        return [slice(start, start + at_once) for start in range(0, count, at_once)]
