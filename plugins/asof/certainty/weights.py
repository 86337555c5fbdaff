"""The weights of `MarginEstimator`, written by `training/certainty.py`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Weights:
    """Of log-odds; the names are those of `asof.certainty.signals.Signals`."""

    bias: float = 0.0
    probability: float = 0.0
    margin: float = 0.0
    no_answer: float = 0.0
    agreement: float = 0.0
    rivalry: float = 0.0
    freshness: float = 0.0
    timely: float = 0.0
    overlap: float = 0.0
    nearby: float = 0.0
    typed: float = 0.0
    echo: float = 0.0
    length: float = 0.0
    place: float = 0.0


@dataclass(frozen=True, slots=True)
class Fit:
    """Of being right; and, where wrong, of the evidence speaking of the matter."""

    reliable: Weights
    misleading: Weights


@dataclass(frozen=True, slots=True)
class Tables:
    """By what was read: one piece alone beside others, several pieces at once; free or with choices."""

    alone: Fit
    together: Fit
    choice_alone: Fit
    choice_together: Fit


FITTED = Tables(
    alone=Fit(
        reliable=Weights(
            bias=-3.437,
            probability=1.4,
            no_answer=-0.541,
            agreement=3.334,
            rivalry=-0.576,
            timely=0.875,
            overlap=0.601,
            typed=1.011,
            length=0.852,
            place=-0.991,
        ),
        misleading=Weights(
            bias=-0.753,
            probability=-0.115,
            no_answer=-1.719,
            agreement=0.823,
            rivalry=-0.647,
            timely=0.56,
            overlap=2.068,
            typed=-0.015,
            length=-0.036,
            place=-1.514,
        ),
    ),
    together=Fit(
        reliable=Weights(bias=-4.1, probability=1.4, margin=1.2, freshness=4.2),
        misleading=Weights(
            bias=1.883,
            probability=0.004,
            margin=-0.192,
            no_answer=-1.077,
            agreement=-0.465,
            timely=0.048,
            overlap=1.566,
            typed=-1.113,
            length=2.04,
        ),
    ),
    choice_alone=Fit(
        reliable=Weights(bias=-1.0, margin=1.6, no_answer=-1.0, agreement=3.0, place=-0.5),
        misleading=Weights(no_answer=-1.0),
    ),
    choice_together=Fit(
        reliable=Weights(bias=1.0, margin=1.6, no_answer=-2.1, agreement=0.2), misleading=Weights(no_answer=-1.0)
    ),
)
