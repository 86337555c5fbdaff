"""Ledger in a database: SQLite in WAL mode, or PostgreSQL by URL."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import sqlalchemy as sql

from dateline.errors import BadInput
from dateline.facts.chain import Chain, link, remainder_hash, walk
from dateline.facts.clock import microseconds
from dateline.facts.database import Database
from dateline.facts.entries import BIG, METADATA, OPERATIONS, STORED, entry_of, row_of
from dateline.facts.erasure import Erasure, aliases, is_barred
from dateline.facts.fold import Fold
from dateline.facts.ledger import REACH, Ledger, LedgerEntry
from dateline.facts.notes import Notes, Topic
from dateline.facts.operation import Erased, ErasedEntry, Forget, Operation
from dateline.facts.stored import INDEX_TABLES, drop_index
from dateline.facts.table_eraser import erase_from_tables
from dateline.facts.table_fold import TableFold
from dateline.facts.table_writer import TableWriter
from dateline.facts.tables import OF, TABLES, delete_of, found_of, prepare
from dateline.visible import logger

_LOG = logger(__name__)

SCHEMA_VERSION, _ERASED_VERSION = 2, 3
"""Version 1 had no hashes; it is read on, and what is written behind it is chained. A ledger has version 3 from its
first erased entry on, which earlier datelines would take for something else."""

_SCHEMA = sql.Table(
    "dateline_schema",
    METADATA,
    sql.Column("version", sql.Integer, primary_key=True),
    sql.Column("head", sql.String(64), comment="hash of the newest entry"),
    sql.Column("unchained", sql.BigInteger, comment="number of first entries without a hash"),
)
_NOTES = sql.Table(
    "dateline_notes",
    METADATA,
    sql.Column("place", BIG, primary_key=True, autoincrement=False),
    sql.Column("topic", sql.String(16), nullable=False),
    sql.Column("key", sql.Text, nullable=False),
    sql.Column("text", sql.Text, nullable=False),
    sql.UniqueConstraint("topic", "key"),
)
_ERASING = sql.Table(
    "dateline_erasing",
    METADATA,
    sql.Column("row", BIG, primary_key=True, autoincrement=False, comment="of a forgotten fact; below 0: of none"),
)
_WIPED = sql.Table(
    "dateline_wiped",
    METADATA,
    sql.Column(
        "place", sql.Text, primary_key=True, comment="that of an index; empty: none, but the newest erasure itself"
    ),
    sql.Column("erasure", sql.BigInteger, nullable=False, comment="up to which it holds nothing of what was forgotten"),
)
_INSERT = sql.insert(OPERATIONS)
_IDS = sql.select(OPERATIONS.c.id).where(OPERATIONS.c.document == sql.bindparam("of"))
_LAST = sql.select(sql.func.max(OPERATIONS.c.sequence))

_PAGE = 10_000


class SqlLedger(Ledger):
    """A ledger behind a SQLAlchemy URL, such as `sqlite:///facts.db` or `postgresql+psycopg://host/name`.

    Raises:
        BadInput: for a URL that SQLAlchemy cannot read, or a schema that another version of dateline wrote.
        MissingExtra: when the database's driver is not installed.
        StoreFailed: when the database cannot be reached.

    Example:
        >>> SqlLedger("sqlite:///facts.db").last()
        0
    """

    def __init__(self, url: str, *, timeout: float = 30.0) -> None:
        self._timeout = timeout
        self.database = Database(url, timeout=timeout)
        self._create()
        self.database.hold()

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(SqlLedger, self.database.address(), timeout=self._timeout), ()

    @classmethod
    def at(cls, path: Path, *, timeout: float = 30.0) -> SqlLedger:
        """Open a ledger in a SQLite file, or create it."""
        # Written by SQLAlchemy: a path may hold what a URL reads otherwise, such as "%20" and "?".
        url = sql.URL.create("sqlite", database=str(path))
        return cls(url.render_as_string(hide_password=False), timeout=timeout)

    def append(self, operations: Sequence[Operation]) -> list[LedgerEntry]:
        wanted = {operation.id: operation for operation in operations}
        if not wanted:
            return []
        with self.database.writing() as connection:
            for document in {operation.document for operation in operations}:
                for stored in connection.execute(_IDS, {"of": document}).scalars():
                    wanted.pop(stored, None)
            head, version = connection.execute(sql.select(_SCHEMA.c.head, _SCHEMA.c.version)).one()
            if version == _ERASED_VERSION:
                wanted = _without_barred(connection, wanted)
            return self._store(connection, wanted, head=head or "")

    def together(self) -> AbstractContextManager[Any]:
        return self.database.together()

    def _store(self, connection: sql.Connection, new: Mapping[str, Operation], *, head: str) -> list[LedgerEntry]:
        last = _last(connection)
        entries = [LedgerEntry(place, operation) for place, operation in enumerate(new.values(), last + 1)]
        if entries:
            rows = [row_of(entry, id) for entry, id in zip(entries, new, strict=True)]
            for row in rows:
                head = row["hash"] = link(head, row)
            connection.execute(_INSERT, rows)
            # An older dateline would take what is left of erased entries for something else, also where it was imported.
            erased = any(isinstance(operation, Forget | Erased) for operation in new.values())
            connection.execute(sql.update(_SCHEMA), {"head": head, **({"version": _ERASED_VERSION} if erased else {})})
            TableWriter(connection).take(entries, after=last)
        return entries

    def erase(self, erasure: Erasure) -> list[Forget]:
        with self.database.writing() as connection:
            while TableWriter(connection).take_page():
                pass
            plan = erasure.plan(self.operations)
            entries = {sequence: _replace(connection, sequence, each) for sequence, each in plan.remainders.items()}
            rows = erase_from_tables(connection, plan.remainders, facts=plan.facts, documents=plan.documents)
            traces = [
                replace(forget, entries=tuple(entries[sequence] for sequence in sequences))
                for forget, sequences in plan.traces
            ]
            head = connection.execute(sql.select(_SCHEMA.c.head)).scalar() or ""
            self._store(connection, {trace.id: trace for trace in traces}, head=head)
            erase_notes(connection, plan.mentions)
            # Also where no fact goes something is to be wiped: this erasure's own number stands for it.
            mark = -_last(connection)
            _note_wiped(connection, "", -mark)
            waiting = set(connection.execute(sql.select(_ERASING.c.row)).scalars())
            connection.execute(sql.insert(_ERASING), [{"row": row} for row in {mark, *rows} - waiting])
        self.erasures += 1
        return traces

    def erasing(self) -> list[int]:
        with self.database.reading() as connection:
            return sorted(connection.execute(sql.select(_ERASING.c.row)).scalars())

    def scrub(self, rows: Sequence[int]) -> None:
        self.database.scrub([*METADATA.tables, *TABLES.tables, *INDEX_TABLES])
        with self.database.writing() as connection:
            # No others: another process may have erased meanwhile.
            delete_of(connection, _ERASING.c.row, of=rows)

    def unwiped(self, index: str) -> int:
        with self.database.reading() as connection:
            version = connection.execute(sql.select(_SCHEMA.c.version)).scalar()
            noted = {row.place: row.erasure for row in connection.execute(sql.select(_WIPED))}
        # Earlier datelines did not note which indexes followed their erasures.
        newest = noted.get("", int(version == _ERASED_VERSION))
        return newest if noted.get(index, 0) < newest else 0

    def note_wiped(self, index: str, erasure: int) -> None:
        with self.database.writing() as connection:
            _note_wiped(connection, index, erasure)

    def forgotten(self) -> list[Forget]:
        query = sql.select(*STORED).where(OPERATIONS.c.kind == "forget").order_by(OPERATIONS.c.sequence)
        with self.database.reading() as connection:
            found = [entry_of(row).operation for row in connection.execute(query)]
        return [each for each in found if isinstance(each, Forget)]

    def operations(self, *, after: int = 0, since: datetime | None = None) -> Iterator[LedgerEntry]:
        query = sql.select(*STORED).order_by(OPERATIONS.c.sequence).limit(_PAGE)
        if since is not None:
            query = query.where(OPERATIONS.c.known_at > microseconds(since))
        # What is appended while a caller reads on is not waited for: the last page ends at today's last operation.
        last = self.last()
        while after < last:
            with self.database.reading() as connection:
                rows = connection.execute(query.where(OPERATIONS.c.sequence > after)).all()
            yield from map(entry_of, rows)
            after = rows[-1].sequence if len(rows) == _PAGE else last

    def preceding(self, operation: str) -> list[Operation]:
        place, near = OPERATIONS.c.sequence, OPERATIONS.alias()
        query = (
            sql.select(*STORED)
            .join(near, near.c.document == OPERATIONS.c.document)
            .where(near.c.id == operation, place <= near.c.sequence, place >= near.c.sequence - REACH)
            .order_by(place)
        )
        with self.database.reading() as connection:
            return [entry_of(row).operation for row in connection.execute(query)]

    def last(self) -> int:
        with self.database.reading() as connection:
            return _last(connection)

    def chain(self, *, noted: str = "") -> Chain:
        # The head is read first: entries that others append meanwhile stand behind it.
        with self.database.reading() as connection:
            head, unchained = connection.execute(sql.select(_SCHEMA.c.head, _SCHEMA.c.unchained)).one()
            query = sql.select(OPERATIONS).order_by(OPERATIONS.c.sequence)
            rows = connection.execution_options(yield_per=_PAGE).execute(query).mappings()
            return walk(map(dict, rows), head=head or "", unchained=unchained or 0, noted=noted)

    @cached_property
    def notes(self) -> Notes:
        return _SqlNotes(self)

    def fold(self) -> Fold:
        return TableFold(self.database)

    def close(self) -> None:
        self.database.engine.dispose()

    def _create(self) -> None:
        self.database.make()
        with self.database.writing("opened") as connection:
            METADATA.create_all(connection)
            version = connection.execute(sql.select(sql.func.max(_SCHEMA.c.version))).scalar()
            if version not in (None, 1, SCHEMA_VERSION, _ERASED_VERSION):
                # Raised inside of the transaction, which leaves everything as that dateline wrote it.
                raise BadInput(
                    f"The ledger {self.database.where} has schema version {version}, this dateline reads version {SCHEMA_VERSION}; "
                    "use the dateline that wrote it, or export there and import here."
                )
            _let_keys_be_long(connection)
            if version is None:
                connection.execute(sql.insert(_SCHEMA), {"version": SCHEMA_VERSION, "head": "", "unchained": 0})
            elif version == 1:
                self._chain_from_now(connection)
            prepare(connection, new=version is None)
            if version is None:
                drop_index(connection)

    def _chain_from_now(self, connection: sql.Connection) -> None:
        """Make room for hashes in a ledger that has none."""
        for column in (OPERATIONS.c.hash, _SCHEMA.c.head, _SCHEMA.c.unchained):
            kind = column.type.compile(connection.dialect)
            connection.exec_driver_sql(f"ALTER TABLE {column.table.name} ADD COLUMN {column.name} {kind}")
        before = _last(connection)
        connection.execute(sql.update(_SCHEMA), {"version": SCHEMA_VERSION, "head": "", "unchained": before})
        _LOG.warning(
            "The ledger %s has %d entries without hashes; from now on entries are chained.", self.database.where, before
        )


class _SqlNotes(Notes):
    """Notes in the ledger's own database."""

    def __init__(self, ledger: SqlLedger) -> None:
        self._ledger = ledger

    def write(self, topic: Topic, notes: Mapping[str, str]) -> None:
        if not notes:
            return
        with self._ledger.database.writing() as connection:
            query = sql.select(_NOTES.c.key).where(_NOTES.c.topic == topic, _NOTES.c.key.in_(list(notes)))
            known = set(connection.execute(query).scalars())
            last = connection.execute(sql.select(sql.func.max(_NOTES.c.place))).scalar() or 0
            new = [(key, text) for key, text in notes.items() if key not in known]
            rows = [
                {"place": place, "topic": topic, "key": key, "text": text}
                for place, (key, text) in enumerate(new, last + 1)
            ]
            if rows:
                connection.execute(sql.insert(_NOTES), rows)

    def erase(self, mentions: Callable[[str], bool]) -> None:
        with self._ledger.database.writing() as connection:
            erase_notes(connection, mentions)

    def read(self, topic: Topic, key: str) -> str | None:
        query = sql.select(_NOTES.c.text).where(_NOTES.c.topic == topic, _NOTES.c.key == key)
        with self._ledger.database.reading() as connection:
            return connection.execute(query).scalar()

    def all(self, topic: Topic) -> dict[str, str]:
        query = sql.select(_NOTES.c.key, _NOTES.c.text).where(_NOTES.c.topic == topic).order_by(_NOTES.c.place)
        with self._ledger.database.reading() as connection:
            return {str(key): str(text) for key, text in connection.execute(query)}


