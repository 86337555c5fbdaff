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
            bias=-2.467,
            probability=0.639,
            no_answer=-1.332,
            agreement=3.606,
            rivalry=-0.526,
            timely=0.585,
            overlap=0.836,
            typed=0.797,
            length=0.963,
            place=-1.269,
        ),
        misleading=Weights(
            bias=-0.553,
            probability=0.204,
            no_answer=-1.559,
            agreement=0.051,
            rivalry=-0.556,
            timely=0.457,
            overlap=2.173,
            typed=-0.555,
            length=-0.414,
            place=-1.345,
        ),
    ),
    together=Fit(
        reliable=Weights(bias=-4.1, probability=1.4, margin=1.2, freshness=4.2),
        misleading=Weights(
            bias=1.763,
            probability=0.074,
            margin=-0.262,
            no_answer=-1.464,
            agreement=0.13,
            timely=-0.105,
            overlap=1.303,
            typed=-0.927,
            length=1.253,
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
