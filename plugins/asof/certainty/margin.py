"""Certainty of the local reader's answers, from what its reading and its evidence show."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from asof.records import Certainty, Evidence, Reading
from asof.temporal.constraint import Question
from asof.text.words import words

DAY = 86_400


@dataclass(frozen=True, slots=True)
class Signals:
    """What the estimate stands on, each 0 to 1.

    Attributes:
        probability: the reader's own.
        margin: its lead over the second candidate.
        no_answer: the reader's own probability that nothing there answers.
        agreement: share of the answer's and its rival's evidence that is the answer's.
        freshness: 1 when the newest dated evidence is the answer's own, 0 when only a rival's is newer, else between.
    """

    probability: float
    margin: float
    no_answer: float
    agreement: float
    freshness: float


@dataclass(frozen=True, slots=True)
class Weights:
    """Of the log-odds of being right; a reading without an answer never comes this far."""

    bias: float
    probability: float
    margin: float
    no_answer: float
    agreement: float
    freshness: float


FREE = Weights(bias=-4.1, probability=1.4, margin=1.2, no_answer=0.0, agreement=0.0, freshness=4.2)
"""For answers cut out of the evidence by the trained reader: fitted on the example corpus and on TimeQA's pages that the
reader was not trained on (together AUROC 0.83, calibration error 0.08 to 0.10 on the half not fitted)."""

CHOICES = Weights(bias=1.0, probability=0.0, margin=1.6, no_answer=-2.1, agreement=0.2, freshness=0.0)
"""For answers chosen among given ones: fitted on RealTimeQA (AUROC 0.83, calibration error 0.05 on the other half)."""


class MarginEstimator:
    """p(reliable) by a small logistic model; the rest is misleading where a rival stands, else uncertain.

    Follows GrowOVER's labels: misleading evidence speaks clearly for another answer or another time;
    uncertain evidence does not speak at all. Needs no model.
    """

    def __init__(self, *, free: Weights = FREE, choices: Weights = CHOICES) -> None:
        self.free, self.choices = free, choices

    def estimate(self, question: Question, *, evidence: Sequence[Evidence], reading: Reading) -> Certainty:
        """Probabilities of the three labels."""
        if not reading.answer.strip():
            return Certainty(reliable=0.0, misleading=0.0, uncertain=1.0)
        seen = signals(question, evidence=evidence, reading=reading)
        w = self.free if reading.choice is None else self.choices
        logit = w.bias + w.probability * seen.probability + w.margin * seen.margin + w.no_answer * seen.no_answer
        logit += w.agreement * seen.agreement + w.freshness * seen.freshness
        reliable = 1 / (1 + math.exp(-logit))
        rivalry = (1 - seen.no_answer) * max(1 - seen.agreement, 1 - seen.freshness)
        misleading = (1 - reliable) * rivalry
        return Certainty(reliable=reliable, misleading=misleading, uncertain=1 - reliable - misleading)

    async def aestimate(self, question: Question, *, evidence: Sequence[Evidence], reading: Reading) -> Certainty:
        """The same; it waits for nothing."""
        return self.estimate(question, evidence=evidence, reading=reading)


def signals(question: Question, *, evidence: Sequence[Evidence], reading: Reading) -> Signals:
    """The signals of one reading; evidence dated after the question counts as undated."""
    own = set(reading.evidence_ids)
    rivals = [c for c in reading.candidates if words(c.answer) != words(reading.answer)]
    second = rivals[0] if rivals else None
    theirs = set(second.evidence_ids) - own if second else set()
    asked = int(question.as_of.timestamp()) + DAY
    dates = {
        piece.id: piece.published.start
        for piece in evidence
        if piece.published is not None and piece.published.start is not None and piece.published.start <= asked
    }
    newest_own = max((dates[one] for one in own if one in dates), default=None)
    newest_rival = max((dates[one] for one in theirs if one in dates), default=None)
    return Signals(
        probability=reading.probability,
        margin=reading.probability - (second.probability if second else 0.0),
        no_answer=reading.no_answer,
        agreement=len(own) / len(own | theirs) if own | theirs else 0.0,
        freshness=_freshness(newest_own, newest_rival),
    )


def _freshness(own: int | None, rival: int | None) -> float:
    """0.5 when nothing is dated; a rival that is a year newer has all the freshness but a third."""
    if own is None:
        return 0.5 if rival is None else 0.25
    if rival is None or own >= rival:
        return 1.0
    return 1 / (1 + 2 * (rival - own) / (365 * DAY))
