"""`FactStoreCallbackHandler`: a fact store learns from what a running app retrieves."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any
from uuid import UUID

from langchain_core.documents import Document

from dateline import Evidence
from dateline.background import CAPACITY, BackgroundHandler, WhenFull
from dateline.documents import DateField, evidence_of_all
from dateline.documents.rules import date_rules
from dateline.facts import Updater
from dateline.facts.background_ingestor import BackgroundIngestor, is_fact
from dateline.options import checked_arguments
from dateline.temporal.as_of import Clock, now
from langchain_dateline.documents import copies_of
from langchain_dateline.run_tree import RunCallbackHandler
from langchain_dateline.tool_results import checked_tools, results_of, searches


@checked_arguments
class FactStoreCallbackHandler(BackgroundHandler, RunCallbackHandler[None]):
    """A handler that teaches a fact store, in the background.

    Retrieved documents and the results of search tools go to an updater; the app only pays for queueing. Pass it with
    `config={"callbacks": [handler]}`, to synchronous and asynchronous runs alike. Of a retriever inside another one only the
    outer one's documents count. Facts that a store brings, by a retriever or a tool, are not learnt again. A tool's results are
    read where they are a list of results; prose is left out. Close it, or use it in a `with` block, when the app ends; it also
    closes at exit.

    Args:
        updater: `dateline.facts.LocalUpdater`, `dateline.facts.updating.ChatUpdater` or your own.
        tools: names of the tools whose results are evidence; `None`: those with "search" in their name.
        date_field: the name or names of the date's field, or `DateRules`; empty: the table of usual names.
        clock: gives the knowledge time, timezone-aware.
        capacity: how many retrievals may wait.
        when_full: "wait" loses nothing and slows the app down only then; "drop" never does, and counts.

    Raises:
        BadInput: for a capacity below 1 or an unknown `when_full`.

    Example:
        >>> from dateline import Evidence, Interval
        >>> from dateline.facts import ExactIndex, FactStore, LocalUpdater, MemoryLedger
        >>> from dateline.testing import FixedSearch
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> from langchain_dateline import EvidenceRetriever
        >>> store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())
        >>> news = Evidence.make("The mayor is Ada Berg.", published=Interval.of_year(2019))
        >>> with FactStoreCallbackHandler(LocalUpdater(store)) as handler:
        ...     found = EvidenceRetriever(search=FixedSearch([news])).invoke("Who?", config={"callbacks": [handler]})
        >>> [each.fact.text for each in store.at("2020")]
        ['The mayor is Ada Berg.']
    """

    def __init__(
        self,
        updater: Updater,
        *,
        tools: Collection[str] | None = None,
        date_field: DateField = (),
        clock: Clock = now,
        capacity: int = CAPACITY,
        when_full: WhenFull = "wait",
    ) -> None:
        super().__init__()
        self.ingestor = self._background = BackgroundIngestor(
            updater, clock=clock, capacity=capacity, when_full=when_full
        )
        self._tools = checked_tools(tools)
        self._date_field = date_rules(date_field)
        self._clock = clock

    def on_retriever_end(self, documents: Sequence[Document], *, run_id: UUID, **kwargs: Any) -> None:
        """Queue retrieved documents."""
        run = self._runs.find(run_id)
        super().on_retriever_end(documents, run_id=run_id, **kwargs)
        if run is not None and run.within("retriever"):
            return
        channel = run.name if run is not None else "retriever"
        news = [each for each in copies_of(documents) if not is_fact(each.metadata)]
        self.ingestor.offer(lambda: evidence_of_all(news, date_field=self._date_field, channel=channel))

    def on_tool_end(self, output: Any, *, run_id: UUID, name: str = "", **kwargs: Any) -> None:
        """Queue a search tool's results."""
        super().on_tool_end(output, run_id=run_id, **kwargs)
        if searches(name, self._tools):
            self.ingestor.offer(lambda: self._news(output, tool=name))

    def _news(self, output: Any, *, tool: str) -> list[Evidence]:
        return [
            piece
            for piece in results_of(output, now=self._clock(), tool=tool, date_field=self._date_field)
            if piece.kind != "fact"
        ]
