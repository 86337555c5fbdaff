"""Calibration of probabilities, and its measures: ECE, AUROC."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dateline.errors import BadInput, check_least
from dateline.softmax import Floats, log_odds, logistic

_EDGE = 1e-6
_TOWARDS_ONE = 1.0
"""The weight, in outcomes, of a line without slope of its own."""
_SEARCH = (0.02, 50.0)
"""The temperatures considered; beyond them every probability is 0, 1 or even."""


@dataclass(frozen=True, slots=True)
class Temperature:
    """Temperature scaling of log-odds (Guo et al. 2017).

    Above 1 softens, below 1 sharpens; the order stays.

    Example:
        >>> Temperature(2.0).apply([0.8, 0.99]).round(2).tolist()
        [0.67, 0.91]
    """

    value: float = 1.0

    def __post_init__(self) -> None:
        if not self.value > 0:
            raise BadInput(f"A temperature must be above 0, not {self.value}.")

    @classmethod
    def fit(cls, probabilities: ArrayLike, *, correct: ArrayLike) -> Temperature:
        """Fit the temperature of least cross-entropy; shapes (n,). Raises `BadInput`."""
        p, y = _pairs(probabilities, correct)
        grid = np.exp(np.linspace(np.log(_SEARCH[0]), np.log(_SEARCH[1]), 400))
        losses = [_cross_entropy(cls(float(t)).apply(p), y) for t in grid]
        return cls(float(grid[int(np.argmin(losses))]))

    def apply(self, probabilities: ArrayLike) -> Floats:
        """Return the calibrated probabilities, same shape."""
        return logistic(log_odds(probabilities, least=_EDGE) / self.value)


@dataclass(frozen=True, slots=True)
class Platt:
    """Platt scaling: a line through the log-odds (Platt 1999).

    Also mends an estimator that is too sure or too modest throughout.

    Two numbers, so some dozens of outcomes suffice, where `Isotonic` asks for hundreds.

    Example:
        >>> Platt(scale=0.5, shift=-0.5).apply([0.8, 0.99]).round(2).tolist()
        [0.55, 0.86]
    """

    scale: float = 1.0
    shift: float = 0.0

    @classmethod
    def fit(cls, probabilities: ArrayLike, *, correct: ArrayLike) -> Platt:
        """Fit the line of least cross-entropy; shapes (n,). Raises `BadInput`."""
        p, y = _pairs(probabilities, correct)
        x = np.column_stack([log_odds(p, least=_EDGE), np.ones(len(p))])
        w, drawn = np.array([1.0, 0.0]), np.diag([_TOWARDS_ONE, 1e-3])
        for _ in range(200):
            q = logistic(x @ w)
            slope = x.T @ (q - y) + drawn @ (w - np.array([1.0, 0.0]))
            step = np.linalg.solve((x * (q * (1 - q))[:, None]).T @ x + drawn, slope)
            # Short steps, since Newton's own may jump to where every probability is 0 or 1.
            w = w - step / max(1.0, float(np.abs(step).max()))
            if np.abs(step).max() < 1e-9:
                break
        return cls(max(0.0, float(w[0])), float(w[1]))

    def apply(self, probabilities: ArrayLike) -> Floats:
        """Return the calibrated probabilities, same shape."""
        return logistic(self.scale * log_odds(probabilities, least=_EDGE) + self.shift)


@dataclass(frozen=True, slots=True)
class Isotonic:
    """Isotonic calibration by pooling adjacent violators.

    `knots` are (raw, calibrated) pairs of a rising piecewise linear map.

    Example:
        >>> Isotonic.fit([0.2, 0.6, 0.9], correct=[False, False, True]).apply([0.5, 0.75]).round(1).tolist()
        [0.2, 0.7]
    """

    knots: tuple[tuple[float, float], ...]

    @classmethod
    def fit(cls, probabilities: ArrayLike, *, correct: ArrayLike) -> Isotonic:
        """Fit the rising map of least squares; shapes (n,). Raises `BadInput`."""
        p, y = _pairs(probabilities, correct)
        blocks: list[tuple[float, float, float]] = []  # (sum of raw, sum of outcomes, count)
        for value in np.unique(p):
            here = p == value
            blocks.append((float(p[here].sum()), float(y[here].sum()), float(here.sum())))
            while len(blocks) > 1 and blocks[-2][1] / blocks[-2][2] >= blocks[-1][1] / blocks[-1][2]:
                last, before = blocks.pop(), blocks.pop()
                blocks.append((before[0] + last[0], before[1] + last[1], before[2] + last[2]))
        return cls(tuple((raw / count, hits / count) for raw, hits, count in blocks))

    def apply(self, probabilities: ArrayLike) -> Floats:
        """Return the calibrated probabilities, level beyond the outer knots."""
        raw, calibrated = np.array(self.knots).T
        result: Floats = np.interp(np.asarray(probabilities, dtype=np.float64), raw, calibrated)
        return result


@dataclass(frozen=True, slots=True)
class Bin:
    """One bar of a reliability diagram."""

    lower: float
    upper: float
    confidence: float
    accuracy: float
    count: int


def reliability_diagram(probabilities: ArrayLike, *, correct: ArrayLike, bins: int = 10) -> list[Bin]:
    """Return the occupied ones of `bins` equal bins, rising."""
    check_least(1, bins=bins)
    p, y = _pairs(probabilities, correct)
    places = np.minimum((p * bins).astype(int), bins - 1)
    return [
        Bin(i / bins, (i + 1) / bins, float(p[here].mean()), float(y[here].mean()), int(here.sum()))
        for i in range(bins)
        if (here := places == i).any()
    ]


def expected_calibration_error(probabilities: ArrayLike, *, correct: ArrayLike, bins: int = 10) -> float:
    """Return the bins' weighted mean gap of confidence and accuracy, 0: perfect."""
    found = reliability_diagram(probabilities, correct=correct, bins=bins)
    total = sum(one.count for one in found)
    return sum(one.count * abs(one.confidence - one.accuracy) for one in found) / total


def auroc(scores: ArrayLike, *, correct: ArrayLike) -> float:
    """Return the chance that a right answer scores above a wrong one.

    Ties count half; 0.5 when all are right or all wrong.
    """
    s, y = np.asarray(scores, dtype=np.float64), np.asarray(correct, dtype=bool)
    if s.shape != y.shape or s.ndim != 1:
        raise BadInput(f"Scores and outcomes must be two lists of one length, not shapes {s.shape} and {y.shape}.")
    positives, negatives = int(y.sum()), int((~y).sum())
    if not positives or not negatives:
        return 0.5
    _, inverse, counts = np.unique(s, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    return float((ranks[y].sum() - positives * (positives + 1) / 2) / (positives * negatives))


def _pairs(probabilities: ArrayLike, correct: ArrayLike) -> tuple[Floats, Floats]:
    p, y = np.asarray(probabilities, dtype=np.float64), np.asarray(correct, dtype=np.float64)
    if p.shape != y.shape or p.ndim != 1 or not p.size:
        raise BadInput(
            f"Probabilities and outcomes must be two filled lists of one length, not {p.shape} and {y.shape}."
        )
    if not ((p >= 0) & (p <= 1)).all():
        raise BadInput("Probabilities must lie between 0 and 1; pass calibrated or softmax outputs, not logits.")
    return p, y


def _cross_entropy(p: Floats, y: Floats) -> float:
    p = np.clip(p, _EDGE, 1 - _EDGE)
    return float(-(y * np.log(p) + (1 - y) * np.log(1 - p)).mean())
