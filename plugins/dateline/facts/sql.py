"""Ledger in a database: SQLite in WAL mode, or PostgreSQL by URL."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import sqlalchemy as sql
from sqlalchemy.exc import SQLAlchemyError

from dateline.errors import BadInput, MissingExtra, StoreFailed
from dateline.facts.chain import Chain, link, walk
from dateline.facts.clock import microseconds, moment
from dateline.facts.fact import Fact
from dateline.facts.ledger import Ledger, LedgerEntry
from dateline.facts.notes import Notes, Topic
from dateline.facts.operation import AddFact, FactSource, MakeFalse, Operation, Reinforce, Rewrite, UndoDocument
from dateline.files import identity, make_file
from dateline.secrets import without_secrets
from dateline.temporal.interval import Interval
from dateline.visible import logger

_LOG = logger(__name__)

SCHEMA_VERSION = 2
"""Version 1 had no hashes; it is read on, and what is written behind it is chained."""

_METADATA = sql.MetaData()
_SCHEMA = sql.Table(
    "dateline_schema",
    _METADATA,
    sql.Column("version", sql.Integer, primary_key=True),
    sql.Column("head", sql.String(64), comment="hash of the newest entry"),
    sql.Column("unchained", sql.BigInteger, comment="number of first entries without a hash"),
)
_OPERATIONS = sql.Table(
    "dateline_operations",
    _METADATA,
    sql.Column("sequence", sql.BigInteger().with_variant(sql.Integer, "sqlite"), primary_key=True, autoincrement=False),
    sql.Column("id", sql.String(32), nullable=False, unique=True),
    sql.Column("document", sql.Text, nullable=False, index=True),
    sql.Column("revision", sql.Integer, nullable=False),
    sql.Column("kind", sql.String(16), nullable=False),
    sql.Column("fact", sql.String(64), index=True, comment="id of the fact judged; of a rewrite, the one denied"),
    sql.Column("dated", sql.Boolean, nullable=False),
    sql.Column("starts", sql.BigInteger, comment="event time in seconds since 1970, as in Interval"),
    sql.Column("ends", sql.BigInteger),
    sql.Column("granularity", sql.String(16)),
    sql.Column(
        "known_at", sql.BigInteger, nullable=False, index=True, comment="knowledge time in microseconds since 1970, UTC"
    ),
    sql.Column("more", sql.Text, comment="JSON: the fact spelt out, what it rests on, where from, why"),
    sql.Column("hash", sql.String(64), comment="of this entry and the hash before it"),
)
_STORED = [column for column in _OPERATIONS.c if column.name != "hash"]
_NOTES = sql.Table(
    "dateline_notes",
    _METADATA,
    sql.Column("place", sql.BigInteger().with_variant(sql.Integer, "sqlite"), primary_key=True, autoincrement=False),
    sql.Column("topic", sql.String(16), nullable=False),
    sql.Column("key", sql.String(255), nullable=False),
    sql.Column("text", sql.Text, nullable=False),
    sql.UniqueConstraint("topic", "key"),
)
_INSERT = sql.insert(_OPERATIONS)
_IDS = sql.select(_OPERATIONS.c.id).where(_OPERATIONS.c.document == sql.bindparam("of"))
_LAST = sql.select(sql.func.max(_OPERATIONS.c.sequence))

_WRITER_LOCK = 0x61736F66
"""Key of PostgreSQL's advisory lock ("dateline" in ASCII): one writer at a time, so places appear in order."""

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
        self._engine = _engine(url, timeout=timeout)
        self._where = self._engine.url.render_as_string(hide_password=True)
        self._file = _sqlite_file(self._engine.url)
        self._held: tuple[int, int] | None = None
        self._create()
        self._held = None if self._file is None else identity(self._file)

    def __reduce__(self) -> tuple[Any, ...]:
        url = self._engine.url
        if self._file is not None:
            url = url.set(database=str(self._file.absolute()))
        elif url.get_backend_name() == "sqlite":
            raise BadInput("A ledger in memory stays in its process; keep it in a file, such as sqlite:///facts.db.")
        return partial(SqlLedger, url.render_as_string(hide_password=False), timeout=self._timeout), ()

    @classmethod
    def at(cls, path: Path, *, timeout: float = 30.0) -> SqlLedger:
        """Open a ledger in a SQLite file, or create it."""
        return cls(f"sqlite:///{path}", timeout=timeout)

    def append(self, operations: Sequence[Operation]) -> list[LedgerEntry]:
        wanted = {operation.id: operation for operation in operations}
        if not wanted:
            return []
        with self._writing() as connection:
            for document in {operation.document for operation in operations}:
                for stored in connection.execute(_IDS, {"of": document}).scalars():
                    wanted.pop(stored, None)
            entries = [
                LedgerEntry(place, operation) for place, operation in enumerate(wanted.values(), _last(connection) + 1)
            ]
            if entries:
                head = connection.execute(sql.select(_SCHEMA.c.head)).scalar() or ""
                rows = [_row(entry, id) for entry, id in zip(entries, wanted, strict=True)]
                for row in rows:
                    head = row["hash"] = link(head, row)
                connection.execute(_INSERT, rows)
                connection.execute(sql.update(_SCHEMA), {"head": head})
        return entries

    def operations(
        self, *, after: int = 0, document: str | None = None, since: datetime | None = None
    ) -> Iterator[LedgerEntry]:
        query = sql.select(*_STORED).order_by(_OPERATIONS.c.sequence).limit(_PAGE)
        if document is not None:
            query = query.where(_OPERATIONS.c.document == document)
        if since is not None:
            query = query.where(_OPERATIONS.c.known_at > microseconds(since))
        # What is appended while a caller reads on is not waited for: the last page ends at today's last operation.
        last = self.last()
        while after < last:
            with self._reading() as connection:
                rows = connection.execute(query.where(_OPERATIONS.c.sequence > after)).all()
            yield from map(_entry, rows)
            after = rows[-1].sequence if len(rows) == _PAGE else last

    def last(self) -> int:
        with self._reading() as connection:
            return _last(connection)

    def chain(self, *, noted: str = "") -> Chain:
        # The head is read first: entries that others append meanwhile stand behind it.
        with self._reading() as connection:
            head, unchained = connection.execute(sql.select(_SCHEMA.c.head, _SCHEMA.c.unchained)).one()
            query = sql.select(_OPERATIONS).order_by(_OPERATIONS.c.sequence)
            rows = connection.execution_options(yield_per=_PAGE).execute(query).mappings()
            return walk(map(dict, rows), head=head or "", unchained=unchained or 0, noted=noted)

    @cached_property
    def notes(self) -> Notes:
        return _SqlNotes(self)

    def close(self) -> None:
        self._engine.dispose()

    def _create(self) -> None:
        with self._told_in_one_sentence("opened"):
            if self._file is not None:
                make_file(self._file)
        with self._writing("opened") as connection:
            _METADATA.create_all(connection)
            version = connection.execute(sql.select(sql.func.max(_SCHEMA.c.version))).scalar()
            if version is None:
                connection.execute(sql.insert(_SCHEMA), {"version": SCHEMA_VERSION, "head": "", "unchained": 0})
            elif version == 1:
                self._chain_from_now(connection)
        if version not in (None, 1, SCHEMA_VERSION):
            raise BadInput(
                f"The ledger {self._where} has schema version {version}, this dateline reads version {SCHEMA_VERSION}; "
                "use the dateline that wrote it, or export there and import here."
            )

    def _chain_from_now(self, connection: sql.Connection) -> None:
        """Make room for hashes in a ledger that has none."""
        for column in (_OPERATIONS.c.hash, _SCHEMA.c.head, _SCHEMA.c.unchained):
            kind = column.type.compile(connection.dialect)
            connection.exec_driver_sql(f"ALTER TABLE {column.table.name} ADD COLUMN {column.name} {kind}")
        before = _last(connection)
        connection.execute(sql.update(_SCHEMA), {"version": SCHEMA_VERSION, "head": "", "unchained": before})
        _LOG.warning(
            "The ledger %s has %d entries without hashes; from now on entries are chained.", self._where, before
        )

    def _check_held(self) -> None:
        if self._file is not None and self._held is not None and identity(self._file) != self._held:
            raise StoreFailed(
                f"The ledger {self._where} is no longer the file that was opened: it or its folder was deleted, moved or "
                "replaced, so nothing is read or stored there; open the store again."
            )

    @contextmanager
    def _writing(self, verb: str = "written") -> Iterator[sql.Connection]:
        with self._told_in_one_sentence(verb), self._engine.begin() as connection:
            self._check_held()
            if connection.dialect.name == "postgresql":
                connection.execute(sql.select(sql.func.pg_advisory_xact_lock(_WRITER_LOCK)))
            elif connection.dialect.name == "sqlite":
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            yield connection
            self._check_held()

    @contextmanager
    def _reading(self) -> Iterator[sql.Connection]:
        self._check_held()
        with self._told_in_one_sentence("read"), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def _told_in_one_sentence(self, verb: str) -> Iterator[None]:
        try:
            yield
        except (SQLAlchemyError, OSError) as cause:
            told = str(getattr(cause, "strerror", None) or getattr(cause, "orig", None) or cause)
            reason = without_secrets(told.strip().splitlines()[0])
            raise StoreFailed(
                f"The ledger {self._where} could not be {verb} ({reason}); what was acknowledged before is safe, "
                "and the same call can be tried again."
            ) from cause


