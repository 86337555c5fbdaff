"""The weights of `MarginEstimator`, written by `training/certainty.py`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of log-odds, named as in `dateline.certainty.signals.Signals`."""

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
    joint: float = 0.0
    person: float = 0.0


@dataclass(frozen=True, slots=True)
class Fit:
    """Weights for reliable; and, of the rest, for misleading."""

    reliable: Weights
    misleading: Weights


@dataclass(frozen=True, slots=True)
class Tables:
    """One fitted model for each mode of reading.

    A document alone beside others; the same with a joint reading; several at once; and both with given choices.
    """

    alone: Fit
    alone_and_joint: Fit
    together: Fit
    choice_alone: Fit
    choice_together: Fit


FITTED = Tables(
    alone=Fit(
        reliable=Weights(
            bias=-2.542,
            probability=0.58,
            no_answer=-1.418,
            agreement=3.681,
            rivalry=-0.506,
            timely=0.554,
            overlap=0.936,
            typed=0.732,
            length=1.084,
            place=-1.266,
            person=0.464,
        ),
        misleading=Weights(
            bias=-0.55,
            probability=0.27,
            no_answer=-1.424,
            agreement=-0.022,
            rivalry=-0.527,
            timely=0.44,
            overlap=2.145,
            typed=-0.444,
            length=-0.521,
            place=-1.397,
            person=-0.857,
        ),
    ),
    alone_and_joint=Fit(
        reliable=Weights(
            bias=-3.022,
            probability=0.141,
            no_answer=-1.05,
            agreement=3.089,
            rivalry=-0.094,
            timely=0.492,
            overlap=0.935,
            typed=0.756,
            length=0.974,
            place=-1.073,
            joint=1.051,
            person=0.429,
        ),
        misleading=Weights(
            bias=-0.816,
            probability=0.049,
            no_answer=-1.258,
            agreement=-0.268,
            rivalry=-0.299,
            timely=0.445,
            overlap=2.16,
            typed=-0.43,
            length=-0.576,
            place=-1.315,
            joint=0.556,
            person=-0.882,
        ),
    ),
    together=Fit(
        reliable=Weights(
            bias=-5.809,
            probability=1.299,
            margin=0.75,
            no_answer=-3.349,
            agreement=0.789,
            freshness=1.065,
            timely=1.19,
            overlap=0.483,
            nearby=1.668,
            typed=0.783,
            length=0.78,
            person=0.13,
        ),
        misleading=Weights(
            bias=0.66,
            probability=0.977,
            margin=-0.044,
            no_answer=-2.467,
            agreement=0.199,
            freshness=-1.891,
            timely=-2.273,
            overlap=0.157,
            nearby=2.222,
            typed=0.284,
            length=2.63,
            person=-0.729,
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
