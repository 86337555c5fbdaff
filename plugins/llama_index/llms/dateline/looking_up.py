"""Retrievals made while an answer is written, as LlamaIndex sees them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from llama_index.core.instrumentation.events import BaseEvent
from llama_index.core.instrumentation.events.retrieval import RetrievalEndEvent, RetrievalStartEvent
from llama_index.core.schema import NodeWithScore
from llama_index_instrumentation import get_dispatcher

from dateline import Evidence, Interval
from dateline.dynamic import Retrieval, RetrievingGenerator
from dateline.protocols import Search, SearchResult
from dateline.search.retriever import RetrieverSearch
from llama_index.retrievers.dateline.evidence import node_of

dispatcher = get_dispatcher(__name__)


class LookedUpEvent(BaseEvent):
    """Generation stopped and looked something up; handlers of LlamaIndex's instrumentation see it."""

    trigger: str
    reason: str
    score: float
    query: str
    position: int
    withdrawn: int
    documents: int

    @classmethod
    def class_name(cls) -> str:
        """Its name in traces."""
        return "LookedUpEvent"


class LookUp:
    """A search that dispatches the events of a LlamaIndex retriever.

    Each retrieval is in a span of its own.
    """

    def __init__(self, search: Search) -> None:
        self._search = search

    @dispatcher.span
    def search(self, query: str, *, as_of: datetime, k: int = 10, window: Interval | None = None) -> SearchResult:
        """The inner search."""
        dispatcher.event(RetrievalStartEvent(str_or_query_bundle=query))
        result = self._search.search(query, as_of=as_of, k=k, window=window)
        dispatcher.event(RetrievalEndEvent(str_or_query_bundle=query, nodes=nodes_of(result.evidence)))
        return result

    @dispatcher.span
    async def asearch(
        self, query: str, *, as_of: datetime, k: int = 10, window: Interval | None = None
    ) -> SearchResult:
        """Search without blocking."""
        dispatcher.event(RetrievalStartEvent(str_or_query_bundle=query))
        result = await self._search.asearch(query, as_of=as_of, k=k, window=window)
        dispatcher.event(RetrievalEndEvent(str_or_query_bundle=query, nodes=nodes_of(result.evidence)))
        return result


def heard(generator: RetrievingGenerator) -> RetrievingGenerator:
    """The generator with a search that LlamaIndex's handlers hear of."""
    search = generator.search
    # A retriever of LlamaIndex dispatches its own events.
    own = isinstance(search, RetrieverSearch) and hasattr(search.retriever, "retrieve")
    return generator if own else generator.with_retriever(LookUp(search))


def tell(retrieval: Retrieval) -> None:
    """Dispatch a retrieval's `LookedUpEvent`."""
    dispatcher.event(
        LookedUpEvent(
            trigger=retrieval.trigger,
            reason=retrieval.reason,
            score=retrieval.score,
            query=retrieval.query,
            position=retrieval.position,
            withdrawn=retrieval.withdrawn,
            documents=len(retrieval.documents),
        )
    )


def nodes_of(evidence: Sequence[Evidence]) -> list[NodeWithScore]:
    """Write what was found as nodes, best first."""
    return [node_of(each, position=rank) for rank, each in enumerate(evidence)]
