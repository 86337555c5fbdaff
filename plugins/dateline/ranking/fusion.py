"""Reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

RANK_OFFSET = 60
"""The paper's k: how slowly the weight of a rank falls."""


def reciprocal_rank_fusion(scores: Sequence[NDArray[np.float32]], *, offset: int = RANK_OFFSET) -> NDArray[np.float32]:
    """Fuse arrays of scores over the same items by reciprocal rank.

    The fused score is the sum of 1 / (offset + rank). Equal scores share their best rank, so an item that no ranking
    knows gains nothing over another.
    """
    fused = np.zeros_like(scores[0], dtype=np.float32)
    for given in scores:
        ordered = np.sort(-given)
        fused += (1.0 / (offset + 1 + np.searchsorted(ordered, -given))).astype(np.float32)
    return fused
