"""The SQLite file of an index: its connections, its writer, its damage."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock, RLock
from typing import Any, Generic, TypeVar
from urllib.parse import quote

from dateline.errors import BadInput, StoreFailed
from dateline.files import identity, make_file, make_folder
from dateline.text.cache_folder import cache_folder

K = TypeVar("K")

MARK = 0x646C6978
"""The `application_id` of an index: it stands in the file's first bytes, which damage mostly leaves."""

WAIT_SECONDS = 60.0
"""How long a writer waits for another."""

_TABLES = {"about", "parts", "passages", "vectors", "segments", "postings", "gone", "sqlite_sequence"}
"""All tables of an index; one that was made before there was a mark is known by them."""


class DamagedIndex(StoreFailed):
    """A file that is no index, or not whole."""

    @classmethod
    def of(cls, path: Path, told: object) -> DamagedIndex:
        """Say which file it is, and what is wrong."""
        return cls(f"The index {str(path)!r} is damaged: {told}.")


@dataclass(eq=False)
class _OpenFile(Generic[K]):
    """A file that lay at the path, with all its own.

    Attributes:
        identity: which file it is.
        known: what was read of it.
        idle: connections to it that nobody uses.
    """

    identity: tuple[int, int] | None
    known: K
    idle: list[sqlite3.Connection] = field(default_factory=list)

    def close(self) -> None:
        while self.idle:
            self.idle.pop().close()


class SqliteFile(Generic[K]):
    """A file that many read while one writes, and another may replace.

    Args:
        path: the file; made where there is none.
        known: makes what keeps what was read, empty, for each file that comes to lie there.

    Raises:
        BadInput: as `check_index`.
    """

    def __init__(self, path: Path, *, known: Callable[[], K]) -> None:
        self.path, self._known = path, known
        self._lock, self._writer = Lock(), RLock()
        check_index(path)
        make_folder(path.parent)
        make_file(path)
        self._file = _OpenFile(identity(path), known())

    @contextmanager
    def writing(self, *, wait: float) -> Iterator[None]:
        """Become the one who writes."""
        if not self._writer.acquire(timeout=wait):
            raise _busy(self.path)
        try:
            with held_for_writing(self.path, wait=wait):
                yield
        finally:
            self._writer.release()

    def close(self) -> None:
        """Let go of what is not in use."""
        with self._lock:
            self._file.close()

    def connect(self) -> sqlite3.Connection:
        """Open the file once more."""
        connection = sqlite3.connect(self.path, timeout=60, isolation_level=None, check_same_thread=False)
        with suppress(sqlite3.OperationalError):
            # Another process that makes the file at this moment does it.
            connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        return connection

    def reading(self) -> AbstractContextManager[tuple[sqlite3.Connection, K]]:
        """Read one state of the store, whatever is written meanwhile."""
        return self._using("BEGIN")

    def changing(self) -> AbstractContextManager[tuple[sqlite3.Connection, K]]:
        """Change the file, wholly or not at all."""
        return self._using("BEGIN IMMEDIATE")

    @contextmanager
    def _using(self, begin: str) -> Iterator[tuple[sqlite3.Connection, K]]:
        with damage_told(self.path):
            file, connection = self._taken()
            try:
                connection.execute(begin)
                yield connection, file.known
                if connection.in_transaction:
                    connection.execute("COMMIT")
            except BaseException:
                connection.close()
                raise
            self._put_back(file, connection)

    def _taken(self) -> tuple[_OpenFile[K], sqlite3.Connection]:
        """Take a connection to the file that lies there now."""
        while (taken := self._tried()) is None:
            pass
        return taken

    def _tried(self) -> tuple[_OpenFile[K], sqlite3.Connection] | None:
        """Take a connection, unless the file is replaced meanwhile."""
        with self._lock:
            file = self._present()
            if file.idle:
                return file, file.idle.pop()
        connection = self.connect()
        if identity(self.path) == file.identity:
            return file, connection
        connection.close()
        return None

    def _present(self) -> _OpenFile[K]:
        found = identity(self.path)
        if found is None:
            raise DamagedIndex.of(self.path, "it is gone")
        if found != self._file.identity:
            self._file.close()
            self._file = _OpenFile(found, self._known())
        return self._file

    def _put_back(self, file: _OpenFile[K], connection: sqlite3.Connection) -> None:
        with self._lock:
            if file is self._file:
                file.idle.append(connection)
                return
        connection.close()


