"""Several sources of evidence asked as one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import zip_longest

from dateline.errors import BadInput
from dateline.flow import Flow, call, together, twins
from dateline.protocols import Search, SearchResult
from dateline.records import Cost, Evidence
from dateline.temporal.interval import Interval


class UnitedSearch(Search):
    """Search that asks several and takes their best in turn.

    Of `k` pieces each source gives its own `k`, so that none of them hides another; a ranker chooses among all.

    Args:
        searches: the sources, in the order in which their pieces come.

    Raises:
        BadInput: for no source.

    Example:
        >>> from dateline.testing import FixedSearch
        >>> from dateline.temporal import now
        >>> notes, memory = (FixedSearch([Evidence.make(text)]) for text in ("Ben leads Acme.", "Acme bakes bread."))
        >>> [piece.text for piece in UnitedSearch(notes, memory).search("Acme", as_of=now()).evidence]
        ['Ben leads Acme.', 'Acme bakes bread.']
    """

    def __init__(self, *searches: Search) -> None:
        if not searches:
            raise BadInput("A united search needs sources; give at least one search.")
        self.searches = searches

    def _search(
        self, query: str, *, as_of: datetime, k: int = 10, window: Interval | None = None
    ) -> Flow[SearchResult]:
        """Return the best pieces of every source, each piece once."""
        asked = (call(each.search, query, as_of=as_of, k=k, window=window) for each in self.searches)
        results = yield from together(asked)
        found = {piece.id: piece for piece in _in_turn([result.evidence for result in results])}
        return SearchResult(
            evidence=tuple(piece.model_copy(update={"position": rank}) for rank, piece in enumerate(found.values())),
            skipped=tuple(note for result in results for note in result.skipped),
            cost=sum((result.cost for result in results), Cost()),
        )

    search, asearch = twins(_search)


def _in_turn(found: Sequence[Sequence[Evidence]]) -> Iterator[Evidence]:
    for row in zip_longest(*found):
        yield from (piece for piece in row if piece is not None)
