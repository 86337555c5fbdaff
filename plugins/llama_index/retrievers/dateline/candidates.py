"""A LlamaIndex vector index as a source of candidates."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from copy import copy
from typing import Any

from llama_index.core.indices.vector_store.retrievers import VectorIndexRetriever
from llama_index.core.schema import MetadataMode, NodeWithScore, QueryBundle
from llama_index.core.vector_stores import (
    FilterCondition,
    FilterOperator,
    MetadataFilter,
    MetadataFilters,
    SimpleVectorStore,
)

from dateline.documents.fields import PUBLISHED
from dateline.documents.stamp import VALID_FROM, VALID_UNTIL
from dateline.flow import Flow, call
from dateline.ranking.candidates import CandidateFilter


class IndexCandidates:
    """One question to an index, asked several times with filters.

    The question is encoded once. Filters of a retriever's own stay.
    """

    can_filter = True

    def __init__(self, retriever: VectorIndexRetriever, query: QueryBundle | str) -> None:
        self.name = type(retriever._vector_store).__name__
        self._retriever = retriever
        self._query = QueryBundle(query) if isinstance(query, str) else query

    def nearest(self, k: int, asked: CandidateFilter | None = None) -> Flow[list[NodeWithScore]]:
        """Find the nearest of all, or of those a filter lets through."""
        own = self._retriever._filters
        if self._query.embedding is None and self._retriever._needs_embedding():
            embed = self._retriever._embed_model.get_agg_embedding_from_queries
            vector = yield from call(embed, self._query.embedding_strs)
            self._query = QueryBundle(self._query.query_str, embedding=vector)
        nests = not isinstance(self._retriever._vector_store, SimpleVectorStore)
        answers: list[list[NodeWithScore]] = []
        for filters in [own] if asked is None else _both(own, metadata_filters(asked), nests=nests):
            retriever = copy(self._retriever)
            retriever.similarity_top_k, retriever._filters = k, filters
            answers.append((yield from call(retriever.retrieve, self._query)))
        return answers[0] if len(answers) == 1 else self._nearest_of(answers, k)

    def _nearest_of(self, answers: Iterable[Iterable[NodeWithScore]], k: int) -> list[NodeWithScore]:
        found = {self.key(each): each for answer in answers for each in answer}
        return sorted(found.values(), key=lambda each: each.score or 0.0, reverse=True)[:k]

    def metadata(self, document: NodeWithScore) -> Mapping[str, Any]:
        """Return a node's metadata."""
        return document.node.metadata

    def text(self, document: NodeWithScore) -> str:
        """Return a node's text."""
        return document.node.get_content(MetadataMode.NONE)

    def key(self, document: NodeWithScore) -> Hashable:
        """Return the node's id."""
        return document.node.node_id


def _both(own: MetadataFilters | None, ours: MetadataFilters, *, nests: bool) -> list[MetadataFilters]:
    """Return the conditions of both, nested only where needed.

    A store that does not nest is asked for each of several that "or" joins.
    """
    if own is None:
        return [ours]
    plain = all(isinstance(each, MetadataFilter) for each in own.filters)
    if own.condition == FilterCondition.OR and plain and not nests:
        return [MetadataFilters(filters=[each, *ours.filters]) for each in own.filters]
    first = own.filters if own.condition == FilterCondition.AND else [own]
    return [MetadataFilters(filters=[*first, *ours.filters])]


def metadata_filters(asked: CandidateFilter) -> MetadataFilters:
    """Translate a candidate filter into LlamaIndex's filters.

    Example:
        >>> [(each.key, each.operator.value, each.value) for each in metadata_filters(CandidateFilter(100, since=50)).filters]
        [('dateline_published', '<', 100), ('dateline_published', '>', 49)]
    """
    conditions = [
        (PUBLISHED, FilterOperator.LT, asked.known_before),
        (PUBLISHED, FilterOperator.GT, None if asked.since is None else asked.since - 1),
        (VALID_FROM, FilterOperator.LT, asked.end),
        (VALID_UNTIL, FilterOperator.GT, asked.start),
    ]
    # Less and greater alone: not every store knows "or equal".
    return MetadataFilters(
        filters=[
            MetadataFilter(key=key, operator=operator, value=value)
            for key, operator, value in conditions
            if value is not None
        ]
    )
