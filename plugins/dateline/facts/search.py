"""A fact store as a source of evidence."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import zip_longest
from time import perf_counter

from dateline.facts.fact import FoundFact
from dateline.facts.store import FactStore
from dateline.protocols import Search, SearchResult
from dateline.records import Evidence
from dateline.temporal.interval import Interval, seconds_of


class FactSearch(Search):
    """Search for facts true at the asking time, as `dateline.protocols.Search`.

    Args:
        store: the facts.
        threshold: the least cosine of query and fact, -1 to 1.

    Example:
        >>> from dateline.facts import ExactIndex, FactStore, MemoryLedger
        >>> from dateline.temporal.as_of import now
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())
        >>> FactSearch(store).search("mayor of Lund", as_of=now()).evidence
        ()
    """

    def __init__(self, store: FactStore, *, threshold: float = 0.0) -> None:
        self._store = store
        self._threshold = threshold

    def search(self, query: str, *, as_of: datetime, k: int = 10, window: Interval | None = None) -> SearchResult:
        """Find `k` nearest facts true at `as_of`, dated when that began.

        Where `window` is over by then, those that were true in it come in turn with them, and first: what held then may be told
        only by a fact of later.
        """
        started = perf_counter()
        found = [self._store.search(query, as_of=as_of, k=k, threshold=self._threshold)]
        if window is not None and window.last is not None and window.last <= seconds_of(as_of):
            found = [self._store.search(query, during=window, k=k, threshold=self._threshold), *found]
        return SearchResult.ranked(map(_evidence, _in_turn(found)[:k]), started=started, searches=len(found))


def _in_turn(found: Sequence[Sequence[FoundFact]]) -> list[FoundFact]:
    """Merge lists rank by rank, each fact once."""
    merged: dict[str, FoundFact] = {}
    for each in (one for rank in zip_longest(*found) for one in rank if one is not None):
        merged.setdefault(each.fact.id, each)
    return list(merged.values())


def _evidence(found: FoundFact) -> Evidence:
    return Evidence(
        id=found.fact.id,
        text=found.fact.text,
        source=found.entries[-1].origin or found.entries[-1].document,
        channel=found.entries[-1].speaker,
        published=found.since,
        kind="fact",
    )