def _let_keys_be_long(connection: sql.Connection) -> None:
    """Let notes have keys of any length: they are ids of documents.

    PostgreSQL once kept to 255 characters; SQLite never counted them.
    """
    if connection.dialect.name != "postgresql":
        return
    types = {column["name"]: column["type"] for column in sql.inspect(connection).get_columns(_NOTES.name)}
    if getattr(types["key"], "length", None) is not None:
        connection.exec_driver_sql(f"ALTER TABLE {_NOTES.name} ALTER COLUMN key TYPE TEXT")


def _note_wiped(connection: sql.Connection, index: str, erasure: int) -> None:
    connection.execute(sql.delete(_WIPED).where(_WIPED.c.place == index))
    connection.execute(sql.insert(_WIPED), {"place": index, "erasure": erasure})


def erase_notes(connection: sql.Connection, mentions: Callable[[str], bool]) -> None:
    """Erase notes that mention something, all of their keys, and replies."""
    connection.execute(sql.delete(_NOTES).where(_NOTES.c.topic == "reply"))
    told = connection.execute(sql.select(_NOTES.c.key, _NOTES.c.text)).all()
    for gone in {key for key, text in told if mentions(key) or mentions(text)}:
        connection.execute(sql.delete(_NOTES).where(_NOTES.c.key == gone))


def _replace(connection: sql.Connection, sequence: int, remainder: Erased) -> ErasedEntry:
    """Put an entry's remainder in its place, under the old hash."""
    here = OPERATIONS.c.sequence == sequence
    hash = connection.execute(sql.select(OPERATIONS.c.hash).where(here)).scalar() or ""
    row = row_of(LedgerEntry(sequence, remainder), remainder.id)
    connection.execute(sql.update(OPERATIONS).where(here).values(row))
    return ErasedEntry(sequence, hash, remainder_hash(row))


def _without_barred(connection: sql.Connection, wanted: Mapping[str, Operation]) -> dict[str, Operation]:
    """Leave out what would bring back what was forgotten."""
    names = {alias for operation in wanted.values() for alias in aliases(operation)}
    query = sql.select(*STORED).where(OPERATIONS.c.document.in_(OF), OPERATIONS.c.kind == "forget")
    found = map(entry_of, found_of(connection, query.order_by(OPERATIONS.c.sequence), of=names))
    traces = {each.document: each for _, each in found if isinstance(each, Forget)}
    return {id: operation for id, operation in wanted.items() if not is_barred(operation, traces)}


def _last(connection: sql.Connection) -> int:
    return connection.execute(_LAST).scalar() or 0
