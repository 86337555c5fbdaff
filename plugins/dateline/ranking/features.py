"""Numeric features of how a passage's times fit the question."""

from __future__ import annotations

import numpy as np

from dateline.ranking.timeline import Floats, Times
from dateline.temporal.scoring import YEAR

WEIGHTS = {
    "meets": 1.5,  # it shares a moment with the asked time
    "covers": 1.08,  # a stated stretch that holds all of the asked time
    "term": 4.06,  # of such a stretch, both ends stated in the sentence itself: exp(-years / 10)
    "open": -1.28,  # it meets the asked time, and its beginning was not stated ("until 1999")
    "near": 0.65,  # of a time that had begun: exp(-years / 2) for the years between its start and the asked one
    "long": -5.4,  # of a time that meets the asked one: years / (10 + years); a life says less than a term of office
    "long before": -1.1,  # of an earlier time: the logarithm of 1 + the years between
    "last before": 0.85,  # of an earlier time: 1 / (1 + the other dates that the document has between the two)
    "ended": -1.5,  # a stated stretch that was over when the asked time began
    "lasts": 0.94,  # a moment whose next date in the text comes after the asked time began
    "after": -3.6,  # it began when the asked time had ended
    "borrowed": -1.64,  # an earlier sentence stated it
}
"""One for each column of `temporal_features`: log-odds, 0 being neutral. Found by `benchmarks/ranking_weights.py`."""

LONG = 10.0
"""Years; a time of this length counts as half long."""

NEAR = 2.0
"""Years; so far from the asked time a start counts exp(-1)."""


def temporal_features(times: Times, *, low: float, high: float) -> Floats:
    """Compute the features of times relative to the asked [low, high).

    Times are in seconds; the result has the shape (times, len(WEIGHTS)).
    """
    start, end, stated = times.spans
    meets, before = (start < high) & (end > low), end <= low
    with np.errstate(invalid="ignore"):
        # What is open at an end is known to hold up to the asked time, no further.
        known = np.where(np.isfinite(end), end, high) - np.where(np.isfinite(start), start, low)
        years = np.clip(known / YEAR, 0, None)
        age = np.where(before, (low - end) / YEAR, 0)
        gap = np.where(np.isfinite(start) & np.isfinite(low), np.abs(start - low) / YEAR, np.inf)
    covers = stated & (start <= low) & (end >= high)
    closed = np.isfinite(start) & np.isfinite(end)
    lasts = ~stated & (start <= low) & (times.following > low) & np.isfinite(times.following)
    return np.column_stack(
        [
            meets,
            covers,
            (covers & closed & ~times.borrowed) * np.exp(-years / LONG),
            meets & np.isneginf(start),
            (start < high) * np.exp(-gap / NEAR),
            meets * years / (LONG + years),
            before * np.log1p(age),
            before / (1 + times.dates_until(low)),
            stated & before,
            lasts,
            start >= high,
            times.borrowed,
        ]
    ).astype(np.float64)
