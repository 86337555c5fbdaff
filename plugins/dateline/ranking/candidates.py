"""Documents that may answer: known by then, about that time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from dateline.evidence.knowledge import ALWAYS, FOREVER, end_of_knowledge
from dateline.flow import Flow, run
from dateline.temporal.constraint import Question

T = TypeVar("T")

NEAREST = 30
"""The newest of so many nearest bound the next query. Chosen by hand; more would let in what is off the subject."""

BEHIND = 3
"""The so-manieth newest of them is the bound.

Taken anywhere among many, it leaves a tenth of them; and two newer ones that only look alike do not shut out what is
meant. Chosen by hand.
"""

ROUNDS = 3
"""Queries for the newest at most; fewer where one brings all there is. Chosen by hand."""


@dataclass(frozen=True, slots=True)
class CandidateFilter:
    """Documents known at the asking moment, those about a period marked.

    Every store applies it in a language of its own. What was known is a condition; the period is not: what is about
    it is looked for beside the rest, never instead of it. Undated documents were always known.

    Attributes:
        known_before: the second since 1970-01-01 before which a document must have been published.
        start: the first second of the period asked about; `None` where it is open.
        end: the second behind its last one; `None` where it is open.
        since: the second from which on a document must have been published, where only the newest are wanted.

    Example:
        >>> from dateline.temporal import decompose
        >>> from dateline.temporal.as_of import read_moment
        >>> asked = CandidateFilter.of(decompose("Who led it in 2010?", as_of=read_moment(2019)))
        >>> asked.knows(published=1_577_836_799), asked.knows(published=1_577_836_800)
        (True, False)
        >>> asked.is_about(1_275_350_400, 1_275_436_800), asked.is_about(0, 86_400)
        (True, False)
    """

    known_before: int
    start: int | None = None
    end: int | None = None
    since: int | None = None

    @classmethod
    def of(cls, question: Question, *, keep_later: bool = False) -> CandidateFilter:
        """Describe what was known when a question is asked, and its period.

        With `keep_later` all counts as known.
        """
        known_before = FOREVER if keep_later else end_of_knowledge(question.as_of)
        if question.constraint is None:
            return cls(known_before)
        window = question.constraint.window()
        return cls(known_before, window.start, window.end)

    @property
    def has_period(self) -> bool:
        """Return whether the question names a time."""
        return self.start is not None or self.end is not None

    @property
    def latest(self) -> int:
        """Return the second before which the newest that is meant began."""
        return self.known_before if self.end is None else min(self.end, self.known_before)

    def knows(self, published: int) -> bool:
        """Return whether what was published at a second was known."""
        return published < self.known_before and (self.since is None or published >= self.since)

    def is_about(self, valid_from: int, valid_until: int) -> bool:
        """Return whether times `[valid_from, valid_until)` share a moment with the period."""
        return (self.end is None or valid_from < self.end) and (self.start is None or valid_until > self.start)

    def lets(self, published: int, valid_from: int, valid_until: int) -> bool:
        """Return whether a document passes: known then, about the period."""
        return self.knows(published) and self.is_about(valid_from, valid_until)

    def without_period(self) -> CandidateFilter:
        """Describe all that was known."""
        return replace(self, start=None, end=None)

    def newest(self, since: int | None) -> CandidateFilter:
        """Describe what was published from `since` on, before the period ended."""
        return CandidateFilter(self.latest, since=since)


Find = Callable[[CandidateFilter, int], Sequence[T]]
"""Finds so many of what a filter lets through, the nearest to a question first."""

Fetch = Callable[[CandidateFilter, int], Flow[Sequence[T]]]
"""Finds them in a store that is asked blocking or async."""


def gather_now(
    find: Find[T], asked: CandidateFilter, *, k: int, published: Callable[[T], int], first: Sequence[T] | None = None
) -> list[T]:
    """Gather documents that are at hand."""

    def fetch(wanted: CandidateFilter, count: int) -> Flow[Sequence[T]]:
        yield from ()
        return find(wanted, count)

    return run(gather(fetch, asked, k=k, published=published, first=first))


def gather(
    fetch: Fetch[T], asked: CandidateFilter, *, k: int, published: Callable[[T], int], first: Sequence[T] | None = None
) -> Flow[list[T]]:
    """Find the documents that may answer, by a few queries.

    The nearest of all that was known; beside them the nearest of the period; and, since a state may have been told many
    times, the newest: each query asks behind the newest few of the nearest that the last one brought, so that their number
    falls to a tenth from one query to the next, however many there are.

    Args:
        fetch: asks the store.
        asked: what was known, and the period.
        k: how many of all that was known; of the others about half as many.
        published: tells the second from which a document was known.
        first: the nearest of all that was known, where they are at hand.

    Returns:
        The documents in the order of the queries; some may occur more than once.
    """
    few = max(1, k // 2)
    near = (yield from fetch(asked.without_period(), k)) if first is None else first
    found = list(near)
    if asked.has_period:
        found += yield from fetch(replace(asked, since=None), few)
    for _ in range(ROUNDS):
        days = [day for each in near if ALWAYS < (day := published(each)) < asked.latest]
        newest = sorted(days[:NEAREST], reverse=True)[:BEHIND]
        near = yield from fetch(asked.newest(min(newest, default=None)), few)
        found += near
        if len(near) < few:
            break
    return found
