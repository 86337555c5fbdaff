"""The rounds of a checked answer: what is read next, which answer stands, and whether it is adopted (GrowOVER, section 4)."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from dateline.certainty.gate import Gate, Outcome, keep_better
from dateline.certainty.rerank import POOL, TOP_K, most_reliable, rerank
from dateline.errors import BadInput
from dateline.records import Certainty, Cost, Evidence, Step

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings

Answer = TypeVar("Answer")

NOTHING = Certainty(reliable=0.0, misleading=0.0, uncertain=1.0)
"""What is known of an answer where nothing was read."""


class Rounds(Generic[Answer]):
    """Lines up pieces to read, each alone, and takes what was read in them, until the gate is content or out of budget.

        while rounds.pieces:
            rounds.take(answers, texts=..., certainties=..., cost=...)   # one for each of rounds.pieces

    Args:
        question: whose embedding is E(Q) of eq. 3.
        candidates: of one retrieval, the best first.
        k: pieces a round, at least 1.
        pool: candidates behind the first `k` from which further rounds choose.
        scale: lambda of eq. 2; `None`: by the encoder's name.
        clock: seconds that only grow, for the gate's budget.

    Attributes:
        pieces: what is to be read now; empty at the end.
        best: the answer with the highest p(reliable) so far and its certainty; the answer is `None` before any.
        outcome: what became of it.
        rounds: further retrievals so far.
        cost: of all readings.
        steps: what the gate decided, round by round.
    """

    def __init__(
        self,
        question: str,
        *,
        candidates: Sequence[Evidence],
        gate: Gate,
        embeddings: Embeddings,
        k: int = TOP_K,
        pool: int = POOL,
        scale: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if k < 1 or pool < 0:
            raise BadInput(f"k must be at least 1 and pool at least 0, not {k} and {pool}.")
        self._question, self._gate, self._embeddings = question, gate, embeddings
        self._k, self._scale, self._clock = k, scale, clock
        self._started, self._passed, self._text = clock(), 0.0, ""
        self.pieces: list[Evidence] = list(candidates[:k])
        self._rest: list[Evidence] = list(candidates[k : k + pool])
        self.best: tuple[Answer | None, Certainty] = (None, NOTHING)
        self.outcome: Outcome = "abstain"
        self.rounds = 0
        self.cost = Cost()
        self.steps: list[Step] = []

    def take(
        self, answers: Sequence[Answer], *, texts: Sequence[str], certainties: Sequence[Certainty], cost: Cost
    ) -> None:
        """Keep the better answer, ask the gate, and line up the next pieces or none.

        Args:
            answers, texts, certainties: for each of `pieces` what was answered, its words (y of eq. 3), its certainty.
            cost: of this round; what counts for the gate's budget of seconds is the clock.
        """
        chosen = most_reliable(certainties)
        before = self.best[1]
        if not self.steps or keep_better(before, certainties[chosen]):
            self.best, self._text = (answers[chosen], certainties[chosen]), texts[chosen]
        self.cost += cost
        passed = self._clock() - self._started
        spent = self.cost.model_copy(update={"seconds": passed})
        expected = cost.model_copy(update={"seconds": passed - self._passed})
        self._passed = passed
        certainty = self.best[1]
        decision = self._gate.decide(certainty, round=self.rounds, spent=spent, expected=expected)
        self.outcome = decision.outcome
        details: dict[str, Any] = {"answer": self._text, "outcome": decision.outcome, **certainty.model_dump()}
        self.steps.append(Step(name="gate", summary=decision.reason, details=details, cost=cost))
        self.pieces = self._next(certainty) if decision.outcome == "retrieve" else []
        if self.pieces:
            self.rounds += 1
        elif self.outcome == "retrieve":  # Nothing is left to read: the best answer so far stands or falls.
            self.outcome = "abstain" if certainty.reliable < self._gate.abstain_below else "adopt"

    def _next(self, certainty: Certainty) -> list[Evidence]:
        ranked = rerank(
            self._rest,
            question=self._question,
            answer=self._text,
            reliable=certainty.reliable,
            embeddings=self._embeddings,
            k=self._k,
            skip=0,
            scale=self._scale,
        )
        pieces = [one.evidence for one in ranked]
        self._rest = [one for one in self._rest if one not in pieces]
        return pieces
