"""`EvidenceRetriever`: a dateline search as a LlamaIndex retriever, in FreshPrompt's order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from datetime import datetime
from types import MappingProxyType
from typing import Any, Self

from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from dateline import Evidence
from dateline.documents.fields import PUBLISHED_FROM
from dateline.documents.writing import metadata_of
from dateline.errors import BadInput, check_least
from dateline.evidence import in_order
from dateline.evidence.knowledge import visible
from dateline.evidence.order import Order
from dateline.options import checked_arguments
from dateline.protocols import Search
from dateline.temporal.as_of import AsOf, Clock, checked, is_given, now
from dateline.temporal.asking import asking_moment
from llama_index.postprocessor.dateline.asked import asked_fields

_NOT_SHOWN = ("kind", "position", "highlights", PUBLISHED_FROM)


@checked_arguments
class EvidenceRetriever(BaseRetriever):
    """A retriever around a `FolderSearch`, `SerpApiSearch`, `FactSearch` or any other `Search`.

    Nodes come oldest to newest, so that the newest stands nearest the question in a prompt that lists them (FreshLLMs,
    section 4.1); a node's score is 1 / rank. Metadata: `published` (ISO; absent when undated), `title`, `source`,
    `url`, and, kept from models and encoders, `kind` and `position`, how well the search ranked it, 0 the best.

    Args:
        search: where evidence comes from.
        k: how many nodes to return.
        as_of: the asking moment; `None`: when called.
        order: "time": oldest first; "search": best first, as LlamaIndex's own retrievers; "random": by the seed.
        seed: for random order.
        clock: what "when called" means.
        kwargs: go to LlamaIndex's own `BaseRetriever`.

    Raises:
        BadInput: for an unreadable date, a `k` below 1, or what is no search.
        SearchFailed: while running, where the search has no usable answer.

    Example:
        >>> from dateline import Evidence, Interval
        >>> from dateline.testing import FixedSearch
        >>> found = [Evidence.make(f"{who} leads Acme.", published=Interval.of_year(year))
        ...          for who, year in (("Ben", 2021), ("Ana", 2015))]
        >>> nodes = EvidenceRetriever(FixedSearch(found), as_of="2024").retrieve("Who leads Acme?")
        >>> [(each.text, each.score) for each in nodes]
        [('Ana leads Acme.', 0.5), ('Ben leads Acme.', 1.0)]
    """

    def __init__(
        self,
        search: Search,
        *,
        k: int = 10,
        as_of: AsOf = None,
        order: Order = "time",
        seed: int = 0,
        clock: Clock = now,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if not isinstance(search, Search):
            raise BadInput(f"{type(search).__name__} finds nothing; pass a search of dateline's, such as FolderSearch.")
        self._search, self._order, self._seed, self._clock = search, order, seed, clock
        check_least(1, k=k)
        self._k, self._as_of = k, checked(as_of, clock=clock)

    @property
    def as_of(self) -> AsOf:
        """Return the asking moment that it was made with."""
        return self._as_of

    def at(self, as_of: AsOf = None, *, k: int | None = None) -> Self:
        """Return the retriever for another asking moment or number of nodes.

        `None` leaves it as it is.
        """
        other = copy(self)
        other._as_of = checked(as_of, clock=self._clock) if is_given(as_of) else self._as_of
        check_least(1, k=k)
        other._k = self._k if k is None else k
        return other

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        moment = asking_moment(self._as_of, clock=self._clock)
        found = self._search.search(query_bundle.query_str, as_of=moment, k=self._k)
        return self._nodes(visible(found.evidence, as_of=moment), moment)

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        moment = asking_moment(self._as_of, clock=self._clock)
        found = await self._search.asearch(query_bundle.query_str, as_of=moment, k=self._k)
        return self._nodes(visible(found.evidence, as_of=moment), moment)

    def _nodes(self, evidence: Sequence[Evidence], moment: datetime) -> list[NodeWithScore]:
        # By identity: two pieces may say the same.
        ranks = {id(each): rank for rank, each in enumerate(evidence)}
        ordered = evidence if self._order == "search" else in_order(evidence, order=self._order, seed=self._seed)
        asked = asked_fields(self._as_of, moment=moment)
        return [node_of(each, position=ranks[id(each)], more=asked) for each in ordered]


def node_of(evidence: Evidence, *, position: int, more: Mapping[str, Any] = MappingProxyType({})) -> NodeWithScore:
    """Write evidence as a node, with its rank from 0.

    `more` metadata is kept from models and encoders. `dateline.documents.evidence_of` reads it back.
    """
    metadata = metadata_of(evidence)
    empty = [name for name in ("title", "source") if not metadata[name]]
    node = TextNode(
        id_=evidence.id,
        text=evidence.text,
        metadata={**metadata, "highlights": list(evidence.highlights), "position": position, **more},
        excluded_embed_metadata_keys=[*_NOT_SHOWN, *more, *empty, "published", "url"],
        excluded_llm_metadata_keys=[*_NOT_SHOWN, *more, *empty],
    )
    return NodeWithScore(node=node, score=_score_at(position))


def scored_by_search(node: NodeWithScore) -> bool:
    """Return whether a node's score is the one that `node_of` gave it."""
    position = node.node.metadata.get("position")
    return isinstance(position, int) and position >= 0 and node.score == _score_at(position)


def _score_at(position: int) -> float:
    return 1 / (position + 1)
