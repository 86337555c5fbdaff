"""A LangChain vector store as a source of candidates."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any

from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import VectorStore

from dateline.documents.fields import PUBLISHED
from dateline.flow import Flow, call
from dateline.ranking.candidates import CandidateFilter
from dateline.search.store_filters import among_all, store_filter


class VectorStoreCandidates:
    """One question to a vector store, asked several times with filters.

    The question is encoded once, where the store takes a vector as it takes a text.

    Args:
        store: the store.
        query: the question.
        given: further arguments of the store's search, such as a filter of one's own.
    """

    def __init__(self, store: VectorStore, query: str, *, given: Mapping[str, Any]) -> None:
        self.name = type(store).__name__
        self._store, self._query, self._given = store, query, given
        self._filter = store_filter(store)
        self.can_filter = self._filter is not None
        self._ask: Any = None
        self._asked_for: Any = query

    def nearest(self, k: int, asked: CandidateFilter | None = None) -> Flow[list[Document]]:
        """Find the nearest of all, or of those a filter lets through."""
        if asked is None or self._filter is None:
            given = among_all(self._store, self._given)
        else:
            given = self._filter(asked, self._given)
        if self._ask is None:
            self._ask = self._store.similarity_search
            if (embeddings := _encoder(self._store, self._given)) is not None:
                self._ask = self._store.similarity_search_by_vector
                self._asked_for = yield from call(embeddings.embed_query, self._query)
        ask: Callable[..., list[Document]] = self._ask
        return (yield from call(ask, self._asked_for, k=k, **given))

    def metadata(self, document: Document) -> Mapping[str, Any]:
        """Return a document's metadata."""
        return document.metadata

    def text(self, document: Document) -> str:
        """Return a document's text."""
        return document.page_content

    def key(self, document: Document) -> Hashable:
        """Return the document's id, else its text with its dates."""
        if document.id is not None:
            return document.id
        return document.page_content, document.metadata.get(PUBLISHED), repr(sorted(document.metadata.items(), key=str))


_ONE_SEARCH = frozenset({"Chroma", "FAISS", "InMemoryVectorStore", "OpenSearchVectorSearch", "PGVector"})
"""Classes whose search by text encodes the text and searches by vector.

Others may search by words too, or ask otherwise by a vector: Milvus, Weaviate, PGVectorStore.
"""


def _encoder(store: VectorStore, given: Mapping[str, Any]) -> Embeddings | None:
    """Return the encoder where searching by vector is the same search.

    It is not where a subclass searches texts or vectors in a way of its own, nor where OpenSearch is asked for words, too.
    """
    by_text, by_vector = (_owner(store, name) for name in ("similarity_search", "similarity_search_by_vector"))
    if by_text is not by_vector or by_text.__name__ not in _ONE_SEARCH or "hybrid" in str(given.get("search_type")):
        return None
    return store.embeddings if isinstance(store.embeddings, Embeddings) else None


def _owner(store: VectorStore, name: str) -> type:
    return next(each for each in type(store).__mro__ if name in vars(each))
