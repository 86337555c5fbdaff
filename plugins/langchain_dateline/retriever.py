"""`TemporalRetriever`: any retriever or vector store, ranked by content and time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.vectorstores import VectorStore
from pydantic import Field

from dateline import Question
from dateline.documents import DateField
from dateline.evidence.knowledge import KEEP_LATER
from dateline.flow import Flow, call
from dateline.options import checked_arguments
from dateline.search.over_fetch import tell_all_later
from dateline.search.sources import is_store, store_candidates
from dateline.temporal.as_of import AsOf, AsOfField, Clock
from dateline.temporal.asking import asking_moment
from dateline.temporal.decomposition import decompose
from langchain_dateline.documents import checked_k
from langchain_dateline.flows import FlowRetriever, RetrieverRun, ask
from langchain_dateline.reranker import TemporalReranker


@checked_arguments
class TemporalRetriever(FlowRetriever):
    """Your own retriever or vector store, ranked by content and time.

    The inner one is asked for the question's main content, without its date, so that it does not match
    the words of the date (MRAG, section 4); what it brings is then ranked by content and time. What was published after
    the asking moment is left out.

    A vector store, or a plain retriever of one, is asked for the nearest of what was known, and beside it for the nearest
    of the period in question and for the newest: by its own filters where `DateStamper` stamped its documents, else by
    asking for more of them.
    `k` and `as_of` may be given to `invoke` too; what else is given there goes to the inner one.

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

    retriever: BaseRetriever | VectorStore = Field(description="Where candidates come from.")
    reranker: TemporalReranker = Field(default_factory=TemporalReranker)
    k: int = Field(default=5, ge=1, description="How many documents to return.")
    candidates: int = Field(default=50, ge=1, description="How many to ask a vector store for, at least `k`.")
    as_of: AsOfField = Field(default=None, description="The asking moment; None: the reranker's, else when called.")
    date_field: DateField = Field(
        default=(), description="The date's field or fields, or DateRules; empty: the reranker's."
    )
    keep_later: bool = Field(default=False, description=KEEP_LATER)

    def _flow(
        self, query: str, *, run_manager: RetrieverRun, k: int | None = None, as_of: AsOf = None, **kwargs: Any
    ) -> Flow[list[Document]]:
        moment = asking_moment(as_of, self.as_of, self.reranker.as_of, clock=self._clock)
        question, count = decompose(query, as_of=moment), checked_k(k, default=self.k)
        if self.reranker.top_n is not None:
            count = min(count, self.reranker.top_n)
        found = yield from self._found(question, k=count, run_manager=run_manager, given=kwargs)
        ranked = yield from call(self._ranking.rank, question, documents=found, k=count)
        if not ranked and not is_store(self.retriever):
            tell_all_later(self.retriever, len(found), as_of=moment)
        return ranked

    def _found(
        self, question: Question, *, k: int, run_manager: RetrieverRun, given: Mapping[str, Any]
    ) -> Flow[list[Document]]:
        """Ask a store by date, and a retriever as it is."""
        if not is_store(self.retriever):
            return (
                yield from ask(self.retriever, question.content, as_of=question.as_of, run_manager=run_manager, **given)
            )
        ranking = self._ranking
        return (
            yield from store_candidates(
                self.retriever,
                question,
                k=max(k, self.candidates),
                keep_later=ranking.keep_later,
                date_field=ranking.date_field,
                given=given,
            )
        )

    @property
    def _clock(self) -> Clock:
        return self.reranker.clock

    @property
    def _ranking(self) -> TemporalReranker:
        own: dict[str, Any] = {"date_field": self.date_field} if self.date_field else {}
        own |= {"keep_later": True} if self.keep_later else {}
        return self.reranker.model_copy(update=own) if own else self.reranker
