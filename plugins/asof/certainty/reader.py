"""A reader that checks itself: RiLM around any reader (GrowOVER, section 4)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from asof.certainty.gate import Gate, Outcome, keep_better
from asof.certainty.rerank import TOP_K, most_reliable, rerank
from asof.errors import BadInput
from asof.protocols import Estimator, Reader, ReadResult
from asof.records import Certainty, Cost, Evidence, Reading, Record, Step
from asof.temporal.constraint import Question

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
    The first `k` are read at once; each further round reads the `k` best of the twenty behind them
    by GrowOVER's eq. 3, and the answer with the higher p(reliable) is kept. An abstention is an
    empty answer.
    """

    def __init__(
        self,
        reader: Reader,
        *,
        estimator: Estimator,
        embeddings: Embeddings,
        gate: Gate | None = None,
        k: int = TOP_K,
    ) -> None:
        if k < 1:
            raise BadInput(f"k must be at least 1, not {k}.")
        self.reader, self.estimator, self.embeddings = reader, estimator, embeddings
        self.gate, self.k = gate or Gate(), k

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
        state = _Round(self, question, list(evidence))
        while state.pieces:
            results = [self.reader.read(question, evidence=[one], choices=choices) for one in state.pieces]
            state.take(
                results,
                [
                    self.estimator.estimate(question, evidence=[one], reading=result.reading)
                    for one, result in zip(state.pieces, results, strict=True)
                ],
            )
        return state.result()

    async def acheck(
        self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()
    ) -> CheckedReading:
        """The same, the documents of a round side by side."""
        state = _Round(self, question, list(evidence))
        while state.pieces:
            results = await asyncio.gather(
                *(self.reader.aread(question, evidence=[one], choices=choices) for one in state.pieces)
            )
            certainties = await asyncio.gather(
                *(
                    self.estimator.aestimate(question, evidence=[one], reading=result.reading)
                    for one, result in zip(state.pieces, results, strict=True)
                )
            )
            state.take(results, certainties)
        return state.result()


class _Round:
    """Where a checked reading stands: what is to be read next, and the best answer so far."""

    def __init__(self, owner: CheckedReader, question: Question, candidates: list[Evidence]) -> None:
        self.owner, self.question = owner, question
        self.pieces, self.rest = candidates[: owner.k], candidates[owner.k :]
        self.best: tuple[Reading, Certainty] = (
            Reading(answer="", no_answer=1.0),
            Certainty(reliable=0.0, misleading=0.0, uncertain=1.0),
        )
        self.outcome: Outcome = "abstain"
        self.rounds = 0
        self.cost = Cost()
        self.steps: list[Step] = []

    def take(self, results: Sequence[ReadResult], certainties: Sequence[Certainty]) -> None:
        """Keep the better answer, ask the gate, and line up the next pieces or none."""
        spent = sum((result.cost for result in results), Cost())
        self.cost += spent
        chosen = most_reliable(certainties)
        found = (results[chosen].reading, certainties[chosen])
        self.best = found if not self.rounds else (self.best, found)[keep_better(self.best[1], found[1])]
        reading, certainty = self.best
        decision = self.owner.gate.decide(certainty, round=self.rounds, spent=self.cost)
        self.outcome = decision.outcome
        self.steps.append(
            Step(
                name="gate",
                summary=decision.reason,
                details={"answer": reading.answer, "outcome": decision.outcome, **certainty.model_dump()},
                cost=spent,
            )
        )
        self.pieces = self._next(reading, certainty) if decision.outcome == "retrieve" else []
        self.rounds += bool(self.pieces)

    def _next(self, reading: Reading, certainty: Certainty) -> list[Evidence]:
        ranked = rerank(
            self.rest,
            question=self.question.text,
            answer=reading.answer,
            reliable=certainty.reliable,
            embeddings=self.owner.embeddings,
            k=self.owner.k,
            skip=0,
        )
        pieces = [one.evidence for one in ranked]
        self.rest = [one for one in self.rest if one not in pieces]
        return pieces

    def result(self) -> CheckedReading:
        reading, certainty = self.best
        if self.outcome == "retrieve":  # Nothing is left to read: the best answer so far stands or falls.
            self.outcome = "abstain" if certainty.reliable < self.owner.gate.abstain_below else "adopt"
        if self.outcome == "abstain":
            reading = reading.model_copy(update={"answer": "", "choice": None})
        return CheckedReading(
            reading=reading,
            certainty=certainty,
            outcome=self.outcome,
            rounds=self.rounds,
            cost=self.cost,
            steps=tuple(self.steps),
        )
