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
            bias=-2.087,
            probability=0.39,
            no_answer=-1.514,
            agreement=4.769,
            rivalry=-0.955,
            timely=0.676,
            overlap=0.676,
            typed=0.714,
            length=1.098,
            place=-1.431,
        ),
        misleading=Weights(
            bias=-0.546,
            probability=-0.18,
            no_answer=-1.691,
            agreement=2.697,
            rivalry=-0.532,
            timely=0.618,
            overlap=1.831,
            typed=0.068,
            length=-0.457,
            place=-1.633,
        ),
    ),
    together=Fit(
        reliable=Weights(bias=-4.1, probability=1.4, margin=1.2, freshness=4.2),
        misleading=Weights(
            bias=0.064,
            probability=0.256,
            margin=0.373,
            no_answer=-0.594,
            agreement=0.206,
            timely=0.242,
            overlap=0.594,
            typed=0.363,
            length=1.544,
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
