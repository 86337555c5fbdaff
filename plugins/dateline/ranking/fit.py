"""Temporal fit of a sentence, given its document's dates around it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from dateline.ranking.features import WEIGHTS, temporal_features
from dateline.ranking.timeline import Floats, Times
from dateline.softmax import logistic
from dateline.temporal.constraint import Constraint
from dateline.temporal.interval import Interval
from dateline.temporal.scoring import NEUTRAL, YEAR, IntervalScorer, TemporalScorer

STATES = ("at", "as_of", "around", "between", "by", "until")
"""The relations that ask what was the case; the others ask for events in a window."""

_ONWARDS = ("since", "after")
"""Of those others, the ones for which what was the case when the window begins may still hold."""


class TimesScorer(Protocol):
    """A scorer of times in the context of their document."""

    @property
    def name(self) -> str:
        """Name shown in traces."""
        ...

    def score(self, constraint: Constraint, times: Times) -> Floats:
        """Return one score per time, 0 to 1; 0.5 is neutral."""
        ...


@dataclass(frozen=True, slots=True)
class TimelineFit:
    """Scores what held at the asked time, from covering or earlier dates.

    Questions for events ("the first after 2010") go to `events`; a borrowed time then counts half. Where none is asked for by
    its order, what held when the window begins counts, too: who became director in 2023 is so after 2023.

    Example:
        >>> TimelineFit().name
        'timeline'
    """

    events: TemporalScorer = field(default_factory=IntervalScorer)

    @property
    def name(self) -> str:
        return "timeline"

    def score(self, constraint: Constraint, times: Times) -> Floats:
        """Return one score for each time, 0 to 1."""
        if constraint.relation not in STATES or constraint.ordinal == "first":
            scores = self.events.score(constraint, times.spans)
            scores = np.where(times.borrowed, (scores + NEUTRAL) / 2, scores)
            if constraint.relation not in _ONWARDS or constraint.ordinal is not None:
                return scores
            return np.maximum(scores, _state(replace(constraint, interval=_beginning(constraint)), times))
        return _state(constraint, times)


def _state(constraint: Constraint, times: Times) -> Floats:
    """Return how well times fit what was the case when asked."""
    low, high = asked_stretch(constraint)
    return logistic(temporal_features(times, low=low, high=high) @ np.array(list(WEIGHTS.values())))


def _beginning(constraint: Constraint) -> Interval:
    """Return where a window that is open ahead begins."""
    return Interval(constraint.window().start, None)


@dataclass(frozen=True, slots=True)
class _SentenceAlone:
    scorer: TemporalScorer

    @property
    def name(self) -> str:
        return self.scorer.name

    def score(self, constraint: Constraint, times: Times) -> Floats:
        return np.where(times.borrowed, NEUTRAL, self.scorer.score(constraint, times.spans))


def sentence_alone(scorer: TemporalScorer) -> TimesScorer:
    """Apply a scorer of bare intervals; borrowed times stay neutral."""
    return _SentenceAlone(scorer)


def asked_stretch(constraint: Constraint) -> tuple[float, float]:
    """Return the asked [low, high), seconds; an open end is a year."""
    start, end = constraint.interval.start, constraint.interval.end
    if start is None and end is None:
        return -np.inf, np.inf
    low = float(start) if start is not None else float(end or 0) - YEAR
    return low, float(end) if end is not None else low + YEAR
