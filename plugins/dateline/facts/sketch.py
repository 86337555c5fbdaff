"""Sketch of one bit a number, small enough to scan every vector."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from dateline.facts.index import Mask, Vectors

_CHUNK = 1 << 16
"""Rows compared at a time, so that what is worked on stays in the processor's cache."""

_HIDDEN = np.iinfo(np.uint16).max


class Sketch:
    """The signs of vectors, compared by how many differ.

    Keeps 1/32 of the vectors' size in memory; a million rows of 384 numbers take 48 MB.
    """

    def __init__(self, dimensions: int) -> None:
        self._words = -(-dimensions // 64)
        self._bits: npt.NDArray[np.uint64] = np.empty((self._words, 1024), dtype=np.uint64)
        self.size = 0

    def extend(self, vectors: Vectors) -> None:
        """Take in the next rows, shape (n, dimensions)."""
        size = self.size + len(vectors)
        if size > self._bits.shape[1]:
            grown = np.empty((self._words, max(size, 2 * self._bits.shape[1])), dtype=np.uint64)
            grown[:, : self.size] = self._bits[:, : self.size]
            self._bits = grown
        self._bits[:, self.size : size] = self._signs(vectors).T
        self.size = size

    def clear(self) -> None:
        self.size = 0

    def nearest(self, vector: Vectors, *, count: int, allowed: Mask | None) -> npt.NDArray[np.intp]:
        """Return about `count` allowed rows of nearest signs, all ties included."""
        distances = self._distances(self._signs(vector[np.newaxis])[0])
        if allowed is not None:
            distances[~allowed[: self.size]] = _HIDDEN
        visible = self._words * 64
        reached = np.cumsum(np.bincount(distances, minlength=visible + 1)[: visible + 1])
        return np.flatnonzero(distances <= min(visible, int(np.searchsorted(reached, count))))

    def _signs(self, vectors: Vectors) -> npt.NDArray[np.uint64]:
        bits = np.packbits(vectors > 0, axis=1)
        padded = np.zeros((len(vectors), self._words * 8), dtype=np.uint8)
        padded[:, : bits.shape[1]] = bits
        return padded.view(np.uint64)

    def _distances(self, signs: npt.NDArray[Any]) -> npt.NDArray[np.uint16]:
        distances = np.empty(self.size, dtype=np.uint16)
        differing, counted = np.empty(_CHUNK, dtype=np.uint64), np.empty(_CHUNK, dtype=np.uint8)
        for start in range(0, self.size, _CHUNK):
            part = distances[start : start + _CHUNK]
            part[:] = 0
            for word, sign in enumerate(signs):
                row = self._bits[word, start : start + len(part)]
                np.bitwise_xor(row, sign, out=differing[: len(part)])
                np.bitwise_count(differing[: len(part)], out=counted[: len(part)])
                part += counted[: len(part)]
        return distances
