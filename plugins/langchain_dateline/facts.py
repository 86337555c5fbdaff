"""`FactStoreRetriever`: facts with their histories, as of any date."""

from __future__ import annotations

import asyncio

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict, Field

from dateline.facts import FactStore
from dateline.facts.fact import FoundFact
from dateline.facts.store import Which
from dateline.options import checked_arguments
from dateline.temporal.as_of import AsOf, AsOfField, is_given


@checked_arguments
class FactStoreRetriever(BaseRetriever):
    """A retriever of the facts nearest to a question at one moment.

    Both clocks may be set: when a fact was true, and when that was known.

    A document's text is the fact with its history in brackets (ERASE, appendix A.3); its metadata hold fact_id,
    true, since, validity, tags, score and history. `as_of`, `known_at` and `k` may be given to `invoke` too.

    Example:
        >>> from datetime import UTC, datetime
        >>> from dateline import Evidence, Interval
        >>> from dateline.facts import ExactIndex, FactStore, LocalUpdater, MemoryLedger
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())
        >>> news = Evidence.make("The mayor is Ada Berg.", published=Interval.of_year(2019))
        >>> changes = LocalUpdater(store).update([news], known_at=datetime(2024, 1, 1, tzinfo=UTC))
        >>> [each.page_content for each in FactStoreRetriever(store=store, as_of="2020").invoke("Who is the mayor?")]
        ['The mayor is Ada Berg. (true at 2019)']
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")

    store: FactStore
    as_of: AsOfField = Field(default=None, description="When the facts were true; None: at the latest.")
    known_at: AsOfField = Field(default=None, description="By what was known then; None: by all that is known.")
    k: int = Field(default=10, ge=1, description="How many facts to bring.")
    which: Which = Field(default="true", description='"any" brings facts that were false there as well.')
    threshold: float = Field(default=-1.0, ge=-1.0, le=1.0, description="The least cosine of question and fact.")
    sources: tuple[str, ...] = Field(default=(), description="Only facts of which one of these spoke; empty: all.")
    fact_tags: tuple[str, ...] = Field(default=(), description="Only facts that carry one of these; empty: all.")

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,
        as_of: AsOf = None,
        known_at: AsOf = None,
        k: int | None = None,
    ) -> list[Document]:
        return self._read(query, as_of=as_of, known_at=known_at, k=k)

    async def _aget_relevant_documents(
        self,
        query: str,
        *,
        run_manager: AsyncCallbackManagerForRetrieverRun,
        as_of: AsOf = None,
        known_at: AsOf = None,
        k: int | None = None,
    ) -> list[Document]:
        return await asyncio.to_thread(self._read, query, as_of=as_of, known_at=known_at, k=k)

    def _read(self, query: str, *, as_of: AsOf, known_at: AsOf, k: int | None) -> list[Document]:
        found = self.store.search(
            query,
            as_of=as_of if is_given(as_of) else self.as_of,
            known_at=known_at if is_given(known_at) else self.known_at,
            k=self.k if k is None else k,
            which=self.which,
            threshold=self.threshold,
            sources=self.sources,
            tags=self.fact_tags,
        )
        return [_document(fact) for fact in found]


def _document(found: FoundFact) -> Document:
    return Document(page_content=found.describe(), metadata=found.metadata(), id=found.fact.id)
