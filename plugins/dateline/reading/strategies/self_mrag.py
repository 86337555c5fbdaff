"""Self-MRAG: check passages, read each alone, combine (MRAG, appendix Q)."""

from __future__ import annotations

import time
from collections.abc import Sequence

from pydantic import Field

from dateline.errors import ModelFailed, check_least
from dateline.evidence.knowledge import split_known
from dateline.flow import Flow, twins
from dateline.protocols import ReadResult
from dateline.reading.strategies.stages import Relevance, Stages, Summary
from dateline.records import Cost, Evidence, Reading, Record
from dateline.temporal.constraint import Question

PASSAGES = 5
"""How many passages are read; the best number for the smaller Llama (MRAG, table 3)."""


class Trace(Record):
    """Everything that one question went through.

    Example:
        >>> from dateline.reading import ExtractiveReader
        >>> from dateline.reading.strategies import LocalStages
        >>> from dateline.temporal import decompose, now
        >>> evidence = [Evidence.make("Bo Lind chairs Borth Council.")]
        >>> mrag = SelfMrag(LocalStages(ExtractiveReader()))
        >>> mrag.trace(decompose("Who chairs Borth Council?", as_of=now()), evidence=evidence).summaries[0].text
        'Bo Lind chairs Borth Council.'
    """

    relevance: tuple[Relevance, ...] = Field(description="One for each passage, in their order.")
    summaries: tuple[Summary, ...] = Field(description="One for each relevant passage, in their order.")
    reading: Reading
    cost: Cost


class SelfMrag:
    """A reader in three stages, over `ChatStages` or `LocalStages`.

    Passages are read side by side and each alone, so none can speak for another, and what goes wrong with one does
    not touch the others. Where nothing relevant is found, nothing is asked and the answer is empty; stages that answer
    from memory are then asked for what they know.

    Example:
        >>> from dateline.reading import ExtractiveReader
        >>> from dateline.reading.strategies import LocalStages
        >>> from dateline.temporal import decompose, now
        >>> question = decompose("Who chairs Borth Council?", as_of=now())
        >>> evidence = [Evidence.make("Bo Lind chairs Borth Council."), Evidence.make("The ferry runs daily.")]
        >>> SelfMrag(LocalStages(ExtractiveReader())).read(question, evidence=evidence).reading.answer
        'Bo Lind'
    """

    def __init__(self, stages: Stages, *, passages: int = PASSAGES) -> None:
        """Take stages; at most `passages` pieces are read.

        Raises `BadInput` when that is below 1.
        """
        check_least(1, passages=passages)
        self.stages, self.passages = stages, passages

    def _trace(self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()) -> Flow[Trace]:
        """Read, and keep all that led to the answer."""
        started = time.perf_counter()
        pieces = self.pieces(question, evidence=evidence)
        relevance = yield from self.stages.check(question, evidence=pieces, choices=choices)
        kept, found = relevant(pieces, relevance)
        summaries = yield from self.stages.summarise(question, evidence=kept, relevance=found, choices=choices)
        result = yield from self.combine(
            question, evidence=kept, relevance=relevance, summaries=summaries, choices=choices
        )
        return traced(relevance, summaries, result, started=started)

    def _read(
        self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()
    ) -> Flow[ReadResult]:
        """Read `evidence` (best first).

        Raises `ModelFailed` when every passage, or the last stage, fails.
        """
        trace = yield from self._trace(question, evidence=evidence, choices=choices)
        return ReadResult(trace.reading, trace.cost)

    trace, atrace = twins(_trace)
    read, aread = twins(_read)

    def combine(
        self,
        question: Question,
        *,
        evidence: Sequence[Evidence],
        relevance: Sequence[Relevance],
        summaries: Sequence[Summary],
        choices: Sequence[str] = (),
    ) -> Flow[ReadResult | None]:
        """Answer from the summaries; `None`, and nothing asked, where they say nothing.

        Stages that answer from memory are asked all the same.

        Raises:
            ModelFailed: when every passage failed, or the last stage does.
        """
        if not something_said(relevance, summaries) and not getattr(self.stages, "from_memory", False):
            return None
        return (yield from self.stages.combine(question, evidence=evidence, summaries=summaries, choices=choices))

    def pieces(self, question: Question, *, evidence: Sequence[Evidence]) -> list[Evidence]:
        """Return the best `passages` pieces known on the asking day."""
        known, _ = split_known({piece.id: piece for piece in evidence}.values(), as_of=question.as_of)
        return known[: self.passages]


def relevant(pieces: Sequence[Evidence], relevance: Sequence[Relevance]) -> tuple[list[Evidence], list[Relevance]]:
    """Return the relevant pieces beside their checks."""
    passed = [(piece, found) for piece, found in zip(pieces, relevance, strict=True) if found.relevant]
    return [piece for piece, _ in passed], [found for _, found in passed]


def something_said(relevance: Sequence[Relevance], summaries: Sequence[Summary]) -> bool:
    """Return true where a summary has a text.

    Raises `ModelFailed` when every passage failed.
    """
    if any(summary.text for summary in summaries):
        return True
    ends = [*(each.failed for each in relevance if not each.relevant), *(each.failed for each in summaries)]
    if ends and all(ends):
        raise ModelFailed(problems_in(relevance, summaries)[0])
    return False


def problems_in(relevance: Sequence[Relevance], summaries: Sequence[Summary]) -> list[str]:
    """Return the problems with passages, one sentence each."""
    said = [*(each.problem for each in relevance), *(each.problem for each in summaries)]
    return [problem for problem in said if problem]


def traced(
    relevance: Sequence[Relevance], summaries: Sequence[Summary], result: ReadResult | None, *, started: float
) -> Trace:
    """Return the trace with its cost and a note on the passages."""
    reading = Reading(answer="", no_answer=1.0) if result is None else result.reading
    costs = [*(each.cost for each in relevance), *(each.cost for each in summaries)]
    tokens = sum(costs, Cost() if result is None else result.cost)
    note = account(relevance, summaries)
    return Trace(
        relevance=tuple(relevance),
        summaries=tuple(summaries),
        reading=reading.model_copy(update={"reasoning": f"{note}\n{reading.reasoning}".strip()}),
        cost=tokens.model_copy(update={"seconds": time.perf_counter() - started}),
    )


def account(relevance: Sequence[Relevance], summaries: Sequence[Summary]) -> str:
    """Return an account of the passages in a sentence or two."""
    passed, said = sum(each.relevant for each in relevance), sum(bool(each.text) for each in summaries)
    told = f"Of {len(relevance)} passages {passed} looked relevant and {said} said something."
    problems = problems_in(relevance, summaries)
    return f"{told} Problems: {' '.join(problems)}" if problems else told
