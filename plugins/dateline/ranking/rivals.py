"""Competition between dated passages that could answer the same question.

"The last before 1990" asks for one of several comparable events, and only the order of their dates tells which. A
smooth score cannot: events of 1986 and 1989 differ by a few hundredths, which any difference in wording outweighs. So
each sentence's score is divided by 1 + the relevance of the sentences whose dates fit better.
"""

from __future__ import annotations

import numpy as np

from dateline.ranking.timeline import Floats
from dateline.temporal.constraint import Constraint
from dateline.temporal.interval import DAY
from dateline.temporal.scoring import Spans, ends_of

HALF = 0.3
"""A sentence whose semantic score is this share of the best one's is half a rival; what is off the topic is none."""

STEEPNESS = 3.0
"""How quickly that changes around `HALF`, as a power."""

UNDATED = 2.0
"""The power of the divisor for what is undated: it may be meant, but not before what is dated and suits."""

MOMENT = 2 * DAY
"""The longest stretch that is the moment of a report ("last night", "this weekend"), not how long it holds."""

_EVENTS = ("before", "after", "since")
"""The relations that ask for an event in a window, where no ordinal says which: the last one, our choice."""


def divided(scores: Floats, *, semantic: Floats, weights: Floats, spans: Spans, constraint: Constraint) -> Floats:
    """Divide scores by 1 + the relevance of their rivals.

    Args:
        scores: the scores to divide, shape (n,).
        semantic: the semantic score of each, 0 to 1, shape (n,).
        weights: the weight of each as a rival, 0 to 1, shape (n,).
        spans: one time for each, shape (n,); NaN where a sentence has none.
    """
    if not len(scores):
        return scores
    share = (semantic / max(float(semantic.max()), 1e-12)) ** STEEPNESS
    relevance = weights * share / (share + HALF**STEEPNESS)
    place = places(spans, constraint)
    rivals = _relevance_ahead(place, np.where(place > -np.inf, relevance, 0.0))
    return scores / (1.0 + rivals) ** np.where(np.isnan(spans.start), UNDATED, 1.0)


def places(spans: Spans, constraint: Constraint, *, told: Floats | None = None) -> Floats:
    """Return how well each time suits the question; higher is better.

    Infinite: it held then, as stated, and nothing goes before it. Minus infinite: it does not suit, or there is none;
    it is no rival, and whatever suits goes before it.

    Args:
        told: when each was written, shape (n,), NaN where that is not known: a state that was not over then may have ended
            at any time since.
    """
    start, end, stated = spans
    low, high = ends_of(constraint.window())
    if constraint.relation in _EVENTS or constraint.ordinal is not None:
        # A stretch begins on a day; a date said to the year may be any day of it, so its middle decides.
        moment = np.where(stated | ~np.isfinite(end), start, (start + end) / 2)
        suits = np.isfinite(start) & (moment >= low) & (moment < high)
        return np.where(suits, -start if constraint.ordinal == "first" else start, -np.inf)
    since, until = ends_of(constraint.interval)
    told = np.full(len(start), np.nan) if told is None else told
    stated = stated & ~(end - start <= MOMENT)
    # Nobody knows beyond the day of writing: what was not over then is known from then, or its beginning, and no longer.
    current = stated & (np.isposinf(end) | (end > told))
    start = np.where(current & np.isneginf(start) & np.isfinite(told), told, start)
    known = np.where(current & np.isfinite(told), np.maximum(start, told), end)
    # A state: what lasted then, else of all that began by then the latest; all that began within it are as good.
    lasted = stated & (start < until) & (known > since)
    began = np.isfinite(start) & (~stated | current) & (start < until)
    return np.where(lasted, np.inf, np.where(began, np.minimum(np.where(stated, known, start), since), -np.inf))


def _relevance_ahead(place: Floats, relevance: Floats) -> Floats:
    """Return the relevance of the distinct places above each one's own.

    One place counts as its most relevant one. What lasted at the asked time goes before what does not suit, but not
    before what began by then.
    """
    distinct, number = np.unique(place, return_inverse=True)
    best = np.zeros(len(distinct))
    np.maximum.at(best, number, relevance)
    ahead = np.concatenate([np.cumsum(best[::-1])[::-1][1:], [0.0]])
    lasting = best[-1] if distinct[-1] == np.inf else 0.0
    return np.asarray(ahead[number] - np.where(np.isfinite(place), lasting, 0.0))
