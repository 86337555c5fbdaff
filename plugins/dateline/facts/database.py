"""Database behind a ledger: SQLite, or another by URL."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from threading import local
from typing import Any

import sqlalchemy as sql
from sqlalchemy.exc import SQLAlchemyError

from dateline.databases import open_engine, with_driver
from dateline.errors import BadInput, StoreFailed
from dateline.files import identity, make_file
from dateline.secrets import first_line

_WRITER_LOCK = 0x61736F66
"""Key of PostgreSQL's advisory lock ("dateline" in ASCII): one writer at a time, so places appear in order."""


class Database:
    """Connections of one store; every failure is told in one sentence.

    Args:
        url: as SQLAlchemy reads it.
        timeout: seconds that a writer of SQLite waits for another, and the wiping of PostgreSQL's tables for readers.

    Attributes:
        where: the URL without its password.
        file: SQLite's file, where there is one.
    """

    def __init__(self, url: str, *, timeout: float) -> None:
        self._timeout = timeout
        self.engine = _engine(url, timeout=timeout)
        self.where = self.engine.url.render_as_string(hide_password=True)
        self.file = _sqlite_file(self.engine.url)
        self._held: tuple[int, int] | None = None
        self._thread = local()

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(Database, self.address(), timeout=self._timeout), ()

    def address(self) -> str:
        """Return the URL by which another process opens the same.

        Raises:
            BadInput: for a database in memory.
        """
        url = self.engine.url
        if self.file is not None:
            url = url.set(database=str(self.file.absolute()))
        elif self.dialect == "sqlite":
            raise BadInput("A ledger in memory stays in its process; keep it in a file, such as sqlite:///facts.db.")
        return url.render_as_string(hide_password=False)

    @property
    def dialect(self) -> str:
        return self.engine.dialect.name

    def make(self) -> None:
        """Make SQLite's file where it is missing."""
        with self.told_in_one_sentence("opened"):
            if self.file is not None:
                make_file(self.file)

    def hold(self) -> None:
        """Note which file was opened: none other is ever written."""
        self._held = None if self.file is None else identity(self.file)

    def check_held(self) -> None:
        """Raise `StoreFailed` when the file is no longer the one opened."""
        if self.file is not None and self._held is not None and identity(self.file) != self._held:
            raise StoreFailed(
                f"The ledger {self.where} is no longer the file that was opened: it or its folder was deleted, moved or "
                "replaced, so nothing is read or stored there; open the store again."
            )

    @property
    def joined(self) -> sql.Connection | None:
        """The transaction that this thread is inside of."""
        connection: sql.Connection | None = getattr(self._thread, "connection", None)
        return connection

    @contextmanager
    def together(self, verb: str = "written") -> Iterator[sql.Connection]:
        """Open a transaction that alone may write, or join this thread's.

        All that the thread reads and writes inside belongs to it.
        """
        if self.joined is not None:
            yield self.joined
            return
        with ExitStack() as inside:
            with self.told_in_one_sentence(verb):
                connection = inside.enter_context(self.engine.connect())
                self.check_held()
                if self.dialect == "postgresql":
                    connection.execute(sql.select(sql.func.pg_advisory_xact_lock(_WRITER_LOCK)))
                elif self.dialect == "sqlite":
                    connection.exec_driver_sql("BEGIN IMMEDIATE")
            inside.callback(setattr, self._thread, "connection", None)
            self._thread.connection = connection
            yield connection
            with self.told_in_one_sentence(verb):
                self.check_held()
                connection.commit()

    @contextmanager
    def writing(self, verb: str = "written") -> Iterator[sql.Connection]:
        """Work `together`, with all failures those of the database."""
        with self.together(verb) as connection, self.told_in_one_sentence(verb):
            yield connection

    @contextmanager
    def reading(self) -> Iterator[sql.Connection]:
        """Open a connection; each statement sees what was written last."""
        self.check_held()
        with self.told_in_one_sentence("read"), ExitStack() as own:
            yield self.joined or own.enter_context(self.engine.connect())

    def snapshot(self) -> sql.Connection:
        """Open a connection that sees one state from each `renew` on.

        The caller closes it.
        """
        self.check_held()
        with self.told_in_one_sentence("read"):
            connection = self.engine.connect()
            if self.dialect == "postgresql":
                return connection.execution_options(isolation_level="REPEATABLE READ")
            return connection

    def renew(self, connection: sql.Connection) -> None:
        """Let a snapshot see what was written last."""
        with self.told_in_one_sentence("read"):
            if connection.in_transaction():
                connection.rollback()
            if self.file is not None:
                connection.exec_driver_sql("BEGIN")

    def scrub(self, tables: Sequence[str]) -> None:
        """Write tables anew, so that no page holds what was deleted.

        SQLite writes all of its file anew.

        Raises:
            StoreFailed: while another process reads on; the same call can be tried again.
        """
        self.check_held()
        with self.told_in_one_sentence("wiped"), self.engine.connect() as connection:
            if self.dialect == "postgresql":
                self._vacuum(connection.execution_options(isolation_level="AUTOCOMMIT"), tables)
            elif self.file is not None:
                connection.exec_driver_sql("VACUUM")
                busy, *_ = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()
                if busy:
                    raise OSError("another process reads it")

    def _vacuum(self, connection: sql.Connection, tables: Sequence[str]) -> None:
        connection.detach()  # no other use of it shall have the limit
        connection.exec_driver_sql(f"SET lock_timeout = {int(1_000 * self._timeout)}")
        there = set(sql.inspect(connection).get_table_names())
        # Without a name every table of the database would be locked and written anew, whoever owns it.
        for table in (each for each in tables if each in there):
            connection.exec_driver_sql(f"VACUUM FULL {table}")

    @contextmanager
    def told_in_one_sentence(self, verb: str) -> Iterator[None]:
        """Raise `StoreFailed` for every failure of the database inside."""
        try:
            yield
        except (SQLAlchemyError, OSError) as cause:
            told = first_line(getattr(cause, "strerror", None) or getattr(cause, "orig", None) or cause)
            raise StoreFailed(
                f"The ledger {self.where} could not be {verb} ({told}); what was acknowledged before is safe, "
                "and the same call can be tried again."
            ) from cause


def _engine(url: str, *, timeout: float) -> sql.Engine:
    try:
        parsed = with_driver(sql.make_url(url))
        if parsed.get_backend_name() == "sqlite":
            engine = open_engine(parsed, timeout=timeout)
            sql.event.listen(engine, "connect", _prepare_sqlite)
            return engine
        return open_engine(parsed, pool_pre_ping=True)
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
    connection.isolation_level = None  # transactions are begun explicitly, see `Database.writing`
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA secure_delete = ON")
