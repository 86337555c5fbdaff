"""A reader that checks itself: RiLM around any reader (GrowOVER, section 4)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from dateline.certainty.batch_estimator import aestimate_each, estimate_each
from dateline.certainty.batched_reading import read_each
from dateline.certainty.gate import Gate, Outcome
from dateline.certainty.rerank import POOL, TOP_K
from dateline.certainty.rounds import Rounds
from dateline.errors import BadInput
from dateline.protocols import Estimator, Reader, ReadResult
from dateline.records import Certainty, Cost, Evidence, Reading, Record, Step
from dateline.temporal.constraint import Question

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings


class CheckedReading(Record):
    """An answer, how far it can be trusted, and how it came about."""

    reading: Reading
    certainty: Certainty
    outcome: Outcome
    rounds: int
    cost: Cost
    steps: tuple[Step, ...]


class CheckedReader:
    """Reads the first `k` pieces each alone, adopts the most reliable answer, or ranks the rest again with it.

    Itself a `Reader`: what it is given as evidence are the candidates of one retrieval, best first.
    The first `k` are read at once; each further round reads the `k` best of the `pool` behind them
    by GrowOVER's eq. 3, and the answer with the higher p(reliable) is kept. An abstention is an
    empty answer. `scale` is lambda of eq. 2, by default that of the encoder.
    """

    def __init__(
        self,
        reader: Reader,
        *,
        estimator: Estimator,
        embeddings: Embeddings,
        gate: Gate | None = None,
        k: int = TOP_K,
        pool: int = POOL,
        scale: float | None = None,
    ) -> None:
        if k < 1 or pool < 0:
            raise BadInput(f"k must be at least 1 and pool at least 0, not {k} and {pool}.")
        self.reader, self.estimator, self.embeddings = reader, estimator, embeddings
        self.gate, self.k, self.pool, self.scale = gate or Gate(), k, pool, scale

    def read(self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()) -> ReadResult:
        """The checked answer, without its trace."""
        checked = self.check(question, evidence=evidence, choices=choices)
        return ReadResult(checked.reading, checked.cost)

    async def aread(
        self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()
    ) -> ReadResult:
        """The same, without blocking."""
        checked = await self.acheck(question, evidence=evidence, choices=choices)
        return ReadResult(checked.reading, checked.cost)

    def check(self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()) -> CheckedReading:
        """Read, judge, and read again while the gate asks for it."""
        rounds = self._rounds(question, evidence)
        pieces: list[Evidence] = []
        readings: list[Reading] = []
        while rounds.pieces:
            results = read_each(self.reader, question, evidence=rounds.pieces, choices=choices)
            pieces, readings = [*pieces, *rounds.pieces], [*readings, *(result.reading for result in results)]
            found = estimate_each(
                self.estimator, question, evidence=pieces, readings=readings, known=len(pieces) - len(results)
            )
            _take(rounds, results, found)
        return _result(rounds)

    async def acheck(
        self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()
    ) -> CheckedReading:
        """The same, the documents of a round side by side."""
        rounds = self._rounds(question, evidence)
        pieces: list[Evidence] = []
        readings: list[Reading] = []
        while rounds.pieces:
            results = await asyncio.gather(
                *(self.reader.aread(question, evidence=[one], choices=choices) for one in rounds.pieces)
            )
            pieces, readings = [*pieces, *rounds.pieces], [*readings, *(result.reading for result in results)]
            found = await aestimate_each(
                self.estimator, question, evidence=pieces, readings=readings, known=len(pieces) - len(results)
            )
            # Ranking the rest embeds it, which must not block an event loop.
            await asyncio.to_thread(_take, rounds, results, found)
        return _result(rounds)

    def _rounds(self, question: Question, evidence: Sequence[Evidence]) -> Rounds[Reading]:
        return Rounds(
            question.text,
            candidates=evidence,
            gate=self.gate,
            embeddings=self.embeddings,
            k=self.k,
            pool=self.pool,
            scale=self.scale,
        )


def _take(rounds: Rounds[Reading], results: Sequence[ReadResult], certainties: Sequence[Certainty]) -> None:
    rounds.take(
        [result.reading for result in results],
        texts=[result.reading.answer for result in results],
        certainties=certainties,
        cost=sum((result.cost for result in results), Cost()),
    )


def _result(rounds: Rounds[Reading]) -> CheckedReading:
    best, certainty = rounds.best
    reading = best or Reading(answer="", no_answer=1.0)
    if rounds.outcome == "abstain":
        reading = reading.model_copy(update={"answer": "", "choice": None})
    return CheckedReading(
        reading=reading,
        certainty=certainty,
        outcome=rounds.outcome,
        rounds=rounds.rounds,
        cost=rounds.cost,
        steps=tuple(rounds.steps),
    )
