"""Vectors of facts in any vector store of LangChain."""

from __future__ import annotations

from base64 import b64decode, b64encode
from bisect import bisect_left
from collections.abc import Callable
from functools import partial
from uuid import UUID

import numpy as np
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import VectorStore

from dateline.facts.index import Hits, Index, Mask, Vectors, nearest_allowed, told_in_one_sentence

_BATCH = 100
"""New rows are handed over in batches of this size, for each may be a request. Chosen by hand."""

_AT_ONCE = 1_000
"""Rows that are written, read or deleted by one call. Chosen by hand."""


class WrittenVectors(Embeddings):
    """Embeddings of texts that are vectors, written down.

    Vector stores take texts and embed them; so they take ours as they are.

    Example:
        >>> import numpy as np
        >>> WrittenVectors().embed_query(WrittenVectors.write(np.array([0.5, 1], dtype=np.float32)))
        [0.5, 1.0]
    """

    @staticmethod
    def write(vector: Vectors) -> str:
        """Write a vector as text."""
        return b64encode(np.ascontiguousarray(vector, dtype="<f4").tobytes()).decode()

    @staticmethod
    def read(text: str) -> Vectors:
        """Read a vector from its text."""
        return np.frombuffer(b64decode(text), dtype="<f4")

    def embed_query(self, text: str) -> list[float]:
        return [float(number) for number in self.read(text)]

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]


class LangChainIndex(Index):
    """Rows in a vector store of LangChain, one collection for one ledger.

    The store holds each vector twice, as vector and as text, and no word of the facts. It must find by cosine, dot product or
    distance, keep the ids that it is given, and know `get_by_ids` and `delete`. How exact it is depends on the store;
    similarities are always those of the full vectors.

    Args:
        make: makes or opens the store, with the embeddings that it is given.

    Raises:
        StoreFailed: when the store cannot be opened.

    Example:
        >>> import numpy as np
        >>> from langchain_core.vectorstores import InMemoryVectorStore
        >>> index = LangChainIndex(InMemoryVectorStore)
        >>> index.extend(np.eye(3, dtype=np.float32), start=0)
        >>> index.search(np.array([0, 1, 0], dtype=np.float32), k=1)
        [(1, 1.0)]
    """

    def __init__(self, make: Callable[[Embeddings], VectorStore]) -> None:
        with told_in_one_sentence("index in a vector store"):
            self._store = make(WrittenVectors())
        self._name = f"index in {type(self._store).__name__}"
        self._size = self._count()

    @property
    def size(self) -> int:
        return self._size

    @property
    def place(self) -> str:
        return self._name

    @property
    def batch(self) -> int:
        return _BATCH

    def follow(self, size: int) -> None:
        if self._size < size:
            self._size = min(size, self._count())

    def extend(self, vectors: Vectors, *, start: int) -> None:
        for first in range(self._size, start + len(vectors), _AT_ONCE):
            some = vectors[first - start : first - start + _AT_ONCE]
            rows, texts = range(first, first + len(some)), [WrittenVectors.write(vector) for vector in some]
            with told_in_one_sentence(self._name):
                # Some stores refuse documents without metadata.
                self._store.add_texts(texts, metadatas=[{"row": row} for row in rows], ids=[_id(row) for row in rows])
            self._size = first + len(some)

    def search(self, vector: Vectors, *, k: int, allowed: Mask | None = None) -> Hits:
        return nearest_allowed(partial(self._query, vector), k=k, size=self._size, allowed=allowed)

    def rows(self, start: int, stop: int) -> Vectors:
        found = self._get(range(start, min(stop, self._size)))
        return np.array([found[row] for row in sorted(found)], dtype=np.float32)

    def clear(self) -> None:
        while self._size:  # from the end, so that the rows left where this fails lie without gaps
            first = max(0, self._size - _AT_ONCE)
            with told_in_one_sentence(self._name):
                self._store.delete([_id(row) for row in range(first, self._size)])
            self._size = first

    def _query(self, vector: Vectors, n: int) -> Hits:
        with told_in_one_sentence(self._name):
            found = self._store.similarity_search(WrittenVectors.write(vector), k=n)
        near = ((_row(each.id), float(WrittenVectors.read(each.page_content) @ vector)) for each in found)
        # Rows beyond the size were written by another process, for facts that this one has not read yet.
        return sorted((hit for hit in near if hit[0] < self._size), key=lambda hit: (-hit[1], hit[0]))

    def _get(self, rows: range) -> dict[int, Vectors]:
        with told_in_one_sentence(self._name):
            found = self._store.get_by_ids([_id(row) for row in rows])
        return {_row(each.id): WrittenVectors.read(each.page_content) for each in found}

    def _count(self) -> int:
        """Count the rows, which lie without gaps, by bisection."""
        there, lacking = 0, 1
        while self._get(range(lacking - 1, lacking)):
            there, lacking = lacking, 2 * lacking
        return bisect_left(range(lacking - 1), True, lo=there, key=lambda row: not self._get(range(row, row + 1)))


def _id(row: int) -> str:
    """Return an id that stores take, of which some want UUIDs."""
    return str(UUID(int=row))


def _row(id: str | None) -> int:
    return UUID(id).int if id else -1
