"""Reading pieces each alone and taking the most reliable answer (GrowOVER, section 4.1)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import NamedTuple

from dateline.certainty import batched_reading
from dateline.certainty.batch_estimator import aestimate_each, estimate_each
from dateline.certainty.margin import NOTHING
from dateline.certainty.rerank import most_reliable
from dateline.protocols import Estimator, Reader, ReadResult
from dateline.records import Certainty, Cost, Evidence, Reading
from dateline.temporal.constraint import Question


class Trusted(NamedTuple):
    """The reading of D* (eq. 1), with the cost of all readings, and its certainty."""

    result: ReadResult
    certainty: Certainty


def read_each(
    reader: Reader,
    question: Question,
    *,
    evidence: Sequence[Evidence],
    estimator: Estimator,
    choices: Sequence[str] = (),
) -> Trusted:
    """Read each piece of `evidence`, the best first, alone; without any there is no answer."""
    results = batched_reading.read_each(reader, question, evidence=evidence, choices=choices)
    readings = [result.reading for result in results]
    return _best(results, estimate_each(estimator, question, evidence=evidence, readings=readings))


async def aread_each(
    reader: Reader,
    question: Question,
    *,
    evidence: Sequence[Evidence],
    estimator: Estimator,
    choices: Sequence[str] = (),
) -> Trusted:
    """The same, the pieces side by side."""
    results = await asyncio.gather(*(reader.aread(question, evidence=[one], choices=choices) for one in evidence))
    readings = [result.reading for result in results]
    return _best(results, await aestimate_each(estimator, question, evidence=evidence, readings=readings))


def _best(results: Sequence[ReadResult], certainties: Sequence[Certainty]) -> Trusted:
    if not results:
        return Trusted(ReadResult(Reading(answer="", no_answer=1.0), Cost()), NOTHING)
    chosen = most_reliable(certainties)
    cost = sum((result.cost for result in results), Cost())
    return Trusted(ReadResult(results[chosen].reading, cost), certainties[chosen])