@contextmanager
def held_for_writing(path: Path, *, wait: float = WAIT_SECONDS) -> Iterator[None]:
    """Keep all other writers from a file, there or not.

    Raises:
        StoreFailed: when another writes for longer than `wait`.
    """
    # A lock that the system lets go of when its process dies, on every system.
    place = path.with_name(f"{path.name}.lock")
    make_file(place)
    with closing(sqlite3.connect(place, timeout=wait, isolation_level=None, check_same_thread=False)) as lock:
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            raise _busy(path) from error
        yield


def _busy(path: Path) -> StoreFailed:
    return StoreFailed(f"Another process is writing {str(path)!r}; wait until it is done.")


@contextmanager
def damage_told(path: Path) -> Iterator[None]:
    """Raise `DamagedIndex` where SQLite finds a file damaged."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if any(sign in str(error) for sign in ("no such", "Could not decode")):
            raise DamagedIndex.of(path, error) from error
        raise StoreFailed(f"The index {str(path)!r} cannot be used: {error}.") from error
    except (sqlite3.ProgrammingError, sqlite3.DataError):
        raise  # A value that it was given is at fault, and no file.
    except sqlite3.DatabaseError as error:
        raise DamagedIndex.of(path, error) from error


@contextmanager
def decoding(path: Path) -> Iterator[None]:
    """Raise `DamagedIndex` where stored bytes are not what was written.

    Nothing else belongs inside: an error about anything that was not stored would cost the index.
    """
    try:
        yield
    except (ValueError, LookupError, TypeError) as error:
        raise DamagedIndex.of(path, error) from error


def settings_of(path: Path) -> Mapping[str, Any]:
    """Read the settings of an index; nothing, where it is none."""
    try:
        with closing(_to_read(path)) as connection:
            found = json.loads(connection.execute("SELECT value FROM about WHERE name = 'settings'").fetchone()[0])
    except (sqlite3.Error, ValueError, TypeError):
        return {}
    return found if isinstance(found, dict) else {}


def index_folder() -> Path:
    """Return where indexes lie that nobody gave a place."""
    return cache_folder() / "indexes"


def indexes_of(folder: Path) -> list[Path]:
    """Return a folder's indexes in `index_folder`, of whatever version and settings."""
    found = sorted(index_folder().glob("*.sqlite"))
    return [path for path in found if settings_of(path).get("folder") == str(folder)]


def check_index(path: Path) -> None:
    """Raise `BadInput` for a file that is somebody else's.

    An index may be made, made anew or deleted where nothing is, an empty file, an index, or one of which only the first
    bytes are left; in `index_folder` whatever there is.

    Raises:
        StoreFailed: where that cannot be told.
    """
    if path.absolute().parent != index_folder().absolute() and path.exists() and not _is_ours(path):
        raise BadInput(f"{str(path)!r} is no index; name another file.")


def _is_ours(path: Path) -> bool:
    if not path.is_file():
        return False
    try:
        with damage_told(path), closing(_to_read(path)) as connection:
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            # There are no tables in an empty file, and in one that another process makes at this moment.
            return not tables or tables == _TABLES or connection.execute("PRAGMA application_id").fetchone() == (MARK,)
    except DamagedIndex:
        # Only what SQLite cannot read is opened here: closing it ends the locks that this process holds on it.
        with path.open("rb") as file:
            return file.read(72)[68:] == MARK.to_bytes(4, "big")


def _to_read(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{quote(os.fsencode(path.absolute()))}?mode=ro", timeout=60, uri=True)


def remove_store(path: Path) -> bool:
    """Delete an index's files; return whether there was one.

    Its lock stays, which others may hold.

    Raises:
        BadInput: as `check_index`.
    """
    check_index(path)
    there = path.exists()
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
        with suppress(FileNotFoundError):
            path.with_name(name).unlink()
    return there
