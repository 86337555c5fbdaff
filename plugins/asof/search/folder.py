"""A search over a person's own documents."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from langchain_core.embeddings import Embeddings

from asof.errors import BadInput
from asof.evidence.knowledge import known_at
from asof.protocols import SearchResult
from asof.records import Cost, Evidence
from asof.search.documents import Progress, load_documents
from asof.temporal.interval import Interval
from asof.text import content_words


class FolderSearch:
    """Dated documents behind the `Search` protocol; what was published after the asking day is not known then."""

    def __init__(self, documents: Sequence[Evidence], *, embeddings: Embeddings | None = None) -> None:
        """Index the documents.

        Raises:
            BadInput: when there are none.
        """
        if not documents:
            raise BadInput("A search needs at least one document; load some with load_documents(folder).")
        self._documents = tuple(documents)
        self._embeddings = embeddings
        self._words = [frozenset(content_words(f"{each.title} {each.text}")) for each in self._documents]

    @classmethod
    def open(
        cls, path: Path, *, embeddings: Embeddings | None = None, progress: Progress | None = None
    ) -> FolderSearch:
        """Load a folder or a JSONL file and index it. Raises `BadInput` as `load_documents` does."""
        return cls(load_documents(path, progress=progress).documents, embeddings=embeddings)

    @property
    def documents(self) -> tuple[Evidence, ...]:
        """All documents, known or not."""
        return self._documents

    def search(self, query: str, *, as_of: datetime, k: int = 10, window: Interval | None = None) -> SearchResult:
        """The `k` best passages known at `as_of`; later ones are counted in `skipped`."""
        started = time.perf_counter()
        asked = set(content_words(query))
        order = sorted(range(len(self._documents)), key=lambda number: -len(asked & self._words[number]))
        known = [self._documents[number] for number in order if known_at(self._documents[number], as_of=as_of)]
        later = len(self._documents) - len(known)
        evidence = tuple(each.model_copy(update={"position": rank}) for rank, each in enumerate(known[:k]))
        skipped = (f"{later} passages were published after {as_of.date().isoformat()}",) if later else ()
        return SearchResult(
            evidence=evidence, skipped=skipped, cost=Cost(searches=1, seconds=time.perf_counter() - started)
        )

    async def asearch(
        self, query: str, *, as_of: datetime, k: int = 10, window: Interval | None = None
    ) -> SearchResult:
        """The same in a worker thread."""
        return await asyncio.to_thread(self.search, query, as_of=as_of, k=k, window=window)
