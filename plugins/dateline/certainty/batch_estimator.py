"""Estimates of several readings of one question beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from dateline.flow import Flow, arun, call, run, together
from dateline.protocols import Estimator
from dateline.records import Certainty, Evidence, Reading
from dateline.temporal.constraint import Question


@runtime_checkable
class BatchEstimator(Protocol):
    """An estimator that sees the readings of other documents too."""

    def estimate_each(
        self, question: Question, *, evidence: Sequence[Evidence], readings: Sequence[Reading]
    ) -> list[Certainty]:
        """Return certainties; `readings[i]` was read in `evidence[i]` alone.

        The best piece first; pieces of a further round behind those that were read before.
        """
        ...

    async def aestimate_each(
        self, question: Question, *, evidence: Sequence[Evidence], readings: Sequence[Reading]
    ) -> list[Certainty]:
        """Estimate each asynchronously."""
        ...


def estimate_each(
    estimator: Estimator,
    question: Question,
    *,
    evidence: Sequence[Evidence],
    readings: Sequence[Reading],
    known: int = 0,
) -> list[Certainty]:
    """Return the certainty of each reading, beside the others if possible.

    The first `known` were judged in an earlier round: they stand beside the others, but are not judged again.
    """
    return run(_estimates(estimator, question, evidence, readings, known))


async def aestimate_each(
    estimator: Estimator,
    question: Question,
    *,
    evidence: Sequence[Evidence],
    readings: Sequence[Reading],
    known: int = 0,
) -> list[Certainty]:
    """Return the certainty of each reading, without blocking."""
    return await arun(_estimates(estimator, question, evidence, readings, known))


def _estimates(
    estimator: Estimator, question: Question, evidence: Sequence[Evidence], readings: Sequence[Reading], known: int
) -> Flow[list[Certainty]]:
    if isinstance(estimator, BatchEstimator):
        found = yield from call(estimator.estimate_each, question, evidence=evidence, readings=readings)
        return found[known:]
    pairs = list(zip(evidence, readings, strict=True))[known:]
    return (
        yield from together(
            call(estimator.estimate, question, evidence=[piece], reading=reading) for piece, reading in pairs
        )
    )
