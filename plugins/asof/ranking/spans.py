"""The times of many sentences as arrays, so that a question is scored against all of them at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from asof.temporal.interval import Interval
from asof.temporal.scoring import Spans


@dataclass(frozen=True)
class SpanTable:
    """Times in the order of their sentences; those of sentence i lie in `bounds[i]:bounds[i + 1]`.

    Attributes:
        intervals: the times themselves.
        arrays: the same as arrays, shape (times,).
        bounds: shape (sentences + 1,).
    """

    intervals: tuple[Interval, ...]
    arrays: Spans
    bounds: NDArray[np.int64]

    @classmethod
    def build(cls, spans: Sequence[Sequence[Interval]]) -> SpanTable:
        """One sequence of intervals a sentence."""
        flat = tuple(span for sentence in spans for span in sentence)
        bounds = np.concatenate([[0], np.cumsum([len(sentence) for sentence in spans])]).astype(np.int64)
        return cls(flat, Spans.of(flat), bounds)

    def take(self, places: NDArray[np.int64]) -> Spans:
        """The times at `places`, as arrays."""
        start, end, stated = self.arrays
        return Spans(start[places], end[places], stated[places])
