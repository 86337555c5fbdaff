"""Callback handlers for the evidence, freshness and cost of answers."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection
from datetime import datetime
from typing import Any
from uuid import UUID

from langchain_core.outputs import LLMResult

from dateline import Cost, Evidence, SearchFailed
from dateline.evidence.freshness import Freshness, freshness_of
from dateline.evidence.traces import AnswerTrace, TracedRetrieval
from dateline.options import checked_arguments
from dateline.temporal.as_of import AsOf, checked, now, read_moment
from langchain_dateline.evidence import evidence_from
from langchain_dateline.run_tree import KEPT, AnswerCallbackHandler, Run
from langchain_dateline.tool_results import results_of, searches


class _RetrievalHandler(AnswerCallbackHandler):
    """Collects what is retrieved for each answer."""

    def __init__(self, *, tools: Collection[str] | None, keep: int) -> None:
        super().__init__(keep=keep)
        self._tools = tools
        self._found: dict[UUID, list[TracedRetrieval]] = {}

    def run_ended(self, run: Run, *, output: Any, seconds: float) -> None:
        evidence = _evidence_of(run, output, tools=self._tools)
        if evidence is not None:
            found = TracedRetrieval(run.name, run.given, evidence, seconds, run.tags)
            self._found.setdefault(run.answer.id, []).append(found)


@checked_arguments
class EvidenceTraceCallbackHandler(_RetrievalHandler):
    """A record of each answer's dated evidence, with its retriever or tool.

    Of a retriever inside another one, only the outer one's documents count: those that the app saw.

    Args:
        tools: names of the tools whose results are evidence; `None`: those with "search" in their name.
        keep: how many answers are remembered, the latest ones.

    Raises:
        BadInput: for a `keep` below 1.

    Example:
        >>> from dateline import Evidence
        >>> from dateline.testing import FixedSearch
        >>> from langchain_dateline import EvidenceRetriever
        >>> handler = EvidenceTraceCallbackHandler()
        >>> retriever = EvidenceRetriever(search=FixedSearch([Evidence.make("Ben leads Acme.")]))
        >>> documents = retriever.invoke("Who leads Acme?", config={"callbacks": [handler]})
        >>> handler.answers[0].retrievals[0].evidence[0].text
        'Ben leads Acme.'
    """

    def __init__(self, *, tools: Collection[str] | None = None, keep: int = KEPT) -> None:
        super().__init__(tools=tools, keep=keep)
        self.answers: deque[AnswerTrace] = deque(maxlen=keep)

    def answer_ended(self, run: Run, *, seconds: float) -> None:
        """Keep its trace."""
        self.answers.append(AnswerTrace(run.given, tuple(self._found.pop(run.id, ())), seconds))


@checked_arguments
class FreshnessCallbackHandler(_RetrievalHandler):
    """A record of each answer's newest and oldest evidence.

    An answer that retrieved nothing has none.

    Args:
        as_of: the asking moment; `None`: when the answer is complete.
        on_answer: is called with each, for instance to warn of stale answers; what it raises is logged, not raised.
        tools: names of the tools whose results are evidence; `None`: those with "search" in their name.
        keep: how many answers are remembered, the latest ones.
        clock: gives the moment where `as_of` is left out.

    Raises:
        BadInput: for an unreadable date, or a `keep` below 1.

    Example:
        >>> from dateline import Evidence, Interval
        >>> from dateline.testing import FixedSearch
        >>> from langchain_dateline import EvidenceRetriever
        >>> handler = FreshnessCallbackHandler(as_of="2024")
        >>> news = Evidence.make("Ben leads Acme.", published=Interval.of_year(2021))
        >>> retriever = EvidenceRetriever(search=FixedSearch([news]))
        >>> documents = retriever.invoke("Who leads Acme?", config={"callbacks": [handler]})
        >>> handler.answers[0].statement
        'The newest evidence retrieved is of 2021 (1096 days before the asking date).'
    """

    def __init__(
        self,
        *,
        as_of: AsOf = None,
        on_answer: Callable[[Freshness], None] | None = None,
        tools: Collection[str] | None = None,
        keep: int = KEPT,
        clock: Callable[[], datetime] = now,
    ) -> None:
        super().__init__(tools=tools, keep=keep)
        self.answers: deque[Freshness] = deque(maxlen=keep)
        self._as_of = checked(as_of, clock=clock)
        self._on_answer = on_answer
        self._clock = clock

    def answer_ended(self, run: Run, *, seconds: float) -> None:
        """Say how fresh it is."""
        found = self._found.pop(run.id, None)
        if found is None:
            return
        pieces = {piece.id: piece for each in found for piece in each.evidence}
        told = freshness_of(
            tuple(pieces.values()), as_of=read_moment(self._as_of, clock=self._clock), standing="retrieved"
        )
        self.answers.append(told)
        if self._on_answer is not None:
            self._on_answer(told)


@checked_arguments
class CostCallbackHandler(AnswerCallbackHandler):
    """A record of each answer's model calls, reported tokens, retrievals and seconds.

    A retrieval is a retriever's run that is in no other one, or a search tool's call in which no retriever ran.
    `total` is the sum over all answers.

    Args:
        tools: names of the tools that search; `None`: those with "search" in their name.
        keep: how many answers are remembered, the latest ones.

    Raises:
        BadInput: for a `keep` below 1.

    Example:
        >>> from langchain_dateline.testing import ScriptedChatModel
        >>> handler = CostCallbackHandler()
        >>> reply = ScriptedChatModel(replies=["Ben."]).invoke("Who leads Acme?", config={"callbacks": [handler]})
        >>> handler.total.model_calls
        1
    """

    def __init__(self, *, tools: Collection[str] | None = None, keep: int = KEPT) -> None:
        super().__init__(keep=keep)
        self.answers: deque[Cost] = deque(maxlen=keep)
        self.total = Cost()
        self._tools = tools
        self._spent: dict[UUID, Cost] = {}

    def run_ended(self, run: Run, *, output: Any, seconds: float) -> None:
        """Add its cost to its answer's."""
        spent = _cost_of(run, output, tools=self._tools)
        if spent is not None:
            self._spent[run.answer.id] = self._spent.get(run.answer.id, Cost()) + spent

    def answer_ended(self, run: Run, *, seconds: float) -> None:
        """Keep its cost."""
        cost = self._spent.pop(run.id, Cost()) + Cost(seconds=seconds)
        self.answers.append(cost)
        self.total += cost


