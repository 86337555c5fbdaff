"""Probabilities from scores."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


def softmax(scores: ArrayLike) -> NDArray[np.floating[Any]]:
    """Return probabilities along the last axis, in the precision of the scores.

    Example:
        >>> softmax([0.0, 0.0]).tolist()
        [0.5, 0.5]
    """
    values = np.asarray(scores)
    raised = np.exp(values - values.max(axis=-1, keepdims=True))
    shares: NDArray[np.floating[Any]] = raised / raised.sum(axis=-1, keepdims=True)
    return shares
