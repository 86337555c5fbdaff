"""Candidates of any store: by its filters, else by asking for more.

A store is asked without a filter first. What comes back shows whether the documents are stamped, and is the nearest of
all that was known where most of it was.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from itertools import islice
from typing import Any, Generic, Protocol, TypeVar

from dateline.documents.reading import dates_of_all
from dateline.documents.rules import DateField
from dateline.documents.stamp import stamped_times
from dateline.evidence.knowledge import ALWAYS, FOREVER
from dateline.flow import Flow
from dateline.ranking.candidates import CandidateFilter, gather, gather_now
from dateline.secrets import without_secrets
from dateline.temporal.interval import Interval
from dateline.text.words import content_words
from dateline.visible import logger

D = TypeVar("D")

GROWTH = 4
"""How many times as many are asked for when too few were known; chosen by hand."""

MOST = 64
"""How many times `k` documents are asked for at most; chosen by hand: 3,200 for 50."""

TAIL = 0.5
"""The last ones fetched are about the question where they hold such a share of what the first hold; chosen by hand."""

SAMPLE = 10
"""So many of the first and of the last ones fetched are compared; chosen by hand."""

_ANY = CandidateFilter(FOREVER, since=ALWAYS)
"""What every stamped document passes, by two conditions, as the newest are asked for."""

_TOLD = logger("dateline.search")


class CandidateSource(Protocol[D]):
    """A store that is asked for candidates, documents of kind `D`."""

    name: str
    can_filter: bool

    def nearest(self, k: int, asked: CandidateFilter | None = None) -> Flow[list[D]]:
        """Find the nearest of all, or of those a filter lets through."""
        ...

    def metadata(self, document: D) -> Mapping[str, Any]:
        """Return a document's fields."""
        ...

    def text(self, document: D) -> str:
        """Return a document's text."""
        ...

    def key(self, document: D) -> Hashable:
        """Return what tells two documents apart."""
        ...


def dated_candidates(
    source: CandidateSource[D], query: str, *, asked: CandidateFilter, k: int, date_field: DateField = ()
) -> Flow[list[D]]:
    """Find the documents that may answer a question.

    Args:
        source: the store.
        query: what is looked for.
        asked: what was known, and the period.
        k: how many of the nearest; of the period and of the newest about half as many more.
        date_field: the name or names of the date's field, for documents without stamps.

    Returns:
        The documents, each once; some may have been published later than the asking moment.
    """
    plain = yield from source.nearest(k)
    reason = _obstacle(source, plain)
    # Few may be all there is, but an approximate index brings few, too, where most of what is near came later.
    if len(plain) < k and (reason or all(asked.knows(known) for known, _, _ in _times(source, plain, date_field))):
        return plain
    if not reason:
        try:
            return _distinct(source, (yield from _filtered(source, plain, asked=asked, k=k, date_field=date_field)))
        except Exception as error:
            reason = f"it refused the filter with {type(error).__name__}: {without_secrets(str(error))[:200]}"
        plain = yield from source.nearest(k)  # fails, too, where the connection was refused and not the filter
    _tell(f"{source.name} is asked for more documents, which are then cut by date: {reason}")
    return _distinct(source, (yield from _cut(source, plain, query, asked=asked, k=k, date_field=date_field)))


def _obstacle(source: CandidateSource[D], plain: Sequence[D]) -> str:
    """Return why a store cannot filter by date; empty where it can."""
    if not source.can_filter:
        return "its filters are not known"
    without = sum(stamped_times(source.metadata(each)) is None for each in plain)
    return (
        f"{without} of {len(plain)} documents carry no stamp; run DateStamper over the store's documents"
        if without
        else ""
    )


def _filtered(
    source: CandidateSource[D], plain: list[D], *, asked: CandidateFilter, k: int, date_field: DateField
) -> Flow[list[D]]:
    """Ask a store that filters.

    Raises:
        ValueError: where it does not filter, leaves out what fits, or most of what it brings carries no stamp.
    """
    near = list(zip(plain, _times(source, plain, date_field), strict=True))
    store = _FilteringStore(source, near, date_field=date_field)
    known = [each for each in near if asked.knows(each[1][0])]
    if len(known) * 2 < k:
        known = yield from store.fetch(asked.without_period(), k)
    if known:
        chosen = yield from gather(store.fetch, asked, k=k, published=lambda each: each[1][0], first=known)
        return [each for each, _ in chosen]
    if not (yield from source.nearest(1, _ANY)):
        raise ValueError("its filter finds nothing, whatever it lets through")
    return []


