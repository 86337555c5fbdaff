"""Probabilities from scores, and back."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


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


def logistic(log_odds: ArrayLike) -> Floats:
    """Return 1 / (1 + exp(-x)) without overflow.

    Example:
        >>> logistic([0.0, 1000.0]).tolist()
        [0.5, 1.0]
    """
    return np.asarray(0.5 * (1 + np.tanh(0.5 * np.asarray(log_odds))))


def log_odds(probabilities: ArrayLike, *, least: float) -> Floats:
    """Return log(p / (1 - p)).

    Args:
        least: how near to 0 and 1 a probability counts at most.

    Example:
        >>> log_odds([0.5, 0.0], least=0.5).tolist()
        [0.0, 0.0]
    """
    held = np.clip(np.asarray(probabilities, dtype=np.float64), least, 1 - least)
    return np.asarray(np.log(held / (1 - held)))
