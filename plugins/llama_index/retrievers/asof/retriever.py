"""`TemporalRetriever`: any retriever, asked by content and ranked by content and time."""

from __future__ import annotations

from typing import Any

from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle

from asof.temporal.decomposition import decompose
from llama_index.postprocessor.asof import TemporalReranker


class TemporalRetriever(BaseRetriever):
    """Wraps a retriever that you already have.

    The inner one is asked for the question's main content, without its date, so that it does not match
    the words of the date (MRAG, section 4); what it brings is then ranked by content and time.
    """

    def __init__(self, inner: BaseRetriever, *, reranker: TemporalReranker | None = None, **kwargs: Any) -> None:
        """`kwargs` go to LlamaIndex's own `BaseRetriever`."""
        super().__init__(**kwargs)
        self._inner = inner
        self._reranker = reranker or TemporalReranker()

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        found = self._inner.retrieve(self._content(query_bundle))
        return self._reranker.postprocess_nodes(found, query_bundle=query_bundle)

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        found = await self._inner.aretrieve(self._content(query_bundle))
        return await self._reranker.apostprocess_nodes(found, query_bundle=query_bundle)

    def _content(self, query: QueryBundle) -> str:
        moment = self._reranker.as_of or self._reranker.clock()
        return decompose(query.query_str, as_of=moment).content
