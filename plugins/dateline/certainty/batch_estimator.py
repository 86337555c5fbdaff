"""Estimates of several readings of one question beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from dateline.flow import Flow, call, together, twins
from dateline.protocols import Estimator
from dateline.records import Certainty, Evidence, Reading
from dateline.temporal.constraint import Question


@runtime_checkable
class BatchEstimator(Protocol):
    """An estimator that sees the readings of other documents too."""

    def estimate_each(
        self, question: Question, *, evidence: Sequence[Evidence], readings: Sequence[Reading], known: int = 0
    ) -> list[Certainty]:
        """Return certainties; `readings[i]` was read in `evidence[i]` alone.

        The best piece first; pieces of a further round behind those that were read before.

        Args:
            known: so many of the first were judged before: they stand beside the rest, of which alone certainties are returned.
        """
        ...

    async def aestimate_each(
        self, question: Question, *, evidence: Sequence[Evidence], readings: Sequence[Reading], known: int = 0
    ) -> list[Certainty]:
        """Estimate each asynchronously."""
        ...


def _estimate_each(
    estimator: Estimator,
    question: Question,
    *,
    evidence: Sequence[Evidence],
    readings: Sequence[Reading],
    known: int = 0,
) -> Flow[list[Certainty]]:
    """Return the certainty of each reading but the first `known`.

    Beside those and the others where the estimator can see them.
    """
    if isinstance(estimator, BatchEstimator):
        return (yield from call(estimator.estimate_each, question, evidence=evidence, readings=readings, known=known))
    pairs = list(zip(evidence, readings, strict=True))[known:]
    calls = (call(estimator.estimate, question, evidence=[piece], reading=reading) for piece, reading in pairs)
    return (yield from together(calls))


estimate_each, aestimate_each = twins(_estimate_each)
