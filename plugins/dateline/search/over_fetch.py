"""Candidates of any store: by its filters, else by asking for more.

A store is asked without a filter first. What comes back shows whether the documents are stamped, and is the nearest of
all that was known where most of it was.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from itertools import islice
from typing import Any, Protocol, TypeVar

from dateline.documents.reading import dates_of_all
from dateline.documents.rules import DateField
from dateline.documents.stamp import stamped_times
from dateline.evidence.knowledge import ALWAYS, FOREVER
from dateline.flow import Flow
from dateline.ranking.candidates import CandidateFilter, gather, gather_now
from dateline.search.store_filters import fits
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

    Where its filter lets documents without a stamp through, they are dated here, and as many more are asked for as do not
    fit. Where it brings too few, it is asked for more, too: it may filter only the nearest.

    Raises:
        ValueError: where it does not filter, leaves out what fits, or most of what it brings carries no stamp.
    """
    near = list(zip(plain, _times(source, plain, date_field), strict=True))
    seen = {source.key(each): times for each, times in near}

    def fetch(wanted: CandidateFilter, count: int) -> Flow[list[tuple[D, _Times]]]:
        fitting: list[tuple[D, _Times]] = []
        size, before = count, -1
        while size <= count * MOST:
            try:
                found = yield from source.nearest(size, wanted)
            except Exception:
                if size == count:
                    raise
                break  # a server bounds how many it brings
            dated = list(zip(found, _times(source, found, date_field), strict=True))
            if any(stamped_times(source.metadata(each)) and not fits(wanted, times) for each, times in dated):
                raise ValueError("it brings what the filter excludes")
            seen.update((source.key(each), times) for each, times in dated)
            fitting = [each for each in dated if fits(wanted, each[1])]
            if len(fitting) >= count or 0 < len(found) == before:
                break
            if len(found) == count * MOST:
                raise ValueError("most of what it brings carries no stamp; run DateStamper over the store's documents")
            before, size = len(found), size * GROWTH
        if not fitting and wanted == asked.without_period():
            raise ValueError("its filter finds nothing that was known by then")
        if len(fitting) < min(count, sum(fits(wanted, times) for times in seen.values())):
            raise ValueError("its filter leaves out what it should let through")
        return fitting[:count]

    known = [each for each in near if asked.knows(each[1][0])]
    first = known if len(known) * 2 >= k else None
    chosen = yield from gather(fetch, asked, k=k, published=lambda each: each[1][0], first=first)
    return [each for each, _ in chosen]


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
        found = yield from _most(source, found, count)
        times = _times(source, found, date_field)
    dated = list(zip(found, times, strict=True))

    def find(wanted: CandidateFilter, count: int) -> list[tuple[D, _Times]]:
        return list(islice((each for each in dated if fits(wanted, each[1])), count))

    chosen = gather_now(find, asked, k=k, published=lambda each: each[1][0])
    return [each for each, _ in chosen]


def _most(source: CandidateSource[D], known: list[D], count: int) -> Flow[list[D]]:
    """Ask for so many, or for fewer where that is refused."""
    refused = False
    while not refused or count > len(known) + SAMPLE:
        try:
            return (yield from source.nearest(count))
        except Exception:  # of a store's client, where a server bounds how many it brings
            refused, count = True, (len(known) + count) // 2
    return known


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
