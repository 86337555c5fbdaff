"""Signs of vectors, to estimate the cosines of all at once."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Bits = NDArray[np.uint64]

SIGNS = 512
"""Bits a vector: an angle of 60 degrees is estimated to 4 degrees. Chosen by hand."""

_CHUNK = 1 << 15
"""Vectors compared at a time, so that what is worked on stays in the processor's cache."""


def signs_of(vectors: Floats) -> Bits:
    """Return on which side of 512 random planes each vector lies.

    Vectors of shape (n, dimensions) give bits of shape (8, n). Random planes serve vectors of any kind (Charikar, 2002).
    """
    planes = _planes(vectors.shape[1])
    packed = np.packbits(vectors @ planes > 0, axis=1)
    return np.ascontiguousarray(packed.view(np.uint64).T)


def estimated_cosines(bits: Bits, vector: Floats) -> Floats:
    """Return the estimated cosine of each vector with one, shape (n,)."""
    return _COSINES[_differing(bits, signs_of(vector[np.newaxis])[:, 0])]


_COSINES: Floats = np.cos(np.pi * np.arange(SIGNS + 1) / SIGNS).astype(np.float32)


def _differing(bits: Bits, signs: Bits) -> NDArray[np.uint16]:
    size = bits.shape[1]
    result = np.empty(size, dtype=np.uint16)
    differing, counted = np.empty(_CHUNK, dtype=np.uint64), np.empty(_CHUNK, dtype=np.uint8)
    for start in range(0, size, _CHUNK):
        part = result[start : start + _CHUNK]
        part[:] = 0
        for word, sign in zip(bits, signs, strict=True):
            np.bitwise_xor(word[start : start + len(part)], sign, out=differing[: len(part)])
            np.bitwise_count(differing[: len(part)], out=counted[: len(part)])
            part += counted[: len(part)]
    return result


@lru_cache(maxsize=4)
def _planes(dimensions: int) -> Floats:
    # RandomState gives one sequence for ever; bits on disk must mean the same tomorrow.
    return np.random.RandomState(dimensions).standard_normal((dimensions, SIGNS)).astype(np.float32)
