"""Arithmetic on groups that lie one after the other in an array."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.int64]


def bounds_of(sizes: NDArray[np.integer[Any] | np.bool_]) -> Places:
    """Return each group's beginning, and the last one's end."""
    bounds = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.cumsum(sizes, out=bounds[1:])
    return bounds


def ranges(starts: Places, sizes: Places) -> Places:
    """Return the numbers of all ranges, one range after the other."""
    shifts = np.repeat(starts - (np.cumsum(sizes) - sizes), sizes)
    return shifts + np.arange(len(shifts))


def any_in(flags: NDArray[np.bool_], sizes: NDArray[np.integer[Any]]) -> NDArray[np.bool_]:
    """Return whether any flag of each group is set."""
    before, bounds = bounds_of(flags), bounds_of(sizes)
    return np.asarray(before[bounds[1:]] > before[bounds[:-1]])