def _evidence_of(run: Run, output: Any, *, tools: Collection[str] | None) -> tuple[Evidence, ...] | None:
    """Return a run's evidence; `None` where it is no retrieval."""
    if run.kind == "retriever" and output is not None and not run.within("retriever"):
        return tuple(evidence_from(output))
    if run.kind == "tool" and not run.retrieves and searches(run.name, tools):
        try:
            return results_of(output, now=now(), tool=run.name)
        except SearchFailed:
            return ()
    return None


def _cost_of(run: Run, output: Any, *, tools: Collection[str] | None) -> Cost | None:
    if run.kind == "model":
        return Cost(model_calls=1) + _tokens(output)
    searched = run.kind == "retriever" and not run.within("retriever")
    searched = searched or (run.kind == "tool" and not run.retrieves and searches(run.name, tools))
    return Cost(searches=1) if searched else None


def _tokens(output: Any) -> Cost:
    """Return the tokens that a model reports, in either place."""
    if not isinstance(output, LLMResult):
        return Cost()
    messages = [getattr(each, "message", None) for some in output.generations for each in some]
    reported = [usage for each in messages if (usage := getattr(each, "usage_metadata", None))]
    if reported:
        return Cost(
            input_tokens=sum(usage["input_tokens"] for usage in reported),
            output_tokens=sum(usage["output_tokens"] for usage in reported),
        )
    usage = (output.llm_output or {}).get("token_usage") or {}
    return Cost(
        input_tokens=int(usage.get("prompt_tokens") or 0), output_tokens=int(usage.get("completion_tokens") or 0)
    )
