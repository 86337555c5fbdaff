"""`AdaptiveRetriever`: other documents when the first ones gave no reliable answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.retrievers import BaseRetriever
from langchain_core.vectorstores import VectorStore
from pydantic import Field

from dateline.certainty.rerank import POOL, TOP_K, rerank
from dateline.documents import DateFieldOption
from dateline.errors import BadInput
from dateline.evidence.knowledge import KEEP_LATER, visible
from dateline.flow import Flow, call
from dateline.options import checked_arguments
from dateline.search.sources import is_store, store_candidates
from dateline.temporal.as_of import AsOf, AsOfField, ClockField, now
from dateline.temporal.asking import asking_moment
from dateline.temporal.decomposition import decompose
from dateline.text import default_embeddings
from langchain_dateline.adaptive_session import Session, current, unread
from langchain_dateline.documents import checked_k, numbered, without_later_entries
from langchain_dateline.evidence import EvidenceRetriever
from langchain_dateline.flows import FlowRetriever, RetrieverRun, ask
from langchain_dateline.scores import asked_copy, best_first, renumbered


@checked_arguments
class AdaptiveRetriever(FlowRetriever):
    """A retriever or vector store that can be asked again.

    The first call brings the inner one's first `k` documents known at the asking moment and keeps `candidates` behind
    them; an inner retriever must bring `k + candidates` documents itself, and a vector store is asked for those of the
    period and for the newest, too. A `CertaintyGate` around the chain, or `answer=` and `reliable=`, asks
    again: documents that were read are left out and the rest is ranked by GrowOVER's eq. 3, by likeness to the question,
    and to question and answer together as far as the answer is reliable.

    Raises:
        BadInput: while running, for a `k` below 1 or an unreadable `as_of`, and for another `k` in a gate, which gives each run its
            documents.

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
    as_of: AsOfField = Field(default=None, description="The asking moment; None: the gate's, else when called.")
    date_field: DateFieldOption = ()
    keep_later: bool = Field(default=False, description=KEEP_LATER)
    clock: ClockField = now
    scale: float | None = Field(default=None, ge=0.0, description="lambda of eq. 2; None: by the encoder's name.")

    def _flow(
        self,
        query: str,
        *,
        run_manager: RetrieverRun,
        k: int | None = None,
        as_of: AsOf = None,
        answer: str = "",
        reliable: float | None = None,
        read: Sequence[Document] | None = None,
        **kwargs: Any,
    ) -> Flow[list[Document]]:
        size, view = checked_k(k, default=self.k), current(self)
        moment = asking_moment(as_of, None if view is None else view.session.as_of, self.as_of, clock=self.clock)

        def search() -> Flow[list[Document]]:
            return self._known(query, moment, many=size + self.candidates, run_manager=run_manager, given=kwargs)

        if view is not None:
            if size != self.k:
                raise BadInput(
                    f"k={size} of a call does not count in a CertaintyGate; make the retriever with k={size}."
                )
            yield from call(view.search, query, search)
            return (yield from call(view.serve, query))
        found = yield from search()
        if reliable is None:
            return found[:size]
        rest = unread(found, found[:size] if read is None else read)
        return (yield from call(self.again, query, rest, answer=answer, reliable=reliable, k=size))

    def _known(
        self, query: str, moment: datetime, *, many: int, run_manager: RetrieverRun, given: Mapping[str, Any]
    ) -> Flow[list[Document]]:
        """Ask the inner one, and leave out what was published later."""
        if is_store(self.retriever):
            found = yield from store_candidates(
                self.retriever,
                decompose(query, as_of=moment),
                k=many,
                keep_later=self.keep_later,
                date_field=self.date_field,
                given=given,
            )
        else:
            found = yield from ask(self.retriever, query, as_of=moment, run_manager=run_manager, **given)
            # Only of a search is it known that time put its documents in order, and no ranking of its own.
            ranked = best_first(found) if isinstance(self.retriever, EvidenceRetriever) else found
            found = ranked[:many]  # it may bring more than it is to
        found = without_later_entries(found, as_of=moment, date_field=self.date_field, keep_later=self.keep_later)
        evidence = numbered(found, date_field=self.date_field)
        seen = visible(evidence, as_of=moment, keep_later=self.keep_later)
        told = None if self.keep_later else moment
        return [asked_copy(found[int(each.id)], evidence=each, as_of=told) for each in seen]

    def session(self, *, as_of: AsOf = None) -> Session:
        """Return a fresh session for one question, asked at a moment."""

        def choose(query: str, rest: Sequence[Document], answer: tuple[str, float] | None) -> list[Document]:
            if answer is None:
                return list(rest[: self.k])
            return self.again(query, rest, answer=answer[0], reliable=answer[1])

        return Session(choose, as_of=as_of)

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
            pool=max(len(rest), 1),
            scale=self.scale,
        )
        return renumbered([rest[int(one.evidence.id)] for one in ranked])
