"""Sketch of vectors in files, small enough to scan."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from dateline.facts.index import Mask, Vectors
from dateline.files import make_file, write_whole
from dateline.text.signs import differing_bits

Bits = npt.NDArray[np.uint64]
"""Shape (n, words)."""

_WORDS, _FIRST_WORDS = 8, 2
"""Words of 64 bits of a row, and how many of them are looked at for every row. Chosen by hand, see `FileIndex`."""

_FIRST_SHARE, _FIRST_LEAST = 12, 8_000
"""One row in twelve goes on to the second look, and no fewer than so many."""

_HIDDEN = 64 * _WORDS + 1
"""A distance beyond all others."""

_SAMPLED = 16
"""One row in sixteen tells how near those must be that go on."""


class Sketch:
    """The signs of random projections of vectors, compared by how many differ.

    A search looks at a few signs of every row, 16 bytes each, then at all signs of the nearest rows only. Both lie in
    files beside the vectors, are mapped, never loaded, and can be made anew from the vectors.

    Args:
        path: that of the vectors; the files beside it have its name and an ending each.
        dimensions: length of a vector.
    """

    def __init__(self, path: Path, dimensions: int) -> None:
        self._dimensions = dimensions
        self._first = _BitFile(path.with_name(f"{path.name}.few"), _FIRST_WORDS)
        self._all = _BitFile(path.with_name(f"{path.name}.signs"), _WORDS)

    @property
    def size(self) -> int:
        return min(self._first.size, self._all.size)

    @property
    def stored(self) -> int:
        """Number of rows in the files."""
        return min(self._first.stored, self._all.stored)

    def follow(self, size: int) -> None:
        """Map the rows that are in the files, at most `size`."""
        self._first.follow(size)
        self._all.follow(size)

    def clear(self) -> None:
        """Forget every row."""
        self._first.clear()
        self._all.clear()

    def extend(self, vectors: Vectors, *, start: int) -> None:
        """Write rows of shape (n, dimensions) from `start` on.

        They take the place of what is there; one process at a time.
        """
        signs = self._signs(vectors)
        self._first.write(signs[:, :_FIRST_WORDS], start=start)
        self._all.write(signs, start=start)

    def erase(self, rows: Sequence[int]) -> None:
        """Write the signs of zeros in the place of rows."""
        zeros: Bits = np.zeros((1, _WORDS), dtype=np.uint64)
        for row in rows:
            if row < self.stored:
                self._first.write(zeros[:, :_FIRST_WORDS], start=row)
                self._all.write(zeros, start=row)

    def nearest(self, vector: Vectors, *, count: int, allowed: Mask | None) -> npt.NDArray[np.intp]:
        """Return about `count` allowed rows of nearest signs."""
        (signs,) = self._signs(vector[np.newaxis])
        distances = differing_bits(self._first.bits[: self.size].T, signs[:_FIRST_WORDS])
        if allowed is not None:
            distances[~allowed[: self.size]] = _HIDDEN
        rows = _nearest(distances, max(_FIRST_LEAST, self.size // _FIRST_SHARE, count), sampled=_SAMPLED)
        if len(rows) <= count:
            return rows
        return rows[_nearest(differing_bits(self._all.bits.take(rows, axis=0).T, signs), count)]

    def _signs(self, vectors: Vectors) -> Bits:
        positive = vectors @ _projection(self._dimensions) > 0
        return np.packbits(positive, axis=1).view("<u8")


class _BitFile:
    """Rows of whole words in a file of their own, mapped."""

    def __init__(self, path: Path, words: int) -> None:
        self._path = path
        self._words = words
        make_file(path)
        self.bits: Bits = np.empty((0, words), dtype=np.uint64)

    @property
    def size(self) -> int:
        return len(self.bits)

    @property
    def stored(self) -> int:
        return self._path.stat().st_size // (8 * self._words)

    def clear(self) -> None:
        write_whole(self._path, b"")  # never truncated: another process may have the old file mapped
        self.follow(0)

    def follow(self, size: int) -> None:
        there = min(size, self.stored)
        if there != self.size:
            self.bits = np.empty((0, self._words), dtype=np.uint64)
            if there:
                self.bits = np.asarray(np.memmap(self._path, dtype="<u8", mode="r", shape=(there, self._words)))

    def write(self, bits: Bits, *, start: int) -> None:
        with self._path.open("r+b") as file:
            file.seek(start * 8 * self._words)
            file.write(np.ascontiguousarray(bits, dtype="<u8").tobytes())


def _nearest(distances: npt.NDArray[np.uint16], count: int, *, sampled: int = 1) -> npt.NDArray[np.intp]:
    """Return places of the least distances in order, all ties included.

    Args:
        sampled: one distance in so many tells how near they must be.
    """
    reached = np.cumsum(np.bincount(distances[::sampled], minlength=_HIDDEN))
    return np.flatnonzero(distances <= min(int(np.searchsorted(reached, count / sampled)), _HIDDEN - 1))


@lru_cache(maxsize=4)
def _projection(dimensions: int) -> Vectors:
    """Return the directions of projection, the same in every process."""
    random = np.random.default_rng(dimensions)
    return random.standard_normal((dimensions, 64 * _WORDS), dtype=np.float32)