class _FilteringStore(Generic[D]):
    """A store whose filter is checked against all it has brought."""

    def __init__(self, source: CandidateSource[D], near: Sequence[tuple[D, _Times]], *, date_field: DateField) -> None:
        self._source, self._date_field = source, date_field
        self._seen = {source.key(each): times for each, times in near}

    def fetch(self, wanted: CandidateFilter, count: int) -> Flow[list[tuple[D, _Times]]]:
        """Ask for the nearest that fit.

        Where a filter lets documents without a stamp through, they are dated here, and as many more are asked for as do not
        fit. Where it brings too few, more are asked for, too: it may filter only the nearest.

        Raises:
            ValueError: where the filter cannot be believed.
        """
        found = yield from self._source.nearest(count, wanted)
        fitting = self._fitting(found, wanted)
        size, bounded = count, False
        while len(fitting) < count and size < count * MOST and not bounded:
            before, larger = len(found), size * GROWTH if found else count * MOST
            size, found = yield from _most(self._source, larger, least=size, wanted=wanted)
            fitting = self._fitting(found, wanted)
            bounded = size < larger
            if len(found) == before and not self._lacks(fitting, wanted, count):
                break  # there is no more
        if len(fitting) < count and len(found) == count * MOST:
            raise ValueError("most of what it brings carries no stamp; run DateStamper over the store's documents")
        if self._lacks(fitting, wanted, count):
            raise ValueError("its filter leaves out what it should let through")
        return fitting[:count]

    def _fitting(self, found: list[D], wanted: CandidateFilter) -> list[tuple[D, _Times]]:
        dated = list(zip(found, _times(self._source, found, self._date_field), strict=True))
        if any(stamped_times(self._source.metadata(each)) and not wanted.lets(*times) for each, times in dated):
            raise ValueError("it brings what the filter excludes")
        self._seen.update((self._source.key(each), times) for each, times in dated)
        return [each for each in dated if wanted.lets(*each[1])]

    def _lacks(self, fitting: Sequence[object], wanted: CandidateFilter, count: int) -> bool:
        """Return whether more that fit were seen than the filter brings."""
        return len(fitting) < min(count, sum(wanted.lets(*times) for times in self._seen.values()))


def _cut(
    source: CandidateSource[D],
    plain: list[D],
    query: str,
    *,
    asked: CandidateFilter,
    k: int,
    date_field: DateField,
) -> Flow[list[D]]:
    """Ask for more until enough is known, and choose among it."""
    found, count = plain, k
    times = _times(source, found, date_field)
    while len(found) >= count and count < k * MOST and _more(source, found, times, query, asked=asked, k=k):
        count *= GROWTH
        _, found = yield from _most(source, count, least=len(found))
        times = _times(source, found, date_field)
    dated = list(zip(found, times, strict=True))

    def find(wanted: CandidateFilter, count: int) -> list[tuple[D, _Times]]:
        return list(islice((each for each in dated if wanted.lets(*each[1])), count))

    chosen = gather_now(find, asked, k=k, published=lambda each: each[1][0])
    return [each for each, _ in chosen]


def _most(
    source: CandidateSource[D], count: int, *, least: int, wanted: CandidateFilter | None = None
) -> Flow[tuple[int, list[D]]]:
    """Ask for so many, or for fewer where that is refused.

    Args:
        least: so many were brought before; where they are refused now, the store's error is raised.

    Returns:
        How many were asked for in the end, and what came.
    """
    while count > least:
        try:
            return count, (yield from source.nearest(count, wanted))
        except Exception:  # of a store's client, where a server bounds how many it brings
            half = (least + count) // 2
            count = half if half > least + SAMPLE else least
    return least, (yield from source.nearest(least, wanted))


_Times = tuple[int, int, int]
"""The second from which a document was known, and the stretch that it is about."""


def _times(source: CandidateSource[D], documents: Sequence[D], date_field: DateField) -> list[_Times]:
    stamps = [stamped_times(source.metadata(each)) for each in documents]
    unstamped = [each for each, stamp in zip(documents, stamps, strict=True) if stamp is None]
    dates = iter(
        dates_of_all(((source.text(each), source.metadata(each)) for each in unstamped), date_field=date_field)
    )
    return [_own_times(next(dates).published) if stamp is None else stamp for stamp in stamps]


def _own_times(published: Interval | None) -> _Times:
    if published is None:
        return ALWAYS, ALWAYS, ALWAYS
    start = ALWAYS if published.start is None else published.start
    return start, start, FOREVER if published.end is None else published.end


def _more(
    source: CandidateSource[D],
    found: Sequence[D],
    times: Sequence[_Times],
    query: str,
    *,
    asked: CandidateFilter,
    k: int,
) -> bool:
    """Return whether too few were known or the last still fit."""
    if sum(asked.knows(known) for known, _, _ in times) < k:
        return True
    wanted = set(content_words(query))
    first, last = (_share(source, part, wanted) for part in (found[:SAMPLE], found[-SAMPLE:]))
    return first > 0 and last >= TAIL * first


def _share(source: CandidateSource[D], documents: Sequence[D], wanted: set[str]) -> float:
    """Return the mean share of wanted words that documents hold."""
    held = [len(wanted & set(content_words(source.text(each)))) for each in documents]
    return sum(held) / max(1, len(wanted) * len(held))


def _distinct(source: CandidateSource[D], documents: Iterable[D]) -> list[D]:
    return list({source.key(each): each for each in documents}.values())


def tell_all_later(retriever: Any, count: int, *, as_of: datetime) -> None:
    """Log once that all a retriever brought was left out as later."""
    if count:
        _tell(
            f"All that {type(retriever).__name__} brought for a question as of {as_of.date()} was published later; give "
            "its vector store or index in its place, or let it bring more"
        )


@lru_cache(maxsize=1000)
def _tell(line: str) -> None:
    """Log a line once."""
    _TOLD.warning("%s.", line)
