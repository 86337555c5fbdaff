"""`FactStoreRetriever`: facts with their histories, as of any date."""

from __future__ import annotations

from langchain_core.documents import Document
from pydantic import Field

from dateline.documents.writing import ASKED
from dateline.facts import FactStore
from dateline.facts.emptiness import tell_emptiness
from dateline.facts.store import Which
from dateline.facts.windows import AskedTime
from dateline.flow import Flow, call
from dateline.options import checked_arguments
from dateline.temporal.as_of import AsOf, AsOfField, Clock, is_given
from langchain_dateline.documents import checked_k
from langchain_dateline.flows import FlowRetriever, RetrieverRun


@checked_arguments
class FactStoreRetriever(FlowRetriever):
    """A retriever of the facts nearest to a question at one moment.

    Both clocks may be set: when a fact was true, and when that was known.

    A document's text is the fact with its history in brackets (ERASE, appendix A.3); its metadata hold fact_id,
    true, since, validity, tags, score and history. `as_of`, `known_at`, `k`, and the window `during`, `before` and `after` may be
    given to `invoke` too.

    Raises:
        BadInput: while running, for an unreadable date, a window without a moment, or a `k` below 1.

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

    store: FactStore
    as_of: AsOfField = Field(default=None, description="When the facts were true; None: now.")
    during: AsOfField = Field(default=None, description="A period: facts that were true at some time in it.")
    before: AsOfField = Field(default=None, description="The same, of all the time before a moment or period.")
    after: AsOfField = Field(default=None, description="The same, of the time after one, up to as_of.")
    known_at: AsOfField = Field(default=None, description="By what was known then; None: by all that is known.")
    k: int = Field(default=10, ge=1, description="How many facts to bring.")
    which: Which = Field(default="true", description='"any" brings facts that were false there as well.')
    threshold: float = Field(default=-1.0, ge=-1.0, le=1.0, description="The least cosine of question and fact.")
    sources: tuple[str, ...] = Field(default=(), description="Only facts of which one of these spoke; empty: all.")
    fact_tags: tuple[str, ...] = Field(default=(), description="Only facts that carry one of these; empty: all.")

    @property
    def _clock(self) -> Clock:
        return self.store.clock

    def _flow(
        self,
        query: str,
        *,
        run_manager: RetrieverRun,
        as_of: AsOf = None,
        known_at: AsOf = None,
        k: int | None = None,
        during: AsOf = None,
        before: AsOf = None,
        after: AsOf = None,
    ) -> Flow[list[Document]]:
        window = {"during": during, "before": before, "after": after}
        if not any(map(is_given, window.values())):
            window = {"during": self.during, "before": self.before, "after": self.after}
        asked = AskedTime.of(as_of if is_given(as_of) else self.as_of, **window, clock=self._clock)
        found = yield from call(
            self.store.search,
            query,
            **asked.options,
            known_at=known_at if is_given(known_at) else self.known_at,
            k=checked_k(k, default=self.k),
            which=self.which,
            threshold=self.threshold,
            sources=self.sources,
            tags=self.fact_tags,
        )
        if not found:
            tell_emptiness(self.store)
        day = {ASKED: asked.moment.isoformat()}
        return [
            Document(page_content=each.describe(), metadata={**each.metadata(), **day}, id=each.fact.id)
            for each in found
        ]
