"""Words as numbers, so that texts of words are arrays."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.uint64]


@lru_cache(maxsize=1 << 17)
def term_id(term: str) -> int:
    """Return 64 bits of a term's hash, the same in every process."""
    return int.from_bytes(hashlib.blake2b(term.encode(errors="replace"), digest_size=8).digest(), "little")


def term_ids(terms: Iterable[str]) -> Ids:
    """Return the terms' numbers, in order, with repeats.

    Example:
        >>> first, second, third = term_ids(["ferry", "lake", "ferry"]).tolist()
        >>> first == third != second
        True
    """
    return np.fromiter(map(term_id, terms), dtype=np.uint64)
