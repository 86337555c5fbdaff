"""Writer of entries into the tables of a fold."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sql

from dateline.channels import names_of
from dateline.facts.clock import microseconds
from dateline.facts.entries import OPERATIONS, STORED, entry_of, fact_of
from dateline.facts.fact import Fact, event_order
from dateline.facts.fold import NEVER
from dateline.facts.ledger import LedgerEntry
from dateline.facts.operation import Erased, FactSource, Operation, UndoDocument
from dateline.facts.tables import (
    ASSERTED,
    FACTS,
    FOLD,
    JUDGEMENTS,
    NAMES,
    OF,
    RESTS,
    SPEAKERS,
    TAGS,
    UNDONE,
    WAITING,
    delete_of,
    found_of,
    key_of,
    places_of,
)

_PAGE = 5_000
"""Entries that are taken in by one transaction."""

# Statements are made once: SQLAlchemy then keeps what they compile to.
_STATE = sql.select(FOLD.c.sequence, FOLD.c.facts, FOLD.c.waiting, FOLD.c.undone)
_KNOWN = sql.select(FACTS.c.id, FACTS.c.row, FACTS.c.fact).where(FACTS.c.id.in_(OF))
_WAITED = (
    sql.select(WAITING.c.fact, WAITING.c.place, *STORED)
    .join_from(WAITING, OPERATIONS, OPERATIONS.c.sequence == WAITING.c.place // 2)
    .where(WAITING.c.fact.in_(OF))
)
_NUMBERS = sql.select(SPEAKERS.c.channel, SPEAKERS.c.number).where(SPEAKERS.c.channel.in_(OF))
_UNDOS = sql.select(UNDONE.c.document, UNDONE.c.revision, UNDONE.c.at).where(UNDONE.c.document.in_(OF))


class _Spoken(NamedTuple):
    """A judgement that an entry passes."""

    place: int
    operation: Operation
    fact_id: str
    true: bool


class TableWriter:
    """Take entries into the tables, inside a transaction that may write."""

    def __init__(self, connection: sql.Connection) -> None:
        self._connection = connection
        self._sequence, self._facts, self._waiting, self._undone = connection.execute(_STATE).one()
        self._rows: dict[str, int] = {}
        self._tags: dict[int, tuple[str, ...]] = {}

    def take_page(self) -> bool:
        """Take in the next entries of the ledger; `False`: there were none."""
        query = sql.select(*STORED).where(OPERATIONS.c.sequence > self._sequence)
        found = self._connection.execute(query.order_by(OPERATIONS.c.sequence).limit(_PAGE)).all()
        self.take([entry_of(row) for row in found], after=self._sequence)
        return bool(found)

    def take(self, entries: Sequence[LedgerEntry], *, after: int) -> None:
        """Take in the entries behind `after`, if all before them were."""
        if not entries or self._sequence != after:
            return
        self._undo([operation for _, operation in entries if isinstance(operation, UndoDocument)])
        spoken = _spoken(entries)
        spelt: dict[str, Fact | None] = {}
        for sequence, operation in entries:
            for fact in operation.facts:
                spelt.setdefault(fact.id, fact)
            if isinstance(operation, Erased) and operation.numbered:
                spelt[f"erased {sequence}"] = None
        self._look_up({*spelt, *(each.fact_id for each in spoken)})
        spoken = self._name([fact for fact_id, fact in spelt.items() if fact_id not in self._rows]) + spoken
        self._wait([each for each in spoken if each.fact_id not in self._rows])
        self._judge([each for each in spoken if each.fact_id in self._rows])
        state = {"sequence": entries[-1].sequence, "facts": self._facts}
        self._connection.execute(sql.update(FOLD), {**state, "waiting": self._waiting, "undone": self._undone})

    def judge_again(self, operations: Mapping[int, Operation]) -> None:
        """Take in what entries say whose judgements were erased."""
        spoken = _spoken(operations.items())
        self._look_up({each.fact_id for each in spoken})
        self._judge([each for each in spoken if each.fact_id in self._rows])
        self._wait([each for each in spoken if each.fact_id not in self._rows])
        self._connection.execute(sql.update(FOLD), {"waiting": self._waiting})

    def _look_up(self, ids: Collection[str]) -> None:
        for id, row, stored in found_of(self._connection, _KNOWN, of=ids):
            self._rows[id] = row
            if '"tags"' in stored:
                self._tags[row] = tuple(dict.fromkeys(fact_of(json.loads(stored)).tags))

    def _name(self, spelt: Sequence[Fact | None]) -> list[_Spoken]:
        """Number new facts, and return the judgements that waited for them.

        A forgotten one takes its number and nothing else.
        """
        facts = [fact for fact in spelt if fact is not None]
        for row, fact in enumerate(spelt, self._facts):
            if fact is not None:
                self._rows[fact.id], self._tags[row] = row, tuple(dict.fromkeys(fact.tags))
        self._facts += len(spelt)
        self._insert(FACTS, ({"row": self._rows[fact.id], "id": fact.id, "fact": stored_fact(fact)} for fact in facts))
        rows = [self._rows[fact.id] for fact in facts]
        self._insert(TAGS, ({"tag": key_of(tag), "row": row} for row in rows for tag in self._tags[row]))
        return self._waited([fact.id for fact in facts]) if self._waiting else []

    def _waited(self, ids: Sequence[str]) -> list[_Spoken]:
        found: list[_Spoken] = []
        for fact_id, place, *stored in found_of(self._connection, _WAITED, of=ids):
            operation = entry_of(stored).operation
            found.append(_Spoken(place, operation, fact_id, operation.assertions[place % 2].true))
        delete_of(self._connection, WAITING.c.fact, of=ids)
        return found

    def _wait(self, spoken: Sequence[_Spoken]) -> None:
        """Keep judgements whose facts are spelt out by later operations."""
        self._insert(WAITING, ({"fact": each.fact_id, "place": each.place} for each in spoken))
        self._waiting = self._waiting or bool(spoken)

    def _judge(self, spoken: Sequence[_Spoken]) -> None:
        undone = self._undone_at({source for each in spoken for source in each.operation.sources})
        speakers = self._speakers({each.operation.told_through for each in spoken})
        judgements = []
        for place, operation, fact_id, true in spoken:
            starts, until = event_order(operation.when)
            judgements.append(
                {
                    "place": place,
                    "row": self._rows[fact_id],
                    "starts": starts,
                    "until": until,
                    "denied": not true,
                    "known_at": microseconds(operation.known_at),
                    "undone_at": min(undone[source] for source in operation.sources) if undone else NEVER,
                    "speaker": speakers[operation.told_through],
                }
            )
        self._insert(JUDGEMENTS, judgements)
        self._insert(
            ASSERTED,
            (
                {"tag": key_of(tag), **{name: each[name] for name in ("starts", "until", "place", "row")}}
                for each in judgements
                if not each["denied"]
                for tag in self._tags.get(each["row"], ())
            ),
        )
        # Of a document that it rests on at several revisions the first counts: every undo of that one withdraws it.
        rests = {
            (each.place, on): revision
            for each in spoken
            for on, revision in sorted(each.operation.rests_on, reverse=True)
        }
        self._insert(
            RESTS, ({"document": on, "place": place, "revision": revision} for (place, on), revision in rests.items())
        )

    def _speakers(self, channels: Collection[str]) -> Mapping[str, int]:
        keys = {channel: key_of(channel) for channel in channels}
        known = dict(found_of(self._connection, _NUMBERS, of=keys.values()))
        new = sorted(channel for channel, key in keys.items() if key not in known)
        if new:
            last = self._connection.execute(sql.select(sql.func.max(SPEAKERS.c.number))).scalar() or 0
            known |= {keys[channel]: number for number, channel in enumerate(new, last + 1)}
        numbers = {channel: known[key] for channel, key in keys.items()}
        self._insert(SPEAKERS, ({"number": numbers[channel], "channel": keys[channel]} for channel in new))
        names = ((name, channel) for channel in new for name in dict.fromkeys(map(key_of, names_of(channel))))
        self._insert(NAMES, ({"name": name, "speaker": numbers[channel]} for name, channel in names))
        return numbers

    def _undone_at(self, sources: Collection[FactSource]) -> dict[FactSource, int]:
        """Return when each source was first withdrawn; nothing where none ever was."""
        if not self._undone:
            return {}
        undos: dict[str, list[tuple[int, int]]] = defaultdict(list)
        documents = {source.document for source in sources}
        for document, revision, at in found_of(self._connection, _UNDOS, of=documents):
            undos[document].append((revision, at))
        return {
            source: min((at for revision, at in undos[source.document] if revision >= source.revision), default=NEVER)
            for source in sources
        }

    def _undo(self, undos: Sequence[UndoDocument]) -> None:
        for undo in undos:
            known_at, document = microseconds(undo.known_at), undo.document
            same = (UNDONE.c.document == document) & (UNDONE.c.revision == undo.revision)
            before = self._connection.execute(sql.select(UNDONE.c.at).where(same)).scalar()
            if before is None:
                self._insert(UNDONE, [{"document": document, "revision": undo.revision, "at": known_at}])
            elif known_at < before:
                self._connection.execute(sql.update(UNDONE).where(same).values(at=known_at))
            self._withdraw(undo, known_at)
        self._undone = self._undone or bool(undos)

    def _withdraw(self, undo: UndoDocument, known_at: int) -> None:
        own, resting = (
            (table.c.document == undo.document) & (table.c.revision <= undo.revision) for table in (OPERATIONS, RESTS)
        )
        places = places_of(own, sql.select(RESTS.c.place).where(resting))
        later = JUDGEMENTS.c.place.in_(places) & (JUDGEMENTS.c.undone_at > known_at)
        self._connection.execute(sql.update(JUDGEMENTS).where(later).values(undone_at=known_at))

    def _insert(self, table: sql.Table, rows: Iterable[Mapping[str, Any]]) -> None:
        if given := list(rows):
            self._connection.execute(sql.insert(table), given)


def _spoken(entries: Iterable[tuple[int, Operation]]) -> list[_Spoken]:
    return [
        _Spoken(2 * sequence + number, operation, fact_id, true)
        for sequence, operation in entries
        for number, (fact_id, true) in enumerate(operation.assertions)
    ]


def stored_fact(fact: Fact) -> str:
    return json.dumps(fact.model_dump(mode="json", exclude_defaults=True))
