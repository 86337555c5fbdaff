"""Signs of vectors, to estimate the cosines of all at once."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Bits = NDArray[np.uint64]
Counts = NDArray[np.uint16]

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


def differing_signs(bits: Bits, vector: Floats) -> Counts:
    """Count the signs in which each vector differs from one, shape (n,)."""
    return differing_bits(bits, signs_of(vector[np.newaxis])[:, 0])


def differing_bits(bits: Bits, signs: Bits) -> Counts:
    """Count the bits in which each column differs from one, shape (n,).

    Columns of words, shape (words, n), are compared with one of shape (words,).
    """
    result = np.empty(bits.shape[1], dtype=np.uint16)
    differing, counted = np.empty(_CHUNK, dtype=np.uint64), np.empty(_CHUNK, dtype=np.uint8)
    for start in range(0, len(result), _CHUNK):
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
