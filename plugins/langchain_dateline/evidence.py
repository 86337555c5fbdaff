"""`EvidenceRetriever`: a dateline search as a LangChain retriever, in FreshPrompt's order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from langchain_core.documents import Document
from pydantic import Field

from dateline import Evidence
from dateline.channels import GIVEN
from dateline.documents import DateField, evidence_of_all
from dateline.documents.writing import ASKED, metadata_of
from dateline.evidence import in_order
from dateline.evidence.knowledge import visible
from dateline.evidence.order import Order
from dateline.flow import Flow, call
from dateline.options import checked_arguments
from dateline.protocols import Search
from dateline.temporal.as_of import AsOf, AsOfField, ClockField, now
from dateline.temporal.asking import asking_moment
from langchain_dateline.documents import checked_k
from langchain_dateline.flows import FlowRetriever, RetrieverRun
from langchain_dateline.scores import RANK, best_first


@checked_arguments
class EvidenceRetriever(FlowRetriever):
    """A retriever around a `FolderSearch`, `SerpApiSearch`, `RetrieverSearch` or any other `Search`.

    Documents come oldest to newest, so that the newest stands nearest the question in a prompt that lists them
    (FreshLLMs, section 4.1). Their metadata hold `published` (ISO; absent when undated), `kind`, `source`, `url`,
    `title`, `highlights`, and `position`: how well the search ranked them, 0 the best. `k` and `as_of` may be given to
    `invoke` too.

    Raises:
        BadInput: while running, for a `k` below 1 or an unreadable `as_of`.
        SearchFailed: while running, where the search has no usable answer.

    Example:
        >>> from dateline import Evidence, Interval
        >>> from dateline.testing import FixedSearch
        >>> found = [Evidence.make(f"{who} leads Acme.", published=Interval.of_year(year))
        ...          for who, year in (("Ben", 2021), ("Ana", 2015))]
        >>> documents = EvidenceRetriever(search=FixedSearch(found), as_of="2024").invoke("Who leads Acme?")
        >>> [(each.page_content, each.metadata["position"]) for each in documents]
        [('Ana leads Acme.', 1), ('Ben leads Acme.', 0)]
    """

    search: Search = Field(description="Where evidence comes from.")
    k: int = Field(default=10, ge=1, description="How many documents to return.")
    as_of: AsOfField = Field(default=None, description="The asking moment; None: when called.")
    order: Order = Field(default="time", description="time: oldest first; search: best last; random: by the seed.")
    seed: int = Field(default=0, description="For random order.")
    clock: ClockField = now

    def _flow(
        self, query: str, *, run_manager: RetrieverRun, k: int | None = None, as_of: AsOf = None
    ) -> Flow[list[Document]]:
        moment, count = asking_moment(as_of, self.as_of, clock=self.clock), checked_k(k, default=self.k)
        found = yield from call(self.search.search, query, as_of=moment, k=count)
        # A search of one's own may bring what was published later.
        return self._documents(visible(found.evidence, as_of=moment), as_of=moment)

    def _documents(self, evidence: Sequence[Evidence], *, as_of: datetime) -> list[Document]:
        # By identity: two pieces may say the same.
        ranks = {id(each): rank for rank, each in enumerate(evidence)}
        ordered = in_order(evidence, order=self.order, seed=self.seed)
        return [dated_document(each, position=ranks[id(each)], as_of=as_of) for each in ordered]


def dated_document(evidence: Evidence, *, position: int | None = None, as_of: datetime | None = None) -> Document:
    """Evidence as a document that loses nothing: `evidence_from` gives it back.

    Args:
        position: its rank, from 0, in the place of its own.
        as_of: the asking moment, for what comes behind.
    """
    rank = evidence.position if position is None else position
    metadata = {**metadata_of(evidence), "highlights": list(evidence.highlights), RANK: rank}
    metadata |= {} if as_of is None else {ASKED: as_of.isoformat()}
    return Document(page_content=evidence.text, metadata=metadata, id=evidence.id)


def evidence_from(documents: Iterable[Document], *, date_field: DateField = (), channel: str = GIVEN) -> list[Evidence]:
    """Read documents as evidence, best first.

    By the rank that a search wrote into each, else in the order given.
    """
    return evidence_of_all(best_first(documents), date_field=date_field, channel=channel)
