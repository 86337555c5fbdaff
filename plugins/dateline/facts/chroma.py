"""Vectors of facts in Chroma, on disk or server (extra `chroma`)."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from dateline.errors import require
from dateline.facts.index import Hits, Index, Mask, Vectors, nearest_allowed, told_in_one_sentence
from dateline.files import make_folder

_BATCH = 1_000
"""New rows are handed to Chroma in batches of this size, for each batch costs it a rewriting of its files."""

_GRAPH = {"space": "cosine", "ef_search": 200}
"""Twice Chroma's own breadth of search: stored facts are often of one form and lie close together. A wider
graph finds more still, but takes several times as long to write (`benchmarks/facts.py`)."""


class ChromaIndex(Index):
    """Rows in a Chroma collection; the mask filters what Chroma brings.

    Chroma's graph is approximate. Among thousands of nearly equal vectors (numbered sentences of one form
    under lexical embeddings) it misses even exact matches; `FileIndex` does not.

    Args:
        client: a chromadb client; see `at` for one on disk.
        name: the collection.
        owned: whether `close` closes the client too.

    Raises:
        MissingExtra: when chromadb is not installed.
        StoreFailed: when the collection cannot be opened.
    """

    def __init__(self, client: Any, *, name: str = "dateline_facts", owned: bool = False) -> None:
        self._client = client
        self._owned = owned
        self._path: Path | None = None
        self._name = name
        self._size = 0
        self._collection: Any = None
        self._open()

    @classmethod
    def at(cls, path: Path, *, name: str = "dateline_facts") -> ChromaIndex:
        """Open an index in a folder, or create it, without telemetry."""
        index = cls(_client_on_disk(path), name=name, owned=True)
        index._path = path.absolute()
        return index

    def __reduce__(self) -> tuple[Any, ...]:
        if self._path is None:
            return partial(ChromaIndex, self._client, name=self._name, owned=self._owned), ()
        return partial(ChromaIndex.at, self._path, name=self._name), ()

    @property
    def size(self) -> int:
        return self._size

    @property
    def place(self) -> str:
        return f"{super().place} {self._name} {self._path or ''}"

    @property
    def batch(self) -> int:
        return _BATCH

    def follow(self, size: int) -> None:
        if self._size < size:
            with told_in_one_sentence(f"Chroma index {self._name}"):
                self._size = min(size, int(self._collection.count()))

    def extend(self, vectors: Vectors, *, start: int) -> None:
        with told_in_one_sentence(f"Chroma index {self._name}"):
            batch = self._client.get_max_batch_size()
            for first in range(0, len(vectors), batch):
                some = vectors[first : first + batch]
                ids = [str(start + first + number) for number in range(len(some))]
                self._collection.upsert(ids=ids, embeddings=some)
        self._size = max(self._size, start + len(vectors))

    def search(self, vector: Vectors, *, k: int, allowed: Mask | None = None) -> Hits:
        return nearest_allowed(partial(self._query, vector), k=k, size=self._size, allowed=allowed)

    def rows(self, start: int, stop: int) -> Vectors:
        ids = [str(row) for row in range(start, min(stop, self._size))]
        with told_in_one_sentence(f"Chroma index {self._name}"):
            found = self._collection.get(ids=ids, include=["embeddings"])
        kept = dict(zip(found["ids"], found["embeddings"], strict=True))
        return np.array([kept[id] for id in ids if id in kept], dtype=np.float32)

    def clear(self) -> None:
        with told_in_one_sentence(f"Chroma index {self._name}"):
            self._client.delete_collection(self._name)
        self._open()

    def erase(self, rows: Sequence[int]) -> None:
        # A collection's files keep what was replaced, so that they are written anew without it.
        kept = self.rows(0, self._size)
        kept[[row for row in rows if row < len(kept)]] = 0
        self.clear()
        if self._path is not None:
            self.close()
            with told_in_one_sentence(f"Chroma index {self._path}"):
                shutil.rmtree(self._path)
                make_folder(self._path)
            self._client = _client_on_disk(self._path)
            self._open()
        self.extend(kept, start=0)

    def close(self) -> None:
        """Release the folder for rebuilding; a caller's own client stays open."""
        if self._owned:
            with told_in_one_sentence(f"Chroma index {self._name}"):
                self._client.close()

    def _open(self) -> None:
        with told_in_one_sentence(f"Chroma index {self._name}"):
            # Without an embedding function: Chroma's own one would download a model.
            self._collection = self._client.get_or_create_collection(
                self._name, embedding_function=None, configuration={"hnsw": _GRAPH}
            )
            self._size = int(self._collection.count())

    def _query(self, vector: Vectors, n: int) -> Hits:
        with told_in_one_sentence(f"Chroma index {self._name}"):
            found = self._collection.query(query_embeddings=[vector], n_results=n, include=["distances"])
        pairs = zip(found["ids"][0], found["distances"][0], strict=True)
        # Rows beyond the size were written by another process, for facts that this one has not read yet.
        return [(int(row), 1.0 - float(distance)) for row, distance in pairs if int(row) < self._size]


def _client_on_disk(path: Path) -> Any:
    chromadb = require("chromadb", package="chromadb", extra="chroma")
    settings = require("chromadb.config", package="chromadb", extra="chroma").Settings(anonymized_telemetry=False)
    with told_in_one_sentence(f"Chroma index {path}"):
        return chromadb.PersistentClient(path=str(path), settings=settings)
