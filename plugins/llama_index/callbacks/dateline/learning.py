"""`FactStoreEventHandler`: a fact store learns from what a running app retrieves."""

from __future__ import annotations

from typing import Any

from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.instrumentation.events import BaseEvent
from llama_index.core.instrumentation.events.retrieval import RetrievalEndEvent, RetrievalStartEvent

from dateline.background import CAPACITY, WhenFull
from dateline.documents import DateField, DateRules, evidence_of_all
from dateline.documents.rules import USUAL, date_rules
from dateline.facts import Updater
from dateline.facts.background_ingestor import BackgroundIngestor, is_fact
from dateline.options import checked_arguments
from dateline.temporal.as_of import Clock, now
from llama_index.callbacks.dateline.listening import ListeningHandler
from llama_index.callbacks.dateline.spans import SpanTree


@checked_arguments
class FactStoreEventHandler(ListeningHandler):
    """A handler that feeds retrieved nodes to an updater, in the background.

    Use it in a `with` block, or call `attach()` and `close()`. The app only pays for queueing. Of a retriever
    inside another one only the outer one's nodes count. Facts that a `FactStoreRetriever` brings are not learnt again. It also
    closes at exit.

    Args:
        updater: `dateline.facts.LocalUpdater`, `dateline.facts.updating.ChatUpdater` or your own.
        date_field: the name or names of the date's field, or `DateRules`; empty: the table of usual names.
        clock: gives the knowledge time, timezone-aware.
        capacity: how many retrievals may wait.
        when_full: "wait" loses nothing and slows the app (an event loop too) down only then; "drop" never does, and
            counts.

    Raises:
        BadInput: for a capacity below 1 or an unknown `when_full`.

    Example:
        >>> from dateline import Evidence, Interval
        >>> from dateline.facts import ExactIndex, FactStore, LocalUpdater, MemoryLedger
        >>> from dateline.testing import FixedSearch
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> from llama_index.retrievers.dateline import EvidenceRetriever
        >>> store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())
        >>> news = Evidence.make("The mayor is Ada Berg.", published=Interval.of_year(2019))
        >>> with FactStoreEventHandler(LocalUpdater(store)) as handler:
        ...     nodes = EvidenceRetriever(FixedSearch([news])).retrieve("Who is the mayor?")
        >>> [each.fact.text for each in store.at("2020")]
        ['The mayor is Ada Berg.']
    """

    _background: BackgroundIngestor = PrivateAttr()
    _date_field: DateRules = PrivateAttr(default=USUAL)
    _tree: SpanTree = PrivateAttr()

    def __init__(
        self,
        updater: Updater,
        *,
        date_field: DateField = (),
        clock: Clock = now,
        capacity: int = CAPACITY,
        when_full: WhenFull = "wait",
    ) -> None:
        super().__init__()
        self._tree = SpanTree(lambda span, seconds: None)
        self._spans = (self._tree,)
        self._date_field = date_rules(date_field)
        self._background = BackgroundIngestor(updater, clock=clock, capacity=capacity, when_full=when_full)

    @property
    def ingestor(self) -> BackgroundIngestor:
        """Return the ingestor, with what was taken in, dropped and failed."""
        return self._background

    def handle(self, event: BaseEvent, **kwargs: Any) -> None:
        """Queue the nodes of a retrieval that ended."""
        span = self._tree.find(event.span_id)
        if isinstance(event, RetrievalStartEvent) and span is not None:
            span.kinds.add("retrieval")
        if isinstance(event, RetrievalEndEvent) and not (span is not None and span.within("retrieval")):
            # Copies: the app may go on to write into its own.
            copies = [each.model_copy(update={"node": each.node.model_copy()}) for each in event.nodes]
            for copy in copies:
                copy.node.metadata = dict(copy.node.metadata)
            # Facts that a store told itself are no news to it.
            news = [each for each in copies if not is_fact(each.node.metadata)]
            # A span is named after the retriever's class and method.
            channel = str(event.span_id or "").partition(".")[0] or "retriever"
            self._background.offer(lambda: evidence_of_all(news, date_field=self._date_field, channel=channel))
