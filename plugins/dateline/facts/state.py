"""Fold of a ledger: which fact was true when, known when.

The fold does not depend on the order of arrival: judgements are kept in event-time order and an undo
withdraws a document's word whether it came before or after. Truth at any point of both clocks is one
pass over flat columns, for all facts at once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dateline.channels import names_of
from dateline.facts.clock import microseconds
from dateline.facts.fact import Fact, FactHistory, FactJudgement, Moment, event_order, last_second
from dateline.facts.ledger import LedgerEntry
from dateline.facts.operation import Assertion, FactSource, Operation, Rewrite, UndoDocument

Truth = npt.NDArray[np.int8]
"""One value a fact: `UNKNOWN`, `TRUE` or `FALSE`."""

UNKNOWN, FALSE, TRUE = 0, 1, 2

_TRUTHS_KEPT = 8
"""Points of the two clocks whose truth is kept until the next write; a session asks about few."""

_NEVER = np.iinfo(np.int64).max


class _ClockNumbers(NamedTuple):
    """Seconds of event time, microseconds of knowledge time; `None` is the latest."""

    as_of: int | None = None
    known_at: int | None = None

    @classmethod
    def of(cls, as_of: Moment | None, known_at: datetime | None) -> _ClockNumbers:
        return cls(
            None if as_of is None else last_second(as_of),
            None if known_at is None else microseconds(known_at),
        )


class State:
    """Fold of a ledger's operations; rows number facts as first spelt out."""

    def __init__(self) -> None:
        self.sequence = 0
        self.facts: dict[str, Fact] = {}
        self.rows: dict[str, int] = {}
        self.ids: list[str] = []
        self.undone: dict[str, dict[int, datetime]] = defaultdict(dict)
        self._said: list[tuple[Operation, Assertion]] = []
        self._waiting: dict[str, list[tuple[Operation, Assertion]]] = defaultdict(list)
        self._of_row: list[list[int]] = []
        self._of_tag: dict[str, list[int]] = defaultdict(list)
        self._of_document: dict[str, int] = {}
        self._of_source: dict[str, list[int]] = defaultdict(list)
        self._of_channel: dict[str, list[int]] = defaultdict(list)
        self._columns = _Columns()
        self._truths: dict[_ClockNumbers, Truth] = {}

    def fold(self, entries: Iterable[LedgerEntry]) -> None:
        """Take in entries of the ledger, in any order; each only once."""
        for sequence, operation in entries:
            self._truths.clear()
            self.sequence = max(self.sequence, sequence)
            if isinstance(operation, UndoDocument):
                self._undo(operation)
                continue
            newest = max(operation.revision, self._of_document.get(operation.document, 0))
            self._of_document[operation.document] = newest
            for fact in operation.facts:
                self._name(fact)
            for said in operation.assertions:
                self._judge(operation, said)

    def truth(self, *, as_of: Moment | None = None, known_at: datetime | None = None) -> Truth:
        """Return read-only truth by row at both times; `None` is the latest."""
        clocks = _ClockNumbers.of(as_of, known_at)
        if clocks not in self._truths:
            if len(self._truths) >= _TRUTHS_KEPT:
                self._truths.clear()
            self._truths[clocks] = self._columns.truth(len(self.ids), clocks)
        return self._truths[clocks]

    def history(self, fact_id: str) -> FactHistory:
        """Return a fact's history; raise `KeyError` for an unknown id."""
        entries = [self._judgement(*self._said[at]) for at in self._of_row[self.rows[fact_id]]]
        return FactHistory(fact=self.facts[fact_id], entries=tuple(sorted(entries, key=FactJudgement.order)))

    def true(self, fact_id: str, *, as_of: Moment | None = None, known_at: datetime | None = None) -> bool | None:
        """Judge one fact without its history; `None` for an unknown id."""
        row = self.rows.get(fact_id)
        if row is None:
            return None
        last = self._columns.last(self._of_row[row], _ClockNumbers.of(as_of, known_at))
        return None if last is None else last[2] == -TRUE

    def true_after(self, fact_id: str, operations: Iterable[Operation]) -> bool | None:
        """Judge a fact at the latest time, as if these operations stood."""
        row = self.rows.get(fact_id)
        last = None if row is None else self._columns.last(self._of_row[row], _ClockNumbers())
        words = [
            (*event_order(operation.when), -(TRUE if said.true else FALSE))
            for operation in operations
            for said in operation.assertions
            if said.fact_id == fact_id
        ]
        last = max(words if last is None else [last, *words], default=None)
        return None if last is None else last[2] == -TRUE

    def revision(self, document: str) -> int:
        """Count the times a document was undone."""
        return max(self.undone[document], default=-1) + 1 if document in self.undone else 0

    def knows(self, document: str) -> bool:
        """Check that a document ever said anything."""
        return document in self._of_document or document in self.undone

    def stands(self, document: str) -> bool:
        """Check that a document said something since it was last undone."""
        return self._of_document.get(document, -1) >= self.revision(document)

    def documents(self) -> list[str]:
        """List the documents whose word stands, in the order of arrival."""
        return [document for document in self._of_document if self.stands(document)]

    def facts_of(self, document: str) -> list[str]:
        """List ids of facts judged by a document or resting on it."""
        return list(dict.fromkeys(self._said[at][1].fact_id for at in self._of_source.get(document, ())))

    def tagged(self, tag: str) -> list[int]:
        """Return rows of the facts that carry a tag."""
        return self._of_tag.get(tag, [])

    def spoken_of(
        self, names: Iterable[str], *, as_of: Moment | None = None, known_at: datetime | None = None
    ) -> npt.NDArray[np.bool_]:
        """Mark rows on which these sources or documents had spoken by then."""
        places = [at for name in names for at in self._spoken_by(name)]
        mask = np.zeros(len(self.ids), dtype=np.bool_)
        mask[self._columns.rows(places, _ClockNumbers.of(as_of, known_at))] = True
        return mask

    def carrying(self, tags: Iterable[str]) -> npt.NDArray[np.bool_]:
        """Mark the rows of facts that carry one of these tags."""
        mask = np.zeros(len(self.ids), dtype=np.bool_)
        mask[[row for tag in tags for row in self.tagged(tag)]] = True
        return mask

    def _spoken_by(self, name: str) -> Iterator[int]:
        yield from self._of_channel.get(name.casefold(), ())
        # What merely rests on a document of this name is another's word.
        yield from (at for at in self._of_source.get(name, ()) if self._said[at][0].document == name)

    def _name(self, fact: Fact) -> None:
        if fact.id in self.rows:
            return
        self.rows[fact.id] = len(self.ids)
        self.ids.append(fact.id)
        self.facts[fact.id] = fact
        self._of_row.append([])
        for tag in fact.tags:
            self._of_tag[tag].append(self.rows[fact.id])
        for operation, said in self._waiting.pop(fact.id, ()):
            self._judge(operation, said)

    def _judge(self, operation: Operation, said: Assertion) -> None:
        row, at = self.rows.get(said.fact_id), len(self._said)
        if row is None:  # its fact is spelt out by an operation that has not arrived yet
            self._waiting[said.fact_id].append((operation, said))
            return
        self._said.append((operation, said))
        self._of_row[row].append(at)
        self._of_source[operation.document].append(at)
        for name in names_of(operation.channel or operation.origin):
            self._of_channel[name].append(at)
        for source in operation.rests_on:
            self._of_source[source.document].append(at)
        undone = self._undone_at(operation)
        self._columns.append(
            row=row,
            when=event_order(operation.when),
            known_at=microseconds(operation.known_at),
            undone_at=_NEVER if undone is None else microseconds(undone),
            true=said.true,
        )

    def _undo(self, operation: UndoDocument) -> None:
        known = self.undone[operation.document].get(operation.revision, operation.known_at)
        self.undone[operation.document][operation.revision] = min(known, operation.known_at)
        for at in self._of_source.get(operation.document, ()):
            undone = self._undone_at(self._said[at][0])
            if undone is not None:
                self._columns.undo(at, undone_at=microseconds(undone))

    def _undone_at(self, operation: Operation) -> datetime | None:
        if not self.undone:
            return None
        sources: tuple[FactSource, ...] = (operation.source, *operation.rests_on)
        return min((at for source in sources if (at := self._withdrawn_at(source)) is not None), default=None)

    def _withdrawn_at(self, source: FactSource) -> datetime | None:
        undone = self.undone.get(source.document, {})
        return min((at for revision, at in undone.items() if revision >= source.revision), default=None)

    def _judgement(self, operation: Operation, said: Assertion) -> FactJudgement:
        rewrite = operation if isinstance(operation, Rewrite) else None
        return FactJudgement(
            true=said.true,
            when=operation.when,
            known_at=operation.known_at,
            document=operation.document,
            origin=operation.origin,
            channel=operation.channel,
            revision=operation.revision,
            operation=operation.id,
            replaced_by=rewrite.into.id if rewrite and not said.true else None,
            replaces=rewrite.fact_id if rewrite and said.true else None,
            undone_at=self._undone_at(operation),
        )


