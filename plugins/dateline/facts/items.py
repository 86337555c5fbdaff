"""Items of key and value over a fact store, with histories."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from threading import Lock
from typing import Any
from uuid import uuid4

import numpy as np

from dateline.facts.fact import FactHistory, FactJudgement, FoundFact, event_order
from dateline.facts.index import unit
from dateline.facts.item import (
    ItemPut,
    ItemVersion,
    Namespace,
    Place,
    listed_tag,
    place_of,
    version_of,
    versions_of,
    worded_tag,
)
from dateline.facts.late_documents import denied_enough, is_before
from dateline.facts.operation import AddFact, FactSource, MakeFalse, Operation
from dateline.facts.store import FactStore
from dateline.sendable import Sendable
from dateline.temporal.as_of import AsOf, is_given, read_moment, read_time
from dateline.temporal.interval import Interval, opening, seconds_of

CHANNEL = "items"
"""The channel of all that is put."""

_AT_FIRST, _WIDER = 32, 8
"""So many facts near a query are looked at first, and so many times more where too few of them pass."""

_MOST_ANNOUNCED = 1_000
"""Values of one item that may wait for their day."""

_MOST_NOTED = 10_000
"""Items with a time to live whose last read is noted, before those that have expired are forgotten."""

Found = tuple[ItemVersion, float]
"""A version, and the cosine of its nearest text and the query."""


class Items(Sendable):
    """Items in namespaces, each with every value that it had.

    A write is one document of the fact store: all of it lands or nothing. Of two processes that put one item at once
    the later wins, and the other value stays in its history.

    Args:
        store: holds nothing else; updaters that share it could end an item by what a document says.

    Example:
        >>> from dateline.facts import ExactIndex, MemoryLedger
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> items = Items(FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings()))
        >>> home = Place(("users", "ana"), "home")
        >>> for since, city in (("2019", "Porto"), ("2022", "Lisbon")):
        ...     items.write([ItemPut(place=home, value={"city": city}, texts=[city], since=since)])
        >>> [items.read(home, as_of=day).value["city"] for day in ("2020", None)]
        ['Porto', 'Lisbon']
    """

    def __init__(self, store: FactStore) -> None:
        self.store = store
        self._until: dict[str, datetime] = {}
        self._lock = Lock()

    # -- reading ------------------------------------------------------------------------------

    def read(self, place: Place, *, as_of: AsOf = None, known_at: AsOf = None) -> ItemVersion | None:
        """Return the value that an item has at both times, if any."""
        found = self._at(place.tag, as_of=as_of, known_at=known_at)
        return found[0] if found else None

    def below(self, prefix: Namespace, *, as_of: AsOf = None, known_at: AsOf = None) -> list[ItemVersion]:
        """List the items below a prefix, the first created first."""
        return sorted(self._at(listed_tag(prefix), as_of=as_of, known_at=known_at), key=lambda each: each.created_at)

    def near(
        self,
        prefix: Namespace,
        query: str,
        *,
        count: int,
        wanted: Callable[[dict[str, Any]], bool],
        as_of: AsOf = None,
        known_at: AsOf = None,
    ) -> list[Found]:
        """Find `count` wanted items below a prefix, nearest to a query."""
        vector = unit(self.store.embeddings.embed_query(query))[np.newaxis]
        passing: list[Found] = []
        k, more = max(_AT_FIRST, 2 * count), True
        while more and len(passing) < count:
            (found,) = self.store.search_vectors(vector, as_of=as_of, known_at=known_at, k=k, tags=[worded_tag(prefix)])
            best: dict[Place, Found] = {}
            for version, score in self._versions(found, as_of=as_of, known_at=known_at):
                best.setdefault(version.place, (version, score))
            passing = [each for each in best.values() if wanted(each[0].value)]
            k, more = k * _WIDER, len(found) == k
        return passing[:count]

    def history(self, place: Place) -> list[ItemVersion]:
        """List an item's values by time, announced ones too.

        Each ends where the next begins at the latest, also where the write that ended it was taken back.
        """
        versions = sorted(versions_of(self.store.tagged(place.tag)), key=_order)
        ended: list[ItemVersion] = []
        following: Interval | None = None
        for each in reversed(versions):
            ended.append(each.model_copy(update={"until": _earlier(each.until, following)}))
            if each.until is None or is_before(each.since, each.until):  # else it never held
                following = each.since
        return ended[::-1]

    def expired(self) -> list[ItemVersion]:
        """List items whose time to live is over."""
        standing = versions_of(self.store.at(tags=[listed_tag(())]))
        return [version for version in standing if not self._lives(version)]

    # -- writing ------------------------------------------------------------------------------

    def write(self, puts: Sequence[ItemPut]) -> None:
        """Put and delete items: all of them or none, durable on return.

        Raises:
            BadInput: for a value that JSON cannot hold, or an unreadable `since`.
            StoreFailed: when the ledger cannot be written.
        """
        document = f"{CHANNEL}:{uuid4().hex}"
        with self._lock:
            now = self.store.clock()
            last = {put.place: put for put in puts}
            operations = [
                operation
                for number, put in enumerate(last.values())
                for operation in self._operations(put, now=now, document=document, number=number)
            ]
            self.store.apply(document, operations)

    def use(self, versions: Sequence[ItemVersion]) -> None:
        """Note that items were read, so that they expire later."""
        now = self.store.clock()
        used = {each.id: until for each in versions if (until := each.expires_at(now)) is not None}
        with self._lock:
            self._until |= used
            if len(self._until) > _MOST_NOTED:
                self._until = {id: until for id, until in self._until.items() if now < until}

    def sweep(self) -> int:
        """End what has expired; return the number of items."""
        over = self.expired()
        self.write([ItemPut(place=each.place, value=None, since=self._expires_at(each)) for each in over])
        with self._lock:
            for version in over:
                self._until.pop(version.id, None)
        return len(over)

    # -- inside -------------------------------------------------------------------------------

    def _at(self, tag: str, *, as_of: AsOf, known_at: AsOf) -> list[ItemVersion]:
        """List what lives at both times, each item once."""
        newest: dict[Place, ItemVersion] = {}
        known = self._learnt_by(known_at)
        then = [history.known(known) for history in self.store.at(as_of, known_at=known_at, tags=[tag])]
        for version in sorted(versions_of(then), key=_order):
            newest[version.place] = version
        return [version for version in newest.values() if self._lives(version, as_of)]

    def _learnt_by(self, known_at: AsOf) -> datetime | None:
        return self.store.learnt_at(known_at) if is_given(known_at) else None

    def _expires_at(self, version: ItemVersion) -> datetime | None:
        return self._until.get(version.id) or version.expires_at()

    def _lives(self, version: ItemVersion, as_of: AsOf = None) -> bool:
        expires_at = self._expires_at(version)
        return expires_at is None or read_moment(as_of, clock=self.store.clock, future_ok=True) < expires_at

    def _versions(self, found: Sequence[FoundFact], *, as_of: AsOf, known_at: AsOf) -> Iterator[Found]:
        """Yield the versions of facts that are the values of their items."""
        current: dict[Place, ItemVersion | None] = {}
        known = self._learnt_by(known_at)
        for each in found:
            own = version_of(FactHistory(fact=each.fact, entries=each.entries).known(known))
            place = place_of(each.fact) if own is None else own.place
            if place not in current:
                current[place] = self.read(place, as_of=as_of, known_at=known_at)
            version = current[place]
            # An older value is true again where the write that ended it was taken back.
            if version is not None and (own is None or own.id == version.id):
                yield version, each.similarity

    def _operations(self, put: ItemPut, *, now: datetime, document: str, number: int) -> Iterator[Operation]:
        """Yield the ends of what stood, then the new value."""
        shared: dict[str, Any] = {"document": document, "known_at": now, "channel": CHANNEL}
        tag, dated = put.place.tag, is_given(put.since)
        since, later = self._dated(put) if dated else self._from(tag, now)
        standing = self.store.at(opening(since), tags=[tag])
        for history in standing if put.value is not None else self._deleted(tag, since, () if dated else later):
            yield MakeFalse(**shared, when=max(since, _begin(history), key=event_order), fact_id=history.fact.id)
        if put.value is None:
            return
        born = [each.created_at for each in versions_of(standing) if self._lives(each)]
        change = _next_change(later, since)
        put_at = now + timedelta(microseconds=number)  # in a write the first comes first
        for fact in put.facts(document=document, created_at=min(born, default=put_at), updated_at=put_at):
            yield AddFact(**shared, when=since, fact=fact)
            if change is not None:
                # With whatever told the change its end goes, too.
                rests_on = (FactSource(change.document, change.revision),)
                yield MakeFalse(**shared, when=change.when, fact_id=fact.id, rests_on=rests_on)

    def _deleted(self, tag: str, since: Interval, later: Sequence[FactHistory]) -> Iterator[FactHistory]:
        """Yield what a delete ends: earlier values, and what is announced.

        A value that another one ended is ended once more, so that it stays so when that one is withdrawn.
        """
        for history in self.store.tagged(tag):
            entries = [entry for entry in history.visible() if not is_before(since, entry.when)]
            if any(entry.true for entry in entries) and not denied_enough(entries):
                yield history
        yield from later

    def _from(self, tag: str, now: datetime) -> tuple[Interval, list[FactHistory]]:
        """Return the second of a put, and what is announced for later.

        A clock that went back loses no put: what was put by its earlier time is overwritten, not announced.
        """
        later = self.store.beside(tag, Interval.of_second(seconds_of(now)), later=True, limit=_MOST_ANNOUNCED)
        early = [_begin(each) for each in later if any(entry.known_at > now for entry in each.visible())]
        since = max([Interval.of_second(seconds_of(now)), *early], key=event_order)
        return since, [each for each in later if event_order(_begin(each)) > event_order(since)]

    def _dated(self, put: ItemPut) -> tuple[Interval, list[FactHistory]]:
        """Return a put's own time, and the item's whole history."""
        since = read_time(put.since, clock=self.store.clock)
        when = since if isinstance(since, Interval) else Interval.of_second(seconds_of(since or self.store.clock()))
        return when, self.store.tagged(put.place.tag)


def _next_change(histories: Sequence[FactHistory], since: Interval) -> FactJudgement | None:
    """Return the word that begins or ends the next value."""
    told = (entry for each in histories if _began(each) for entry in each.visible() if is_before(since, entry.when))
    return min(told, key=FactJudgement.order, default=None)


def _began(history: FactHistory) -> bool:
    """Check that a value is neither withdrawn nor ended where it begins."""
    return any(entry.true for entry in history.visible()) and history.true_at(opening(_begin(history))) is True


def _earlier(*ends: Interval | None) -> Interval | None:
    return min((end for end in ends if end is not None), key=event_order, default=None)


def _begin(history: FactHistory) -> Interval:
    return next(entry.when for entry in history.visible() if entry.true and entry.when is not None)


def _order(version: ItemVersion) -> tuple[Any, ...]:
    return event_order(version.since), version.updated_at
