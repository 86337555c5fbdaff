"""`TemporalRetriever`: any retriever or vector store, ranked by content and time."""

from __future__ import annotations

import asyncio
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.vectorstores import VectorStore
from pydantic import ConfigDict, Field

from dateline import Question
from dateline.documents import DateField
from dateline.options import checked_arguments
from dateline.temporal.as_of import AsOf, AsOfField, read_moment
from dateline.temporal.decomposition import decompose
from langchain_dateline.documents import checked_k
from langchain_dateline.reranker import TemporalReranker


@checked_arguments
class TemporalRetriever(BaseRetriever):
    """Your own retriever or vector store, ranked by content and time.

    The inner one is asked for the question's main content, without its date, so that it does not match
    the words of the date (MRAG, section 4); what it brings is then ranked by content and time. `k` and `as_of` may be
    given to `invoke` too; what else is given there goes to the inner one.

    Raises:
        BadInput: while running, for a `k` below 1 or an unreadable `as_of`.

    Example:
        >>> from langchain_core.documents import Document
        >>> from langchain_core.vectorstores import InMemoryVectorStore
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> store = InMemoryVectorStore(LexicalEmbeddings())
        >>> ids = store.add_documents([Document(f"{who} leads Acme.", metadata={"date": when})
        ...                            for who, when in (("Ana", "2015"), ("Ben", "2021"))])
        >>> reranker = TemporalReranker(embeddings=LexicalEmbeddings())
        >>> retriever = TemporalRetriever(retriever=store, reranker=reranker, k=1)
        >>> retriever.invoke("Who led Acme in 2015?")[0].page_content
        'Ana leads Acme.'
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")

    retriever: BaseRetriever | VectorStore = Field(description="Where candidates come from.")
    reranker: TemporalReranker = Field(default_factory=TemporalReranker)
    k: int = Field(default=5, ge=1, description="How many documents to return.")
    candidates: int = Field(default=50, ge=1, description="How many to ask a vector store for.")
    as_of: AsOfField = Field(default=None, description="The asking moment; None: the reranker's, else when called.")
    date_field: DateField = Field(
        default=(), description="The date's field or fields, or DateRules; empty: the reranker's."
    )

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,
        k: int | None = None,
        as_of: AsOf = None,
        **kwargs: Any,
    ) -> list[Document]:
        question, count = self._asked(query, as_of), checked_k(k, default=self.k)
        if isinstance(self.retriever, VectorStore):
            found = self.retriever.similarity_search(question.content, k=self.candidates, **kwargs)
        else:
            found = self.retriever.invoke(question.content, config={"callbacks": run_manager.get_child()}, **kwargs)
        return self._ranking.rank(question, documents=found, k=self._kept(count))

    async def _aget_relevant_documents(
        self,
        query: str,
        *,
        run_manager: AsyncCallbackManagerForRetrieverRun,
        k: int | None = None,
        as_of: AsOf = None,
        **kwargs: Any,
    ) -> list[Document]:
        question, count = self._asked(query, as_of), checked_k(k, default=self.k)
        if isinstance(self.retriever, VectorStore):
            found = await self.retriever.asimilarity_search(question.content, k=self.candidates, **kwargs)
        else:
            found = await self.retriever.ainvoke(
                question.content, config={"callbacks": run_manager.get_child()}, **kwargs
            )
        return await asyncio.to_thread(self._ranking.rank, question, documents=found, k=self._kept(count))

    @property
    def _ranking(self) -> TemporalReranker:
        return self.reranker.model_copy(update={"date_field": self.date_field}) if self.date_field else self.reranker

    def _kept(self, count: int) -> int:
        """So many documents, or fewer where the reranker keeps fewer."""
        return count if self.reranker.top_n is None else min(count, self.reranker.top_n)

    def _asked(self, query: str, as_of: AsOf) -> Question:
        moment = read_moment(as_of, self.as_of, self.reranker.as_of, clock=self.reranker.clock)
        return decompose(query, as_of=moment)
