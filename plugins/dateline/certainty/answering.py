"""The answering loop: read, estimate, gate, rank again, read again (GrowOVER).

Every face runs this loop: `CheckedReader`, the answer graph, LangChain's gate, LlamaIndex's workflow and query engine.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, Self

from dateline.certainty.answer import Answer, answer_of
from dateline.certainty.attempt import Attempt, ReadRun, Round, standing
from dateline.certainty.batch_estimator import estimate_each
from dateline.certainty.batched_reading import read_each
from dateline.certainty.gate import Gate, GateDecision
from dateline.certainty.rerank import POOL, TOP_K
from dateline.certainty.reranker import AnswerReranker, Rescorer
from dateline.certainty.weighed import weighed
from dateline.errors import check_least
from dateline.flow import Flow, call, together
from dateline.protocols import Estimator, Reader
from dateline.ranking.fusion import RANK_OFFSET
from dateline.records import Certainty, Cost, Evidence, RankedEvidence, Step
from dateline.temporal.constraint import Question

# -- what a loop reads, and with what -------------------------------------------------------------


class RoundEvidence(NamedTuple):
    """The evidence of one round, best first, and its cost."""

    evidence: Sequence[Evidence]
    cost: Cost = Cost()


class EvidenceSource(Protocol):
    """Chooses the evidence of each round: a ranking or a retriever."""

    def select(self, question: Question, *, attempts: Sequence[Attempt]) -> Flow[RoundEvidence]:
        """Choose evidence that no attempt has read; none where nothing is left."""
        ...


class RoundReader(Protocol):
    """Reads the evidence of one round: a reader, chain or synthesizer."""

    def read_round(
        self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()
    ) -> Flow[list[ReadRun]]:
        """Read all evidence at once, or each document alone."""
        ...


@dataclass(frozen=True, slots=True)
class RankedSource:
    """Ranked evidence that rounds are chosen from.

    The first round reads the `k` best, a further one the `k` best of the `candidates` behind them, ranked again.

    Attributes:
        cost: of the retrieval that found it.

    Raises:
        BadInput: for `k` below 1 or `candidates` below 0.

    Example:
        >>> pieces = [Evidence.make("Bo Lind chairs Borth Council."), Evidence.make("The ferry runs daily.")]
        >>> [one.evidence.text for one in RankedSource.in_order(pieces, k=1, candidates=0).unread([])]
        ['Bo Lind chairs Borth Council.']
    """

    ranked: Sequence[RankedEvidence]
    k: int = TOP_K
    candidates: int = POOL
    reranker: AnswerReranker = field(default_factory=Rescorer)
    cost: Cost = field(default_factory=Cost)

    def __post_init__(self) -> None:
        check_sizes(self.k, self.candidates)

    @classmethod
    def in_order(cls, evidence: Sequence[Evidence], **options: Any) -> Self:
        """Take evidence without scores, best first; `options` as for `RankedSource`.

        Each gets its reciprocal rank, as in rank fusion: so falling that the order counts, so slowly that what names a
        likely answer comes forward from anywhere in the pool.
        """
        ranked = [
            RankedEvidence(evidence=piece, score=1 / (RANK_OFFSET + rank))
            for rank, piece in enumerate(evidence, start=1)
        ]
        return cls(ranked, **options)

    def unread(self, attempts: Sequence[Attempt]) -> list[RankedEvidence]:
        """Return what a further round may choose from, best first."""
        read = {id for attempt in attempts for id in attempt.shown}
        return [one for one in self.ranked[: self.k + self.candidates] if one.evidence.id not in read]

    def choose(self, question: Question, *, attempts: Sequence[Attempt]) -> Flow[list[RankedEvidence]]:
        """Choose the evidence of the next round, with its scores."""
        unread = self.unread(attempts)
        if not attempts or not unread:
            return unread[: self.k]
        return (yield from call(self.reranker.rank_again, question, unread=unread, attempts=attempts, k=self.k))

    def select(self, question: Question, *, attempts: Sequence[Attempt]) -> Flow[RoundEvidence]:
        """Choose the evidence of the next round."""
        chosen = yield from self.choose(question, attempts=attempts)
        return RoundEvidence([one.evidence for one in chosen], Cost() if attempts else self.cost)


@dataclass(frozen=True, slots=True)
class ReaderRounds:
    """Reads rounds with a `Reader`.

    Attributes:
        per_document: read each document alone (GrowOVER, section 4.1) instead of all at once.

    Example:
        >>> from dateline.flow import run
        >>> from dateline.reading import ExtractiveReader
        >>> from dateline.temporal import decompose, now
        >>> question = decompose("Who chairs Borth Council?", as_of=now())
        >>> pieces = [Evidence.make("Bo Lind chairs Borth Council."), Evidence.make("The ferry runs daily.")]
        >>> len(run(ReaderRounds(ExtractiveReader(), per_document=True).read_round(question, evidence=pieces)))
        2
    """

    reader: Reader
    per_document: bool

    def read_round(
        self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()
    ) -> Flow[list[ReadRun]]:
        """Read all evidence at once, or each document alone."""
        if not self.per_document:
            result = yield from call(self.reader.read, question, evidence=evidence, choices=choices)
            return [ReadRun(tuple(evidence), result.reading, result.cost)]
        results = yield from call(read_each, self.reader, question, evidence=evidence, choices=choices)
        return [ReadRun((piece,), *result) for piece, result in zip(evidence, results, strict=True)]


# -- the loop -------------------------------------------------------------------------------------


class Answered(NamedTuple):
    """An answer, and the run that gave it."""

    answer: Answer
    run: ReadRun


@dataclass(frozen=True, slots=True)
class AnswerLoop:
    """Reads evidence until the gate adopts an answer or abstains.

    Attributes:
        per_document: the rounds hold one run for each document; each is estimated beside those before it.
        on_step: called with each step of the trace as it happens; its async twin where there is one.
        clock: seconds that only grow, for the gate's budget.

    Example:
        >>> from dateline.certainty import MarginEstimator
        >>> from dateline.flow import run
        >>> from dateline.reading import ExtractiveReader
        >>> from dateline.temporal import decompose, now
        >>> question = decompose("Who chairs Borth Council?", as_of=now())
        >>> source = RankedSource.in_order([Evidence.make("Bo Lind chairs Borth Council.")])
        >>> reading = ReaderRounds(ExtractiveReader(), per_document=False)
        >>> loop = AnswerLoop(reading, estimator=MarginEstimator(), gate=Gate(), per_document=False)
        >>> run(loop.answer(question, source=source)).answer.answer
        'Bo Lind'
    """

    reading: RoundReader
    estimator: Estimator
    gate: Gate
    per_document: bool
    on_step: Callable[[Step], object] | None = None
    clock: Callable[[], float] = time.monotonic

    def answer(self, question: Question, *, source: EvidenceSource, choices: Sequence[str] = ()) -> Flow[Answered]:
        """Answer a question from the evidence that `source` chooses, round by round."""
        started = self.clock()
        rounds: list[Round] = []
        steps: list[Step] = []
        spent = Cost()
        decision = GateDecision(outcome="retrieve", reason="")
        selection = yield from source.select(question, attempts=[])
        while decision.outcome == "retrieve":
            earlier = [run for one in rounds for run in one.runs]
            rounds.append(
                (yield from self.round(question, evidence=selection.evidence, choices=choices, earlier=earlier))
            )
            attempts = [one.attempt for one in rounds]
            cost, passed = attempts[-1].cost, self.clock() - started
            expected = cost.model_copy(update={"seconds": passed - spent.seconds})
            spent = (spent + selection.cost + cost).model_copy(update={"seconds": passed})
            decision = decide(self.gate, attempts, unread=True, spent=spent, expected=expected)
            if decision.outcome == "retrieve":
                selection = yield from source.select(question, attempts=attempts)
                if not selection.evidence:
                    decision = decide(self.gate, attempts, unread=False, spent=spent, expected=expected)
            for step in (read_step(attempts[-1]), gate_step(decision, attempts)):
                steps.append(step)
                if self.on_step is not None:
                    yield from call(self.on_step, step)
        read = list({piece.id: piece for one in rounds for run in one.runs for piece in run.evidence}.values())
        made = answer_of(question, attempts=attempts, decision=decision, evidence=read, steps=steps, cost=spent)
        return Answered(made, rounds[attempts.index(standing(attempts))].best)

    def round(
        self,
        question: Question,
        *,
        evidence: Sequence[Evidence],
        choices: Sequence[str] = (),
        earlier: Sequence[ReadRun] = (),
    ) -> Flow[Round]:
        """Read evidence and estimate each run beside the `earlier` ones.

        What is read at once is read again together with the new: a further round must not forget what spoke against it.
        """
        if not self.per_document:
            known = [piece for run in earlier for piece in run.evidence]
            evidence = list({piece.id: piece for piece in (*known, *evidence)}.values())
        runs = yield from self.reading.read_round(question, evidence=evidence, choices=choices)
        found = yield from self._estimate(question, runs, earlier)
        read = [piece for run in runs for piece in run.evidence]
        certainties = [
            weighed(one, question=question, evidence=read, reading=run.reading)
            for one, run in zip(found, runs, strict=True)
        ]
        return Round(question, tuple(run.placed(question) for run in runs), tuple(certainties), self.per_document)

    def _estimate(
        self, question: Question, runs: Sequence[ReadRun], earlier: Sequence[ReadRun]
    ) -> Flow[list[Certainty]]:
        every = [*earlier, *runs]
        if self.per_document and all(len(run.evidence) == 1 for run in every):
            return (
                yield from call(
                    estimate_each,
                    self.estimator,
                    question,
                    evidence=[run.evidence[0] for run in every],
                    readings=[run.reading for run in every],
                    known=len(earlier),
                )
            )
        return (
            yield from together(
                call(self.estimator.estimate, question, evidence=run.evidence, reading=run.reading) for run in runs
            )
        )


# -- its single steps, for graphs and workflows that keep a checkpoint between them ---------------


def decide(gate: Gate, attempts: Sequence[Attempt], *, unread: bool, spent: Cost, expected: Cost) -> GateDecision:
    """Adopt the standing answer, retrieve again while something is unread, or abstain."""
    rounds = len(attempts) - 1
    # Where nothing is left unread, this round is the last one allowed.
    rule = gate if unread else gate.model_copy(update={"max_rounds": rounds})
    best = standing(attempts)
    return rule.decide(best.certainty, outdated=best.outdated, round=rounds, spent=spent, expected=expected)


def decompose_step(question: Question, *, details: dict[str, Any], cost: Cost) -> Step:
    """Return the trace of how a question was understood."""
    constraint = question.constraint
    when = f"{constraint.relation} {constraint.interval}" if constraint else "no constraint"
    summary = f"asks about '{question.content}', {when}, as of {question.as_of.date().isoformat()}"
    return Step(name="decompose", summary=summary, details=details, cost=cost)


def read_step(attempt: Attempt, *, name: str = "answer") -> Step:
    """Return the trace of one round of reading."""
    reading, certainty = attempt.reading, attempt.certainty
    said = f"'{reading.answer}'" if reading.answer else "no answer"
    return Step(
        name=name,
        summary=f"read {len(attempt.shown)} pieces: {said}, p(reliable) = {certainty.shown}",
        details={"answer": reading.answer, "certainty": certainty.model_dump(), "read": list(attempt.shown)},
        cost=attempt.cost,
    )


def gate_step(decision: GateDecision, attempts: Sequence[Attempt]) -> Step:
    """Return the trace of a decision."""
    best = standing(attempts)
    details: dict[str, Any] = {
        "outcome": decision.outcome,
        "attempt": attempts.index(best),
        "answer": best.reading.answer,
        "certainty": best.certainty.model_dump(),
    }
    return Step(name="gate", summary=f"{decision.outcome}: {decision.reason}", details=details)


def check_sizes(k: int, candidates: int) -> None:
    """Refuse `k` below 1 and `candidates` below 0. Raises `BadInput`."""
    check_least(1, k=k)
    check_least(0, candidates=candidates)