class _SqlNotes(Notes):
    """Notes in the ledger's own database."""

    def __init__(self, ledger: SqlLedger) -> None:
        self._ledger = ledger

    def write(self, topic: Topic, notes: Mapping[str, str]) -> None:
        with self._ledger._writing() as connection:
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

    def read(self, topic: Topic, key: str) -> str | None:
        query = sql.select(_NOTES.c.text).where(_NOTES.c.topic == topic, _NOTES.c.key == key)
        with self._ledger._reading() as connection:
            return connection.execute(query).scalar()

    def all(self, topic: Topic) -> dict[str, str]:
        query = sql.select(_NOTES.c.key, _NOTES.c.text).where(_NOTES.c.topic == topic).order_by(_NOTES.c.place)
        with self._ledger._reading() as connection:
            return {str(key): str(text) for key, text in connection.execute(query)}


def _engine(url: str, *, timeout: float) -> sql.Engine:
    try:
        parsed = sql.make_url(url)
        if parsed.get_backend_name() == "sqlite":
            engine = sql.create_engine(parsed, connect_args={"timeout": timeout})
            sql.event.listen(engine, "connect", _prepare_sqlite)
            return engine
        return sql.create_engine(parsed, pool_pre_ping=True)
    except ModuleNotFoundError as cause:
        raise MissingExtra(str(cause.name), extra="postgres") from cause
    except SQLAlchemyError as cause:
        raise BadInput(
            "Cannot read the ledger's URL; write a folder, sqlite:///PATH or postgresql+psycopg://USER@HOST/NAME."
        ) from cause


