"""`AdaptiveRetriever`: a retriever that is asked again, given an answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import run_in_executor
from langchain_core.vectorstores import VectorStore
from pydantic import ConfigDict, Field

from dateline.certainty.rerank import POOL, TOP_K, rerank
from dateline.options import checked_arguments
from dateline.text import default_embeddings
from langchain_dateline.adaptive_session import Session, current, unread
from langchain_dateline.documents import numbered


@checked_arguments
class AdaptiveRetriever(BaseRetriever):
    """A retriever or vector store that can be asked again.

    First it brings the inner one's first `k` documents, then the `k` best of the `candidates` behind them.

    Asked again, by a `CertaintyGate` around the chain or with `answer=` and `reliable=`, the documents that were read
    are left out and the rest is ranked by GrowOVER's eq. 3: by likeness to the question, and to question and answer
    together as far as the answer is reliable. An inner retriever must bring `k + candidates` documents itself.

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

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")

    retriever: BaseRetriever | VectorStore = Field(description="Where candidates come from.")
    embeddings: Embeddings = Field(default_factory=default_embeddings, exclude=True, description="E of eq. 3.")
    k: int = Field(default=TOP_K, ge=1, description="How many documents to return; may be given to `invoke` too.")
    candidates: int = Field(default=POOL, ge=0, description="Further documents that are kept for another round.")
    scale: float | None = Field(default=None, ge=0.0, description="lambda of eq. 2; None: by the encoder's name.")

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,
        k: int | None = None,
        answer: str = "",
        reliable: float | None = None,
        read: Sequence[Document] | None = None,
        **kwargs: Any,
    ) -> list[Document]:
        view = current(self)
        if view is None:
            found = self._find(query, run_manager, kwargs)
            return self._chosen(query, found, k=k, answer=answer, reliable=reliable, read=read)
        with view.session.lock:
            if query not in view.session.candidates:
                view.keep(query, self._find(query, run_manager, kwargs))
        return view.serve(query)

    async def _aget_relevant_documents(
        self,
        query: str,
        *,
        run_manager: AsyncCallbackManagerForRetrieverRun,
        k: int | None = None,
        answer: str = "",
        reliable: float | None = None,
        read: Sequence[Document] | None = None,
        **kwargs: Any,
    ) -> list[Document]:
        view = current(self)
        if view is None:
            found = await self._afind(query, run_manager, kwargs)
            return await run_in_executor(
                None, lambda: self._chosen(query, found, k=k, answer=answer, reliable=reliable, read=read)
            )
        async with view.session.alock:
            if query not in view.session.candidates:
                view.keep(query, await self._afind(query, run_manager, kwargs))
        return await run_in_executor(None, view.serve, query)

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
        pieces = numbered(rest)
        ranked = rerank(
            pieces,
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

    def _chosen(
        self,
        query: str,
        found: Sequence[Document],
        *,
        k: int | None,
        answer: str,
        reliable: float | None,
        read: Sequence[Document] | None,
    ) -> list[Document]:
        size = k or self.k
        if reliable is None:
            return list(found[:size])
        rest = unread(found, found[:size] if read is None else read)
        return self.again(query, rest, answer=answer, reliable=reliable, k=size)

    def _find(self, query: str, run: CallbackManagerForRetrieverRun, more: dict[str, Any]) -> list[Document]:
        if isinstance(self.retriever, VectorStore):
            return self.retriever.similarity_search(query, k=self.k + self.candidates, **more)
        return self.retriever.invoke(query, config={"callbacks": run.get_child()}, **more)[: self.k + self.candidates]

    async def _afind(
        self, query: str, run: AsyncCallbackManagerForRetrieverRun, more: dict[str, Any]
    ) -> list[Document]:
        if isinstance(self.retriever, VectorStore):
            return await self.retriever.asimilarity_search(query, k=self.k + self.candidates, **more)
        found = await self.retriever.ainvoke(query, config={"callbacks": run.get_child()}, **more)
        return found[: self.k + self.candidates]
