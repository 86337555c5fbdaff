"""Vectors of a store's facts: an index that follows the fold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dateline.errors import StoreFailed
from dateline.facts.fact import Fact
from dateline.facts.fold import FactFilter, Fold
from dateline.facts.index import Hits, Index, Mask, Vectors, best
from dateline.text.embeddings import embed

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings

_AT_ONCE = 1_000
"""Facts that are embedded at a time where the index lacks them, and rows that are looked through at a time."""

_AT_FIRST, _WIDER = 32, 8
"""So many nearest facts are looked at first, and so many times more where too few of them may be brought."""

_FEW = 4_000
"""Where a read may bring no more facts than this, each of them is compared."""


class Near(NamedTuple):
    """A fact that may be brought, and how near it is."""

    row: int
    similarity: float
    true: bool


class FactVectors:
    """Index of facts, and the rows that it has not taken yet.

    Args:
        fold: numbers the facts.
        index: rows that it lacks are embedded again.
        embeddings: those that filled the index.
    """

    def __init__(self, fold: Fold, *, index: Index, embeddings: Embeddings) -> None:
        self._fold = fold
        self._index = index
        self._embeddings = embeddings
        self._tail: list[Vectors] = []
        self._flush_at = index.batch

    def of(self, facts: Sequence[Fact]) -> dict[str, Vectors]:
        """Embed facts; return their vectors by id."""
        if not facts:
            return {}
        vectors = embed([fact.text for fact in facts], embeddings=self._embeddings)
        return {fact.id: vector for fact, vector in zip(facts, vectors, strict=True)}

    def follow(self, given: Mapping[str, Vectors]) -> None:
        """Take in the fold's new facts.

        Args:
            given: vectors of some of them by id; others are embedded.
        """
        size = self._fold.size
        if self._index.size > size:
            self.clear()  # it followed another ledger, or one that was longer
        if self._index.size + len(self._tail) < size and not self._tail:
            self._index.follow(size)
        while (start := self._index.size + len(self._tail)) < size:
            some = self._fold.spelt(start, min(size, start + _AT_ONCE))
            found = {**given, **self.of([fact for fact in some if fact is not None and fact.id not in given])}
            self._tail.extend(self._nothing() if fact is None else found[fact.id] for fact in some)
            self._try_flush()

    def flush(self) -> None:
        """Hand every row that is still searched exactly to the index.

        Where another process has a fact forgotten, zeros are kept.
        """
        if not self._tail:
            return
        start, stop = self._index.size, self._index.size + len(self._tail)
        gone = set(self._fold.gone(start, stop))
        for row in gone:
            self._tail[row - start] = np.zeros_like(self._tail[row - start])
        try:
            self._index.extend(np.stack(self._tail), start=start)
        finally:
            del self._tail[: self._index.size - start]  # an index that fails may have taken some
        if meanwhile := [row for row in self._fold.gone(start, stop) if row not in gone]:
            self.erase(meanwhile)

    def erase(self, rows: Sequence[int]) -> None:
        """Put zeros in the place of forgotten facts, where something else stands."""
        # What is pending here another process may have handed over, so all that there is counts.
        self._tail.clear()
        self._index.follow(self._fold.size)
        if held := list(self._held([row for row in rows if row < self._index.size])):
            self._index.erase(held)

    def _held(self, rows: Sequence[int]) -> Iterator[int]:
        """Yield those of ascending rows that may hold a vector."""
        for start, some in groupby(rows, key=lambda row: row - row % _AT_ONCE):
            kept = self._index.rows(start, start + _AT_ONCE)
            yield from (row for row in some if kept is None or row - start >= len(kept) or kept[row - start].any())

    def _nothing(self) -> Vectors:
        """Return what stands for a fact that was forgotten."""
        return np.zeros(len(self._embeddings.embed_query("dimensions")), dtype=np.float32)

    def clear(self) -> None:
        """Forget every row."""
        self._index.clear()
        self._tail.clear()

    def nearest(self, vectors: Vectors, *, k: int, threshold: float, wanted: FactFilter) -> list[list[Near]]:
        """Return the `k` nearest wanted facts of each vector.

        Only the nearest are asked for their truth, and more of them until enough may be brought. A read that may
        bring few facts at all compares each of them.
        """
        few = self._fold.few(wanted, limit=_FEW) if wanted.sources or wanted.tags else None
        looked = max(_AT_FIRST, 2 * k)
        while few is None:
            near = [self._compared(vector, k=looked, threshold=threshold) for vector in vectors]
            passing = self._fold.passing({row for hits in near for row, _ in hits}, wanted)
            enough = (len(hits) < looked or sum(row in passing for row, _ in hits) >= k for hits in near)
            if all(enough) or looked >= self._fold.size:
                return [_near(hits, passing)[:k] for hits in near]
            few = self._fold.few(wanted, limit=_FEW)
            looked *= _WIDER
        allowed = np.zeros(self._fold.size, dtype=np.bool_)
        allowed[list(few)] = True
        return [_near(self._compared(vector, k=k, threshold=threshold, allowed=allowed), few) for vector in vectors]

    def _compared(self, vector: Vectors, *, k: int, threshold: float, allowed: Mask | None = None) -> Hits:
        """Return the `k` nearest rows, pending ones included."""
        hits = self._index.search(vector, k=k, allowed=allowed)
        if self._tail:
            size = self._index.size
            pending = best(np.stack(self._tail) @ vector, k=k, allowed=None if allowed is None else allowed[size:])
            hits = hits + [(size + row, similarity) for row, similarity in pending]
        hits = sorted(hits, key=lambda hit: (-hit[1], hit[0]))[:k]
        return [hit for hit in hits if hit[1] >= threshold]

    def _try_flush(self) -> None:
        """Offer pending rows to the index; if refused, they are searched exactly."""
        if len(self._tail) >= self._flush_at:
            try:
                self.flush()
                self._flush_at = self._index.batch
            except StoreFailed:
                self._flush_at = 2 * len(self._tail)


def _near(hits: Hits, passing: Mapping[int, bool]) -> list[Near]:
    return [Near(row, similarity, passing[row]) for row, similarity in hits if row in passing]
