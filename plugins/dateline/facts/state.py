"""Fold of a ledger in memory, for small stores and tests."""

from __future__ import annotations

import gc
from bisect import bisect_right, insort
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from datetime import datetime

from dateline.channels import names_of
from dateline.facts.clock import microseconds
from dateline.facts.fact import Fact, FactHistory, FactJudgement, event_order, event_start
from dateline.facts.fold import NEVER, Clocks, FactFilter, Fold, Judged, Word
from dateline.facts.ledger import Ledger, LedgerEntry
from dateline.facts.operation import Assertion, Erased, Forget, Operation, Rewrite, UndoDocument
from dateline.temporal.interval import Interval

_MANY = 10_000
"""Operations from which on reading them counts as a bulk."""

_Place = tuple[int, int, bool, int]
"""A judgement's `Word`, and its number in the order of arrival."""


class State(Fold):
    """Fold in memory; every fact keeps its judgements in event-time order."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._clear()

    def _clear(self) -> None:
        self._sequence = 0
        self._facts: list[Fact | None] = []
        self._erasures = self._ledger.erasures
        self._rows: dict[str, int] = {}
        self._undone: dict[str, dict[int, datetime]] = defaultdict(dict)
        self._said: list[tuple[Operation, Assertion]] = []
        self._known_at: list[int] = []
        self._undone_at: list[int] = []
        self._waiting: dict[str, list[tuple[Operation, Assertion, int]]] = defaultdict(list)
        self._of_row: list[list[_Place]] = []
        self._of_tag: dict[str, list[int]] = defaultdict(list)
        self._said_of_tag: dict[str, list[tuple[int, int, int, int]]] = defaultdict(list)
        """By time, those of one time in the order of the ledger: an entry may have waited for its fact to be spelt out."""
        self._of_document: dict[str, int] = {}
        self._of_source: dict[str, list[int]] = defaultdict(list)
        self._of_channel: dict[str, list[int]] = defaultdict(list)

    @property
    def sequence(self) -> int:
        return self._sequence

    @property
    def size(self) -> int:
        return len(self._facts)

    def follow(self) -> None:
        if self._erasures != self._ledger.erasures:
            self._clear()
        behind = self._ledger.last() - self._sequence
        if behind > 0:
            with _no_collection() if behind > _MANY else nullcontext():
                self._fold(self._ledger.operations(after=self._sequence))

    def rebuild(self) -> None:
        self._clear()
        self.follow()

    def _fold(self, entries: Iterable[LedgerEntry]) -> None:
        for sequence, operation in entries:
            self._sequence = max(self._sequence, sequence)
            if isinstance(operation, UndoDocument | Forget):
                self._undo(operation)
                continue
            if isinstance(operation, Erased) and operation.numbered:
                self._facts.append(None)
                self._of_row.append([])
            newest = max(operation.revision, self._of_document.get(operation.document, 0))
            self._of_document[operation.document] = newest
            for fact in operation.facts:
                self._name(fact)
            for said in operation.assertions:
                self._judge(operation, said, sequence=sequence)

    def rows(self, ids: Collection[str]) -> dict[str, int]:
        return {fact_id: self._rows[fact_id] for fact_id in ids if fact_id in self._rows}

    def ids(self, beginning: str) -> list[str]:
        return [fact.id for fact in self._facts if fact is not None and fact.id.startswith(beginning)]

    def facts(self, ids: Collection[str]) -> dict[str, Fact]:
        return {fact_id: self._named(row) for fact_id, row in self.rows(ids).items()}

    def spelt(self, start: int, stop: int) -> list[Fact | None]:
        return self._facts[start:stop]

    def _named(self, row: int) -> Fact:
        fact = self._facts[row]
        assert fact is not None  # no row of a forgotten fact is ever told
        return fact

    def last(self, ids: Collection[str], clocks: Clocks) -> dict[str, Word]:
        last = {fact_id: self._last(row, clocks) for fact_id, row in self.rows(ids).items()}
        return {fact_id: word for fact_id, word in last.items() if word is not None}

    def passing(self, rows: Collection[int], wanted: FactFilter) -> dict[int, bool]:
        rows = self._carrying(rows, wanted.tags) if wanted.tags else rows
        rows = self._spoken_of(rows, wanted) if wanted.sources else rows
        last = {row: self._last(row, wanted.clocks) for row in rows}
        truth = {row: not word[2] or self._held(row, wanted) for row, word in last.items() if word is not None}
        return {row: true for row, true in truth.items() if true or not wanted.true_only}

    def few(self, wanted: FactFilter, *, limit: int) -> dict[int, bool] | None:
        if wanted.tags:
            rows: Collection[int] = self.tagged(*wanted.tags)
        elif wanted.sources:
            rows = {self._rows[self._said[at][1].fact_id] for name in wanted.sources for at in self._spoken_by(name)}
        else:
            rows = range(self.size)
        return None if len(rows) > limit else self.passing(rows, wanted)

    def every(self, wanted: FactFilter) -> list[int]:
        return sorted(self.few(wanted, limit=self.size) or ())

    def histories(self, rows: Sequence[int]) -> list[FactHistory]:
        return [self._history(row) for row in rows]

    def judged(self, start: int, stop: int) -> list[list[Judged]]:
        return [
            sorted(
                Judged((starts, until, denied), self._known_at[at], self._undone_at[at])
                for starts, until, denied, at in places
            )
            for places in self._of_row[start:stop]
        ]

    def judged_between(self, first: int, last: int) -> list[int]:
        return [row for row, places in enumerate(self._of_row) if any(first <= each[0] <= last for each in places)]

    def tagged(self, *tags: str, limit: int | None = None) -> list[int]:
        if len(tags) == 1:
            rows = self._of_tag.get(tags[0], [])
            return rows if limit is None else rows[:limit]
        return sorted({row for tag in tags for row in self._of_tag.get(tag, ())})[:limit]

    def beside(self, tag: str, when: Interval, *, later: bool, skip: int, limit: int) -> list[int]:
        said, start = self._said_of_tag.get(tag, []), event_start(when)
        if later:
            places = said[bisect_right(said, (start + 1,)) :]
        else:
            undated = bisect_right(said, (event_start(None) + 1,))
            places = said[undated : bisect_right(said, (start,))][::-1]
        standing = [at for *_, at in places if self._undone_at[at] == NEVER]
        return [self._rows[self._said[at][1].fact_id] for at in standing[skip : skip + limit]]

    def revisions(self, document: str) -> tuple[int, int]:
        return self._of_document.get(document, -1), max(self._undone.get(document, ()), default=-1)

    def documents(self) -> list[str]:
        return [document for document in self._of_document if self.stands(document)]

    def facts_of(self, document: str) -> list[str]:
        return list(dict.fromkeys(self._said[at][1].fact_id for at in self._of_source.get(document, ())))

    def _last(self, row: int, clocks: Clocks) -> Word | None:
        as_of, known_at = clocks
        places = self._of_row[row]
        end = len(places) if as_of is None else bisect_right(places, (as_of + 1,))
        for place in range(end - 1, -1, -1):
            start, until, denied, at = places[place]
            if self._visible(at, known_at):
                return start, until, denied
        return None

    def _held(self, row: int, wanted: FactFilter) -> bool:
        """Check that a fact was true at some second asked about."""
        if wanted.begins is None:
            return False
        (as_of, known_at), places = wanted.clocks, self._of_row[row]
        begun = self._last(row, Clocks(wanted.begins, known_at))
        end = len(places) if as_of is None else bisect_right(places, (as_of + 1,))
        inside = places[bisect_right(places, (wanted.begins + 1,)) : end]
        # Of words that begin at one second, the last one tells.
        told = {start: denied for start, _, denied, at in inside if self._visible(at, known_at)}
        return (begun is not None and not begun[2]) or not all(told.values())

    def _visible(self, at: int, known_at: int | None) -> bool:
        if known_at is None:
            return self._undone_at[at] == NEVER
        return self._known_at[at] <= known_at < self._undone_at[at]

    def _carrying(self, rows: Collection[int], tags: Collection[str]) -> list[int]:
        return [row for row in rows if not set(tags).isdisjoint(self._named(row).tags)]

    def _spoken_of(self, rows: Collection[int], wanted: FactFilter) -> list[int]:
        spoken = {at for name in wanted.sources for at in self._spoken_by(name)}
        as_of, known_at = wanted.clocks
        return [
            row
            for row in rows
            if any(
                at in spoken and self._visible(at, known_at) and (as_of is None or start <= as_of)
                for start, _, _, at in self._of_row[row]
            )
        ]

    def _spoken_by(self, name: str) -> Iterator[int]:
        yield from self._of_channel.get(name.casefold(), ())
        # What merely rests on a document of this name is another's word.
        yield from (at for at in self._of_source.get(name, ()) if self._said[at][0].document == name)

    def _name(self, fact: Fact) -> None:
        if fact.id in self._rows:
            return
        self._rows[fact.id] = len(self._facts)
        self._facts.append(fact)
        self._of_row.append([])
        for tag in dict.fromkeys(fact.tags):
            self._of_tag[tag].append(self._rows[fact.id])
        for operation, said, sequence in self._waiting.pop(fact.id, ()):
            self._judge(operation, said, sequence=sequence)

    def _judge(self, operation: Operation, said: Assertion, *, sequence: int) -> None:
        row, at = self._rows.get(said.fact_id), len(self._said)
        if row is None:  # its fact is spelt out by an operation that has not arrived yet
            self._waiting[said.fact_id].append((operation, said, sequence))
            return
        self._said.append((operation, said))
        self._known_at.append(microseconds(operation.known_at))
        self._undone_at.append(self._withdrawn(operation))
        insort(self._of_row[row], (*event_order(operation.when), not said.true, at))
        if said.true:
            for tag in dict.fromkeys(self._named(row).tags):
                insort(self._said_of_tag[tag], (*event_order(operation.when), sequence, at))
        self._of_source[operation.document].append(at)
        for name in names_of(operation.told_through):
            self._of_channel[name].append(at)
        for source in operation.rests_on:
            self._of_source[source.document].append(at)

    def _undo(self, operation: UndoDocument | Forget) -> None:
        known = self._undone[operation.document].get(operation.revision, operation.known_at)
        self._undone[operation.document][operation.revision] = min(known, operation.known_at)
        for at in self._of_source.get(operation.document, ()):
            self._undone_at[at] = self._withdrawn(self._said[at][0])

    def _withdrawn(self, operation: Operation) -> int:
        undone = undone_at(operation, self._undone)
        return NEVER if undone is None else microseconds(undone)

    def _history(self, row: int) -> FactHistory:
        entries = (
            judgement(operation, true=said.true, undone_at=undone_at(operation, self._undone))
            for operation, said in (self._said[at] for *_, at in self._of_row[row])
        )
        return FactHistory(fact=self._named(row), entries=tuple(sorted(entries, key=FactJudgement.order)))


def undone_at(operation: Operation, undone: dict[str, dict[int, datetime]]) -> datetime | None:
    """Return when an operation or what it rests on was first withdrawn.

    Args:
        undone: moments of undos by document and revision.
    """
    moments = (
        at
        for source in operation.sources
        for revision, at in undone.get(source.document, {}).items()
        if revision >= source.revision
    )
    return min(moments, default=None)


def judgement(operation: Operation, *, true: bool, undone_at: datetime | None) -> FactJudgement:
    """Return the entry of a history that an operation's assertion makes."""
    rewrite = operation if isinstance(operation, Rewrite) else None
    return FactJudgement(
        true=true,
        when=operation.when,
        known_at=operation.known_at,
        document=operation.document,
        origin=operation.origin,
        channel=operation.channel,
        revision=operation.revision,
        operation=operation.id,
        rests_on=tuple(source.document for source in operation.rests_on),
        replaced_by=rewrite.into.id if rewrite and not true else None,
        replaces=rewrite.fact_id if rewrite and true else None,
        undone_at=undone_at,
    )


@contextmanager
def _no_collection() -> Iterator[None]:
    """Pause garbage collection: a third of a fold's time finds nothing."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