class _Columns:
    """Judgements in flat columns that double; `order` sorts by event time, lazily."""

    def __init__(self) -> None:
        self._size = 0
        self._table = np.empty((6, 1024), dtype=np.int64)
        self._order: npt.NDArray[np.intp] = np.empty(0, dtype=np.intp)

    def append(self, *, row: int, when: tuple[int, int], known_at: int, undone_at: int, true: bool) -> None:
        if self._size == self._table.shape[1]:
            self._table = np.concatenate([self._table, np.empty_like(self._table)], axis=1)
        self._table[:, self._size] = (row, *when, TRUE if true else FALSE, known_at, undone_at)
        self._size += 1

    def undo(self, at: int, *, undone_at: int) -> None:
        self._table[5, at] = undone_at

    def truth(self, rows: int, clocks: _ClockNumbers) -> Truth:
        self._sort()
        row, _, _, true, _, _ = self._table[:, : self._size]
        visible = _visible(self._table[:, : self._size], clocks)
        order = self._order[visible[self._order]]
        truth = np.zeros(rows, dtype=np.int8)
        truth[row[order]] = true[order]  # of several judgements on one row the last one stays
        truth.flags.writeable = False
        return truth

    def rows(self, places: list[int], clocks: _ClockNumbers) -> npt.NDArray[np.int64]:
        """Return rows of the visible judgements among these places."""
        table = self._table[:, places]
        found: npt.NDArray[np.int64] = table[0, _visible(table, clocks)]
        return found

    def last(self, judgements: list[int], clocks: _ClockNumbers) -> tuple[int, int, int] | None:
        """Return the sorting key of the last visible judgement among these places."""
        as_of, known_at = clocks
        last: tuple[int, int, int] | None = None
        for at in judgements:
            _, start, end, true, known, undone = self._table[:, at].tolist()
            seen = undone == _NEVER if known_at is None else known <= known_at < undone
            if seen and (as_of is None or start <= as_of):
                word = (start, end, -true)
                last = word if last is None else max(last, word)
        return last

    def _sort(self) -> None:
        if len(self._order) != self._size:
            _, start, end, true, _, _ = self._table[:, : self._size]
            self._order = np.lexsort((-true, end, start))


def _visible(table: npt.NDArray[np.int64], clocks: _ClockNumbers) -> npt.NDArray[np.bool_]:
    """Mark which judgements, shape (6, n), count at both times."""
    as_of, known_at = clocks
    _, start, _, _, known, undone = table
    visible: npt.NDArray[np.bool_] = undone == _NEVER if known_at is None else (known <= known_at) & (known_at < undone)
    return visible if as_of is None else visible & (start <= as_of)
