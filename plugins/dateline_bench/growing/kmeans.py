"""k-means in numpy, the same for the same seed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_ROUNDS, _STARTS = 50, 8


def kmeans(vectors: NDArray[np.float32], *, clusters: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """Cluster rows; the best of eight k-means++ starts.

    Shape (rows,), from 0; no cluster is empty.

    `vectors` has the shape (rows, dimensions); with `clusters` or fewer rows each is its own.
    """
    if len(vectors) <= clusters:
        return np.arange(len(vectors))
    tried = [_lloyd(vectors, clusters, rng) for _ in range(_STARTS)]
    return min(tried, key=lambda labels: _spent(vectors, labels, clusters))


def _lloyd(vectors: NDArray[np.float32], clusters: int, rng: np.random.Generator) -> NDArray[np.intp]:
    centres = _spread(vectors, clusters, rng)
    labels = np.full(len(vectors), -1)
    for _ in range(_ROUNDS):
        distances = _distances(vectors, centres)
        nearest = distances.argmin(axis=1)
        for cluster in range(clusters):
            if not (nearest == cluster).any():
                # The row farthest from its centre, of a cluster that can spare one.
                spare = np.bincount(nearest, minlength=clusters)[nearest] > 1
                nearest[int(np.where(spare, distances.min(axis=1), -1.0).argmax())] = cluster
        if (nearest == labels).all():
            break
        labels = nearest
        centres = _centres(vectors, labels, clusters)
    return labels


def _centres(vectors: NDArray[np.float32], labels: NDArray[np.intp], clusters: int) -> NDArray[np.float32]:
    return np.stack([vectors[labels == cluster].mean(axis=0) for cluster in range(clusters)])


def _spent(vectors: NDArray[np.float32], labels: NDArray[np.intp], clusters: int) -> float:
    """The sum of squared distances to the rows' centres."""
    return float(((vectors - _centres(vectors, labels, clusters)[labels]) ** 2).sum())


def _spread(vectors: NDArray[np.float32], clusters: int, rng: np.random.Generator) -> NDArray[np.float32]:
    chosen = [int(rng.integers(len(vectors)))]
    while len(chosen) < clusters:
        far = _distances(vectors, vectors[chosen]).min(axis=1)
        far[chosen] = 0.0
        if far.sum() <= 0:
            chosen.append(int(rng.choice(np.setdiff1d(np.arange(len(vectors)), chosen))))
        else:
            chosen.append(int(rng.choice(len(vectors), p=far / far.sum())))
    return vectors[chosen]


def _distances(vectors: NDArray[np.float32], centres: NDArray[np.float32]) -> NDArray[np.float64]:
    """Squared distances, of shape (rows, centres), never negative."""
    rows = vectors.astype(np.float64)
    others = centres.astype(np.float64)
    squared = (rows**2).sum(axis=1)[:, None] - 2 * rows @ others.T + (others**2).sum(axis=1)[None]
    result: NDArray[np.float64] = np.maximum(squared, 0.0)
    return result