def _sqlite_file(url: sql.URL) -> Path | None:
    """Return the file behind a SQLite URL, or `None`.

    There is none for memory, a `file:` name or another database.
    """
    name = url.database or ""
    on_disk = url.get_backend_name() == "sqlite" and name not in ("", ":memory:") and not name.startswith("file:")
    return Path(name) if on_disk else None


def _prepare_sqlite(connection: Any, _: object) -> None:
    connection.isolation_level = None  # transactions are begun explicitly, see `_writing`
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")


def _last(connection: sql.Connection) -> int:
    return connection.execute(_LAST).scalar() or 0


def _row(entry: LedgerEntry, id: str) -> dict[str, Any]:
    operation = entry.operation
    more: dict[str, Any] = {}
    if operation.facts:
        more["fact"] = operation.facts[0].model_dump(mode="json", exclude_defaults=True)
    if operation.rests_on:
        more["rests_on"] = operation.rests_on
    if operation.origin:
        more["origin"] = operation.origin
    if operation.channel:
        more["channel"] = operation.channel
    if operation.reason:
        more["reason"] = operation.reason
    when = operation.when
    return {
        "sequence": entry.sequence,
        "id": id,
        "document": operation.document,
        "revision": operation.revision,
        "kind": operation.kind,
        "fact": operation.assertions[0].fact_id if operation.assertions else None,
        "dated": when is not None,
        "starts": None if when is None else when.start,
        "ends": None if when is None else when.end,
        "granularity": None if when is None else when.granularity,
        "known_at": microseconds(operation.known_at),
        "more": json.dumps(more) if more else None,
    }


def _entry(row: Any) -> LedgerEntry:
    # Unpacked rather than asked by name: a large store reads a million of these while opening.
    sequence, _, document, revision, kind, fact_id, dated, starts, ends, granularity, known_at, stored = row
    more = json.loads(stored) if stored else {}
    fields: dict[str, Any] = {
        "document": document,
        "revision": revision,
        "when": Interval(starts, ends, granularity) if dated else None,
        "known_at": moment(known_at),
        "rests_on": tuple(FactSource(*source) for source in more.get("rests_on", ())),
        "origin": more.get("origin", ""),
        "channel": more.get("channel", ""),
        "reason": more.get("reason", ""),
    }
    match kind:
        case "add":
            operation: Operation = AddFact(**fields, fact=_fact(more["fact"]))
        case "reinforce":
            operation = Reinforce(**fields, fact_id=fact_id)
        case "make_false":
            operation = MakeFalse(**fields, fact_id=fact_id)
        case "rewrite":
            operation = Rewrite(**fields, fact_id=fact_id, into=_fact(more["fact"]))
        case _:
            operation = UndoDocument(**fields)
    return LedgerEntry(sequence, operation)


def _fact(stored: dict[str, Any]) -> Fact:
    validity = stored.get("validity")
    return Fact.model_construct(
        id=stored["id"],
        text=stored["text"],
        validity=None if validity is None else Interval.from_json(validity),
        tags=tuple(stored.get("tags", ())),
    )
