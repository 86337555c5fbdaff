"""`TemporalRetriever`: any retriever or vector store, asked by content and ranked by content and time."""

from __future__ import annotations

from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.vectorstores import VectorStore
from pydantic import ConfigDict, Field

from asof.temporal.decomposition import decompose
from langchain_asof.reranker import TemporalReranker


class TemporalRetriever(BaseRetriever):
    """Wraps a retriever or vector store that you already have.

    The inner one is asked for the question's main content, without its date, so that it does not match
    the words of the date (MRAG, section 4); what it brings is then ranked by content and time.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    inner: BaseRetriever | VectorStore = Field(description="Where candidates come from.")
    reranker: TemporalReranker = Field(default_factory=TemporalReranker)
    k: int = Field(default=5, ge=1, description="How many documents to return; may be given to `invoke` too.")
    candidates: int = Field(default=50, ge=1, description="How many to ask a vector store for.")

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, k: int | None = None, **kwargs: Any
    ) -> list[Document]:
        content = self._content(query)
        if isinstance(self.inner, VectorStore):
            found = self.inner.similarity_search(content, k=self.candidates, **kwargs)
        else:
            found = self.inner.invoke(content, config={"callbacks": run_manager.get_child()}, **kwargs)
        return self.reranker.compress_documents(found, query)[: k or self.k]

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun, k: int | None = None, **kwargs: Any
    ) -> list[Document]:
        content = self._content(query)
        if isinstance(self.inner, VectorStore):
            found = await self.inner.asimilarity_search(content, k=self.candidates, **kwargs)
        else:
            found = await self.inner.ainvoke(content, config={"callbacks": run_manager.get_child()}, **kwargs)
        return list(await self.reranker.acompress_documents(found, query))[: k or self.k]

    def _content(self, query: str) -> str:
        return decompose(query, as_of=self.reranker.as_of or self.reranker.clock()).content
