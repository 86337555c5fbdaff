"""Bytes kept on disk under short keys, up to a size."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from math import ceil
from pathlib import Path

from dateline.errors import BadInput
from dateline.files import make_file, make_folder
from dateline.visible import logger

_MAX_VARIABLES = 900
_SPARE = 0.1
"""Share of the size that is freed at once, so that not each new row has to look for room; chosen by hand."""

_SCHEMA = "CREATE TABLE IF NOT EXISTS kept (id INTEGER PRIMARY KEY, key BLOB UNIQUE, vector BLOB)"
"""The column is named after what files of earlier versions hold."""

_LOG = logger(__name__)


class BlobCache:
    """A file of bytes under keys, of a bounded size.

    Several processes may share it. What was asked for least recently goes first. A file that cannot be read or written is no
    error: nothing is found in it, and that is logged once.

    Args:
        path: an SQLite file, made when it is first needed, for its owner alone.
        size: bytes of the file at most.

    Raises:
        BadInput: when `size` is below 1.

    Example:
        >>> from pathlib import Path
        >>> cache = BlobCache(Path("cache/notes.sqlite"), size=2**20)
        >>> cache.write({b"key": b"value"})
        >>> cache.read([b"key", b"other"])
        {b'key': b'value'}
    """

    def __init__(self, path: Path, *, size: int) -> None:
        if size < 1:
            raise BadInput(f"The cache's size must be at least 1 byte, not {size}.")
        self.path, self._size = path, size
        self._told = False

    def read(self, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """Return what is kept under those of the keys that are known."""
        found: dict[bytes, bytes] = {}
        wanted, places = list(dict.fromkeys(keys)), dict[int, bytes]()

        def read(connection: sqlite3.Connection) -> None:
            for start in range(0, len(wanted), _MAX_VARIABLES):
                part = wanted[start : start + _MAX_VARIABLES]
                marks = ",".join("?" * len(part))
                rows = connection.execute(f"SELECT id, key, vector FROM kept WHERE key IN ({marks})", part)
                for place, key, value in rows:
                    found[key], places[place] = value, key
            if places and _bytes(connection) > self._size / 2:
                self._renew(connection, places)

        self._try(read)
        return found

    def write(self, values: Mapping[bytes, bytes]) -> None:
        """Keep values under their keys, where they fit."""
        room = sum(map(_bytes_of, values.values()))

        def write(connection: sqlite3.Connection) -> None:
            connection.execute("BEGIN IMMEDIATE")
            if (used := _bytes(connection)) + room > self._size:
                self._forget(connection, share=(used + room - self._size * (1 - _SPARE)) / used)
            if _bytes(connection) + room <= self._size:
                connection.executemany("INSERT OR REPLACE INTO kept (key, vector) VALUES (?, ?)", values.items())
            connection.execute("COMMIT")
            self._shrink(connection)

        self._try(write)

    def _renew(self, connection: sqlite3.Connection, places: dict[int, bytes]) -> None:
        """Put what was asked for behind the rest.

        Only the older half moves, so that reading seldom writes.
        """
        # Asked for at once, they would cost a look at every row.
        oldest, latest = connection.execute("SELECT (SELECT min(id) FROM kept), (SELECT max(id) FROM kept)").fetchone()
        older = [(key,) for place, key in sorted(places.items()) if place < (oldest + latest) / 2]
        if older:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany("UPDATE kept SET id = (SELECT max(id) + 1 FROM kept) WHERE key = ?", older)
            connection.execute("COMMIT")
            self._shrink(connection)

    def _shrink(self, connection: sqlite3.Connection) -> None:
        """Give back free pages where the file has outgrown its size."""
        if _bytes(connection, free=True) > self._size:
            connection.execute("VACUUM")

    def _forget(self, connection: sqlite3.Connection, *, share: float) -> None:
        """Delete a share of the rows, the oldest."""
        (count,) = connection.execute("SELECT count(*) FROM kept").fetchone()
        oldest = "SELECT id FROM kept ORDER BY id LIMIT ?"
        connection.execute(f"DELETE FROM kept WHERE id IN ({oldest})", [ceil(count * min(1.0, share))])

    def _try(self, work: Callable[[sqlite3.Connection], None]) -> None:
        try:
            make_folder(self.path.parent)
            make_file(self.path)
            with closing(sqlite3.connect(self.path, timeout=60, isolation_level=None)) as connection:
                connection.execute(_SCHEMA)
                work(connection)
        except (sqlite3.Error, OSError) as error:
            if not self._told:
                _LOG.warning("Nothing can be kept in %s: %s", self.path, error)
            self._told = True


def _bytes(connection: sqlite3.Connection, *, free: bool = False) -> int:
    """Return the bytes of a file that are used, or all."""
    pages, size, unused = (
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size", "freelist_count")
    )
    return int((pages if free else pages - unused) * size)


def _bytes_of(value: bytes) -> int:
    """Return the bytes of one row.

    The key, its index and the empty rest of a page count too.
    """
    return len(value) * 3 // 2 + 200
