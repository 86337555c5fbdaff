"""Callback handlers for the evidence, freshness and cost of answers."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from langchain_core.outputs import LLMResult

from dateline import Cost, Evidence, SearchFailed
from dateline.documents import DateField
from dateline.documents.rules import date_rules
from dateline.documents.writing import asked_in
from dateline.evidence.freshness import Freshness, freshness_of
from dateline.evidence.traces import KEPT, AnswerTrace, TracedRetrieval, latest_asked
from dateline.listener import tell
from dateline.options import checked_arguments
from dateline.temporal.as_of import AsOf, Clock, checked, now
from dateline.temporal.asking import asking_moment
from langchain_dateline.cost_tracker import tokens_of
from langchain_dateline.evidence import evidence_from
from langchain_dateline.run_tree import AnswerCallbackHandler, Run, Told
from langchain_dateline.tool_results import results_of


class _RetrievalHandler(AnswerCallbackHandler[TracedRetrieval, Told]):
    """Collects what is retrieved for each answer."""

    def __init__(self, *, tools: Collection[str] | None = None, date_field: DateField = (), keep: int = KEPT) -> None:
        super().__init__(tools=tools, keep=keep)
        self._date_field = date_rules(date_field)

    def part_of(self, run: Run, *, output: Any, seconds: float) -> TracedRetrieval | None:
        if not self._retrieved(run) or ("retriever" in run.kinds and output is None):
            return None
        asked = asked_in((each.metadata for each in output), clock=now) if "retriever" in run.kinds else None
        return TracedRetrieval(run.name, run.given, self._evidence_of(run, output), seconds, run.tags, asked)

    def _evidence_of(self, run: Run, output: Any) -> tuple[Evidence, ...]:
        if "retriever" in run.kinds:
            return tuple(evidence_from(output, date_field=self._date_field))
        try:
            return results_of(output, now=now(), tool=run.name, date_field=self._date_field)
        except SearchFailed:
            return ()


@checked_arguments
class EvidenceTraceCallbackHandler(_RetrievalHandler[AnswerTrace]):
    """A record of each answer's dated evidence, with its retriever or tool.

    Of a retriever inside another one, only the outer one's documents count: those that the app saw.

    Args:
        tools: names of the tools whose results are evidence; `None`: those with "search" in their name.
        date_field: the field or fields of the date in what is retrieved, or `DateRules`; empty: the usual ones.
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

    def answer_ended(self, run: Run, *, parts: list[TracedRetrieval], seconds: float) -> None:
        """Keep its trace."""
        self.answers.append(AnswerTrace(run.given, tuple(parts), seconds))


@checked_arguments
class FreshnessCallbackHandler(_RetrievalHandler[Freshness]):
    """A record of each answer's newest and oldest evidence.

    An answer that retrieved nothing has none.

    Args:
        as_of: the asking moment; `None`: that of the retrievers, else when the answer is complete.
        on_answer: is called with each, for instance to warn of stale answers, but not with those that it causes itself; what
            it raises is logged, not raised.
        tools: names of the tools whose results are evidence; `None`: those with "search" in their name.
        date_field: the field or fields of the date in what is retrieved, or `DateRules`; empty: the usual ones.
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
        date_field: DateField = (),
        keep: int = KEPT,
        clock: Clock = now,
    ) -> None:
        super().__init__(tools=tools, date_field=date_field, keep=keep)
        self._as_of = checked(as_of, clock=clock)
        self._on_answer = on_answer
        self._clock = clock

    def answer_ended(self, run: Run, *, parts: list[TracedRetrieval], seconds: float) -> None:
        """Say how fresh it is."""
        if not parts:
            return
        pieces = {piece.id: piece for each in parts for piece in each.evidence}
        moment = asking_moment(self._as_of, latest_asked(parts), clock=self._clock)
        told = freshness_of(tuple(pieces.values()), as_of=moment, standing="retrieved")
        self.answers.append(told)
        tell(self._on_answer, told)


@checked_arguments
class CostCallbackHandler(AnswerCallbackHandler[Cost, Cost]):
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
        super().__init__(tools=tools, keep=keep)
        self.total = Cost()

    def part_of(self, run: Run, *, output: Any, seconds: float) -> Cost | None:
        """Return a call's or a retrieval's cost."""
        if "model" in run.kinds:
            return Cost(model_calls=1) + (tokens_of(output) if isinstance(output, LLMResult) else Cost())
        return Cost(searches=1) if self._retrieved(run) else None

    def answer_ended(self, run: Run, *, parts: list[Cost], seconds: float) -> None:
        """Keep its cost."""
        cost = sum(parts, start=Cost(seconds=seconds))
        self.answers.append(cost)
        with self._lock:
            self.total += cost
