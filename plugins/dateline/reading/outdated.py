"""Answers that a newer piece of evidence gives otherwise."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from dateline.evidence.knowledge import best_dated
from dateline.reading.announced import announced
from dateline.reading.span_scores import Mention
from dateline.records import Evidence
from dateline.temporal.constraint import Question
from dateline.text.answer_key import answer_key

_NEAR = 6.0
"""Logits by which a newer piece's answer may fall short to count as one. Chosen by hand."""


def outdated(
    mentions: Sequence[Mention],
    *,
    question: Question,
    evidence: Sequence[Evidence],
    later: NDArray[np.bool_] | None = None,
) -> NDArray[np.float64]:
    """Return how well newer evidence answers otherwise, 0 to 1.

    Shape (mentions,); `later` are those told for later, where that is known already. What was written after the time asked for or is told to hold from a day after it outdates nothing, nor does
    what has no date, or beside better dates only one of its own words.

    Example:
        >>> from dateline.temporal import decompose, now
        >>> from dateline.temporal.interval import Interval
        >>> days = [Interval.of_day(year, 1, 1) for year in (2024, 2025)]
        >>> notes = [Evidence.make(name, published=day) for name, day in zip(("Ann", "Bo"), days, strict=True)]
        >>> said = [Mention("Ann", 0, 0, 3, 9.0), Mention("Bo", 1, 0, 2, 9.0)]
        >>> outdated(said, question=decompose("Who leads?", as_of=now()), evidence=notes).tolist()
        [1.0, 0.0]
    """
    if not mentions:
        return np.zeros(0)
    until = question.effective_constraint().interval.end
    days = np.array([day_of(evidence[mention.source]) for mention in mentions])
    scores = np.array([mention.score for mention in mentions])
    keys = np.unique([answer_key(mention.text) for mention in mentions], return_inverse=True)[1]
    late = days >= (np.inf if until is None else until)
    late |= announced(mentions, question=question, evidence=evidence).later if later is None else later
    trusted = np.array(best_dated(evidence))[[mention.source for mention in mentions]]
    best = _best_newer(days.tolist(), scores.tolist(), keys.tolist(), (~late & trusted).tolist())
    close: NDArray[np.float64] = np.clip(best - scores + _NEAR, 0, _NEAR) / _NEAR
    return close


def _best_newer(
    days: Sequence[float], scores: Sequence[float], keys: Sequence[int], counted: Sequence[bool]
) -> NDArray[np.float64]:
    """Return the best score that something newer with another key has.

    Only what is counted has a say; -inf where there is none.
    """
    best = np.full(len(days), -np.inf)
    leading: list[tuple[int, float]] = []
    order = sorted((place for place, day in enumerate(days) if not math.isnan(day)), key=lambda place: -days[place])
    for _, group in groupby(order, key=days.__getitem__):
        places = list(group)
        best[places] = [max((top for key, top in leading if key != keys[place]), default=-np.inf) for place in places]
        for place in filter(counted.__getitem__, places):
            held = dict(leading)
            held[keys[place]] = max(scores[place], held.get(keys[place], -np.inf))
            leading = sorted(held.items(), key=lambda pair: -pair[1])[:2]
    return best


def day_of(piece: Evidence) -> float:
    """Return the second at which a piece was published, or NaN."""
    return np.nan if piece.published is None or piece.published.start is None else float(piece.published.start)
