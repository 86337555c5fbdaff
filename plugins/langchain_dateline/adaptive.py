"""`AdaptiveRetriever`: other documents when the first ones gave no reliable answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.retrievers import BaseRetriever
from langchain_core.vectorstores import VectorStore
from pydantic import Field

from dateline.certainty.rerank import POOL, TOP_K, rerank
from dateline.flow import Flow, call
from dateline.options import checked_arguments
from dateline.text import default_embeddings
from langchain_dateline.adaptive_session import Session, current, unread
from langchain_dateline.documents import numbered
from langchain_dateline.flows import FlowRetriever, RetrieverRun, ask


@checked_arguments
class AdaptiveRetriever(FlowRetriever):
    """A retriever or vector store that can be asked again.

    The first call brings the inner one's first `k` documents and keeps `candidates` behind them; an inner retriever
    must bring `k + candidates` documents itself. A `CertaintyGate` around the chain, or `answer=` and `reliable=`, asks
    again: documents that were read are left out and the rest is ranked by GrowOVER's eq. 3, by likeness to the question,
    and to question and answer together as far as the answer is reliable.

    Example:
        >>> from langchain_core.documents import Document
        >>> from langchain_core.vectorstores import InMemoryVectorStore
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> store = InMemoryVectorStore(LexicalEmbeddings())
        >>> ids = store.add_documents([Document("Ana leads Acme."), Document("Ben led Acme once.")])
        >>> retriever = AdaptiveRetriever(retriever=store, embeddings=LexicalEmbeddings(), k=1)
        >>> first = retriever.invoke("Who leads Acme?")
        >>> again = retriever.invoke("Who leads Acme?", answer="Ana", reliable=0.2, read=first)
        >>> first[0].page_content, again[0].page_content
        ('Ana leads Acme.', 'Ben led Acme once.')
    """

    retriever: BaseRetriever | VectorStore = Field(description="Where candidates come from.")
    embeddings: Embeddings = Field(default_factory=default_embeddings, exclude=True, description="E of eq. 3.")
    k: int = Field(default=TOP_K, ge=1, description="How many documents to return; may be given to `invoke` too.")
    candidates: int = Field(default=POOL, ge=0, description="Further documents that are kept for another round.")
    scale: float | None = Field(default=None, ge=0.0, description="lambda of eq. 2; None: by the encoder's name.")

    def _flow(
        self,
        query: str,
        *,
        run_manager: RetrieverRun,
        k: int | None = None,
        answer: str = "",
        reliable: float | None = None,
        read: Sequence[Document] | None = None,
        **kwargs: Any,
    ) -> Flow[list[Document]]:
        many, size = self.k + self.candidates, k or self.k

        def search() -> Flow[list[Document]]:
            # A retriever may bring more than it is to.
            found = yield from ask(self.retriever, query, k=many, run_manager=run_manager, **kwargs)
            return found[:many]

        if (view := current(self)) is not None:
            yield from call(view.search, query, search)
            return (yield from call(view.serve, query))
        found = yield from search()
        if reliable is None:
            return found[:size]
        rest = unread(found, found[:size] if read is None else read)
        return (yield from call(self.again, query, rest, answer=answer, reliable=reliable, k=size))

    def session(self) -> Session:
        """Return a fresh session for one question."""

        def choose(query: str, rest: Sequence[Document], answer: tuple[str, float] | None) -> list[Document]:
            if answer is None:
                return list(rest[: self.k])
            return self.again(query, rest, answer=answer[0], reliable=answer[1])

        return Session(choose)

    def again(
        self, query: str, rest: Sequence[Document], *, answer: str, reliable: float, k: int | None = None
    ) -> list[Document]:
        """Return the `k` best of `rest` by eq. 3.

        `reliable` is the p(reliable) of `answer`.
        """
        ranked = rerank(
            numbered(rest),
            question=query,
            answer=answer,
            reliable=reliable,
            embeddings=self.embeddings,
            k=k or self.k,
            skip=0,
            pool=max(self.candidates, 1),
            scale=self.scale,
        )
        return [rest[int(one.evidence.id)] for one in ranked]
