"""The SQLite file of an index: its connections, its writer, its damage."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Lock, RLock
from typing import Any
from urllib.parse import quote

from dateline.errors import BadInput, StoreFailed
from dateline.files import identity, make_file, make_folder
from dateline.text.cache_folder import cache_folder

MARK = 0x646C6978
"""The `application_id` of an index: it stands in the file's first bytes, which damage mostly leaves."""

_TABLES = {"about", "parts", "passages", "vectors", "segments", "postings", "gone", "sqlite_sequence"}
"""All tables of an index; one that was made before there was a mark is known by them."""


class DamagedIndex(Exception):
    """A file that is no index, or not whole."""


class SqliteFile:
    """A file that many read while one writes.

    Args:
        path: the file; made where there is none.
        replaced: called when another file has taken its place.

    Raises:
        BadInput: as `check_index`.
    """

    def __init__(self, path: Path, *, replaced: Callable[[], None]) -> None:
        self.path, self._replaced = path, replaced
        self._idle: list[sqlite3.Connection] = []
        self._lock, self._writer = Lock(), RLock()
        check_index(path)
        make_folder(path.parent)
        make_file(path)
        self._identity = identity(path)

    @contextmanager
    def writing(self, *, wait: float) -> Iterator[None]:
        """Become the one who writes."""
        # A lock that the system lets go of when its process dies, on every system.
        place = self.path.with_name(f"{self.path.name}.lock")
        make_file(place)
        if not self._writer.acquire(timeout=wait):
            raise _busy(self.path)
        try:
            with closing(sqlite3.connect(place, timeout=wait, isolation_level=None, check_same_thread=False)) as lock:
                try:
                    lock.execute("BEGIN EXCLUSIVE")
                except sqlite3.OperationalError as error:
                    raise _busy(self.path) from error
                yield
        finally:
            self._writer.release()

    def close(self) -> None:
        """Let go of what is not in use."""
        with self._lock:
            while self._idle:
                self._idle.pop().close()

    def connect(self) -> sqlite3.Connection:
        """Open the file once more."""
        connection = sqlite3.connect(self.path, timeout=60, isolation_level=None, check_same_thread=False)
        with suppress(sqlite3.OperationalError):
            # Another process that makes the file at this moment does it.
            connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        return connection

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Read one state of the store, whatever is written meanwhile."""
        with damage_told(self.path):
            if (file := identity(self.path)) != self._identity:
                self._reopen(file)
            with self._lock:
                connection = self._idle.pop() if self._idle else None
            connection = connection or self.connect()
            try:
                connection.execute("BEGIN")
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                connection.close()
                raise
            with self._lock:
                self._idle.append(connection)

    def _reopen(self, file: tuple[int, int] | None) -> None:
        if file is None:
            raise DamagedIndex(f"{self.path} is gone")
        self.close()
        self._identity = file
        self._replaced()

    @contextmanager
    def changing(self) -> Iterator[sqlite3.Connection]:
        """Change the file, wholly or not at all."""
        with damage_told(self.path), closing(self.connect()) as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            if connection.in_transaction:
                connection.execute("COMMIT")


def _busy(path: Path) -> StoreFailed:
    return StoreFailed(f"Another process is writing {str(path)!r}; wait until it is done.")


@contextmanager
def damage_told(path: Path) -> Iterator[None]:
    """Raise `DamagedIndex` for what only a damaged file causes."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if "no such" in str(error):
            raise DamagedIndex(f"{path}: {error}") from error
        raise StoreFailed(f"The index {str(path)!r} cannot be used: {error}.") from error
    except (sqlite3.DatabaseError, ValueError, KeyError, TypeError) as error:
        if isinstance(error, BadInput):
            raise
        raise DamagedIndex(f"{path}: {error}") from error


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
    return sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode=ro", timeout=60, uri=True)


def remove_store(path: Path) -> None:
    """Delete an index's files but its lock, which others may hold.

    Raises:
        BadInput: as `check_index`.
    """
    check_index(path)
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
        with suppress(FileNotFoundError):
            path.with_name(name).unlink()
