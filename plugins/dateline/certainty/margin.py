"""Certainty of the local reader's answers, from signals of the reading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from dateline.certainty.gate import NOTHING
from dateline.certainty.signals import Signals, signals
from dateline.certainty.weights import FITTED, Fit, Tables, Weights
from dateline.flow import Flow, call, twins
from dateline.protocols import Reader
from dateline.reading.verdicts import VERDICTS
from dateline.records import Certainty, Evidence, Reading
from dateline.softmax import logistic
from dateline.temporal.constraint import Question


class MarginEstimator:
    """A logistic model of `Signals` for the local reader's answers.

    One model gives p(reliable), another divides the rest into misleading and uncertain.

    The labels it was fitted to are GrowOVER's, told for a reader that cuts its answers out: reliable, the answer is
    right; misleading, it is wrong although the evidence speaks of the matter; uncertain, nothing there answers.
    What was read in one piece alone, in several at once, as a yes or no, and with choices, has weights of its own (`tables`,
    fitted by `training/certainty.py`).

    Args:
        reader: reads the pieces of a panel once more, all at once: an answer that stands beside everything is worth
            more. `None`: the readings of the panel are all there is.
        ranked: whether evidence comes best first, as of a ranking: an answer from a piece further down is then trusted less.

    Example:
        >>> from dateline.reading import ExtractiveReader
        >>> from dateline.temporal import decompose, now
        >>> question = decompose("Who chairs Borth Council?", as_of=now())
        >>> evidence = [Evidence.make("Bo Lind chairs Borth Council.")]
        >>> reading = ExtractiveReader().read(question, evidence=evidence).reading
        >>> MarginEstimator().estimate(question, evidence=evidence, reading=reading).label
        'reliable'
    """

    def __init__(self, tables: Tables = FITTED, *, reader: Reader | None = None, ranked: bool = False) -> None:
        self.tables, self.reader, self.ranked = tables, reader, ranked

    def estimate(self, question: Question, *, evidence: Sequence[Evidence], reading: Reading) -> Certainty:
        """Return the probabilities of the three labels."""
        if not reading.answer.strip():
            return NOTHING
        return certainty_of(signals(question, evidence=evidence, reading=reading), fit=self._fit(reading, alone=False))

    async def aestimate(self, question: Question, *, evidence: Sequence[Evidence], reading: Reading) -> Certainty:
        """Return the probabilities, without blocking."""
        return self.estimate(question, evidence=evidence, reading=reading)

    def _estimate_each(
        self, question: Question, *, evidence: Sequence[Evidence], readings: Sequence[Reading], known: int = 0
    ) -> Flow[list[Certainty]]:
        """Return certainties, best document first; readings with one answer support each other.

        A single one is estimated as what is read at once: nothing else could agree with it. (Of the wrong answers from one
        passage of `benchmarks/notes/seen`, weights of its own called 100 in 100 reliable, those call 21; n = 200.)
        """
        if len(readings) == 1:
            return [self.estimate(question, evidence=evidence, reading=readings[0])][known:]
        joint = None
        if self.reader is not None and _worth_joining(readings):
            joint = (yield from call(self.reader.read, question, evidence=evidence)).reading
        return self._panel(question, evidence, readings, joint)[known:]

    estimate_each, aestimate_each = twins(_estimate_each)

    def _panel(
        self, question: Question, evidence: Sequence[Evidence], readings: Sequence[Reading], joint: Reading | None
    ) -> list[Certainty]:
        found = []
        for place, (piece, reading) in enumerate(zip(evidence, readings, strict=True)):
            if not reading.answer.strip():
                found.append(NOTHING)
                continue
            others = [other for number, other in enumerate(readings) if number != place]
            seen = signals(question, evidence=[piece], reading=reading, others=others, joint=joint, place=place)
            found.append(certainty_of(seen, fit=self._fit(reading, alone=True, joint=joint is not None)))
        return found

    def _fit(self, reading: Reading, *, alone: bool, joint: bool = False) -> Fit:
        if reading.choice is not None:
            return self.tables.choice_alone if alone else self.tables.choice_together
        if reading.answer in VERDICTS[:2]:
            return self.tables.yes_no
        if alone:
            return self.tables.alone_and_joint if joint else self.tables.alone
        return self.tables.ranked if self.ranked else self.tables.together


def _worth_joining(readings: Sequence[Reading]) -> bool:
    """Return true where there are several free answers to compare."""
    return len(readings) > 1 and all(one.choice is None for one in readings) and any(one.answer for one in readings)


def certainty_of(seen: Signals, *, fit: Fit) -> Certainty:
    """Return the labels' probabilities from signals and weights."""
    reliable = probability(seen, weights=fit.reliable)
    misleading = (1 - reliable) * probability(seen, weights=fit.misleading)
    return Certainty(reliable=reliable, misleading=misleading, uncertain=max(0.0, 1 - reliable - misleading))


def probability(seen: Signals, *, weights: Weights) -> float:
    """Return the logistic function of the weighted signals."""
    odds = sum(weights.get(name, 0.0) * value for name, value in asdict(seen).items())
    return float(logistic(weights.get("bias", 0.0) + odds))
