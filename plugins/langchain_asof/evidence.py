"""`EvidenceRetriever`: any search of asof as a LangChain retriever, its evidence in FreshPrompt's order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, get_args

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict, Field, field_validator

from asof import Evidence
from asof.evidence import in_order
from asof.evidence.order import Order
from asof.protocols import Search
from asof.records import EvidenceKind
from asof.temporal.asking import asking_moment
from langchain_asof.documents import checked_k, evidence_of, metadata_of


def _now() -> datetime:
    return datetime.now(UTC)


class EvidenceRetriever(BaseRetriever):
    """Wraps a `FolderSearch`, `SerpApiSearch`, `RetrieverSearch` or any other `Search`.

    Documents come oldest to newest, so that the newest stands nearest the question in a prompt that lists them
    (FreshLLMs, section 4.1). Their metadata hold `published` (ISO; absent when undated), `kind`, `source`, `url`,
    `title`, `highlights`, and `position`: how well the search ranked them, 0 the best. `k` and `as_of` may be given to
    `invoke` too.

    Raises:
        BadInput: while running, for a `k` below 1 or an unreadable `as_of`.
        SearchFailed: while running, where the search has no usable answer.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    engine: Search = Field(description="Where evidence comes from.")
    k: int = Field(default=10, ge=1, description="How many documents to return.")
    as_of: datetime | None = Field(default=None, description="Asking moment or YYYY[-MM[-DD]]; None: when called.")
    order: Order = Field(default="time", description="time: oldest first; search: best last; random: by the seed.")
    seed: int = Field(default=0, description="For random order.")
    clock: Callable[[], datetime] = Field(default=_now, exclude=True, description="What 'when called' means.")

    @field_validator("as_of", mode="before")
    @classmethod
    def _read_as_of(cls, value: Any) -> datetime | None:
        return asking_moment(value)

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,
        k: int | None = None,
        as_of: datetime | str | None = None,
    ) -> list[Document]:
        found = self.engine.search(query, as_of=self._moment(as_of), k=checked_k(k, default=self.k))
        return self._documents(found.evidence)

    async def _aget_relevant_documents(
        self,
        query: str,
        *,
        run_manager: AsyncCallbackManagerForRetrieverRun,
        k: int | None = None,
        as_of: datetime | str | None = None,
    ) -> list[Document]:
        found = await self.engine.asearch(query, as_of=self._moment(as_of), k=checked_k(k, default=self.k))
        return self._documents(found.evidence)

    def _moment(self, as_of: datetime | str | None) -> datetime:
        return asking_moment(as_of) or self.as_of or self.clock()

    def _documents(self, evidence: Sequence[Evidence]) -> list[Document]:
        ranked = [
            each if each.position == rank else each.model_copy(update={"position": rank})
            for rank, each in enumerate(evidence)
        ]
        return [dated_document(each) for each in in_order(ranked, order=self.order, seed=self.seed)]


def dated_document(evidence: Evidence) -> Document:
    """Evidence as a document that loses nothing: `evidence_from` gives it back."""
    more: dict[str, Any] = {"highlights": list(evidence.highlights), "position": evidence.position}
    return Document(page_content=evidence.text, metadata={**metadata_of(evidence), **more}, id=evidence.id)


def evidence_from(documents: Sequence[Document]) -> list[Evidence]:
    """Documents as evidence, best first: by `position` where each of them has one, else in the order given."""
    read = [_read(document) for document in documents]
    places = [each.position for each in read]
    return read if None in places else sorted(read, key=lambda each: each.position or 0)


def _read(document: Document) -> Evidence:
    metadata = document.metadata
    kind, place, marked = (metadata.get(name) for name in ("kind", "position", "highlights"))
    read = evidence_of(document)
    named = metadata.get("source")
    more: dict[str, Any] = {
        # `document_of` names the address where there is no other source.
        "source": read.source if not isinstance(named, str) else "" if named == read.url else named,
        "kind": kind if kind in get_args(EvidenceKind) else "document",
        "position": place if isinstance(place, int) and not isinstance(place, bool) else None,
        "highlights": tuple(str(each) for each in marked) if isinstance(marked, list | tuple) else (),
    }
    return read.model_copy(update=more)
