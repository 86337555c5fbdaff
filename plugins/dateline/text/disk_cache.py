"""Embeddings cached on disk, so that a corpus is embedded once."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from math import ceil
from pathlib import Path

import numpy as np
from langchain_core.embeddings import Embeddings
from numpy.typing import NDArray

from dateline.errors import BadInput
from dateline.files import make_file, make_folder
from dateline.text.array_embeddings import ArrayEmbeddingsBase
from dateline.text.cache_folder import cache_folder
from dateline.text.embeddings import embed
from dateline.visible import logger

SIZE = 2 * 2**30
"""Bytes of one model's vectors: room for a million sentences of MiniLM, about 100,000 passages."""

_CHUNK = 2048
_MAX_VARIABLES = 900
_SPARE = 0.1
"""Share of the size that is freed at once, so that not each new vector has to look for room; chosen by hand."""

_SCHEMA = """
DROP TABLE IF EXISTS vectors;
CREATE TABLE IF NOT EXISTS kept (id INTEGER PRIMARY KEY, key BLOB UNIQUE, vector BLOB);
"""
"""`vectors` is a table without a bound that earlier versions wrote."""

_LOG = logger(__name__)


class CachedEmbeddings(ArrayEmbeddingsBase):
    """Embeddings with a disk cache of a bounded size.

    Several processes may share it. What was asked for least recently goes first. A cache that cannot be read or written is no
    error: the vectors are computed.

    Args:
        embeddings: computes the vectors that are not there yet.
        name: the model's name; vectors of different names never mix.
        folder: where to keep them; by default the user's cache.
        size: bytes of the file at most.
        progress: called as progress(done, total) while new vectors are computed.

    Raises:
        BadInput: when `size` is below 1.

    Example:
        >>> from pathlib import Path
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> cached = CachedEmbeddings(LexicalEmbeddings(), name="lexical", folder=Path("vectors"))
        >>> len(cached.embed_query("an old museum"))
        1024
    """

    def __init__(
        self,
        embeddings: Embeddings,
        *,
        name: str,
        folder: Path | None = None,
        size: int = SIZE,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        if size < 1:
            raise BadInput(f"The cache's size must be at least 1 byte, not {size}.")
        self.name = self.kept_as = name
        self._size = size
        self._inner = embeddings
        self._progress = progress
        digest = hashlib.sha256(name.encode()).hexdigest()[:12]
        self._path = (folder or cache_folder()) / f"vectors-{digest}.sqlite"

    def embed_array(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return vectors of length 1, of shape (len(texts), dimensions).

        Equal texts are embedded once.
        """
        keys = [hashlib.blake2b(text.encode(errors="replace"), digest_size=16).digest() for text in texts]
        known = self._read(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        # Longest first, as the encoder batches them; chunks bound what an interruption loses.
        ordered = sorted(missing.items(), key=lambda item: -len(item[1]))
        for start in range(0, len(ordered), _CHUNK):
            chunk = ordered[start : start + _CHUNK]
            vectors = embed([text for _, text in chunk], embeddings=self._inner)
            fresh = {key: vector for (key, _), vector in zip(chunk, vectors, strict=True)}
            self._write(fresh)
            known.update(fresh)
            if self._progress is not None:
                self._progress(min(start + _CHUNK, len(ordered)), len(ordered))
        if not texts:
            return embed([], embeddings=self._inner)
        return np.stack([known[key] for key in keys])

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of one text, without caching it."""
        return self._inner.embed_query(text)

    def _read(self, keys: Sequence[bytes]) -> dict[bytes, NDArray[np.float32]]:
        found: dict[bytes, NDArray[np.float32]] = {}
        wanted, places = list(dict.fromkeys(keys)), dict[int, bytes]()

        def read(connection: sqlite3.Connection) -> None:
            for start in range(0, len(wanted), _MAX_VARIABLES):
                part = wanted[start : start + _MAX_VARIABLES]
                marks = ",".join("?" * len(part))
                rows = connection.execute(f"SELECT id, key, vector FROM kept WHERE key IN ({marks})", part)
                for place, key, vector in rows:
                    found[key], places[place] = np.frombuffer(vector, dtype=np.float32), key
            if places and _bytes(connection) > self._size / 2:
                self._renew(connection, places)

        self._try(read)
        return found

    def _renew(self, connection: sqlite3.Connection, places: dict[int, bytes]) -> None:
        """Put what was asked for behind the rest.

        Only the older half moves, so that reading seldom writes.
        """
        oldest, latest = connection.execute("SELECT min(id), max(id) FROM kept").fetchone()
        older = [(key,) for place, key in sorted(places.items()) if place < (oldest + latest) / 2]
        if older:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany("UPDATE kept SET id = (SELECT max(id) + 1 FROM kept) WHERE key = ?", older)
            connection.execute("COMMIT")

    def _write(self, vectors: dict[bytes, NDArray[np.float32]]) -> None:
        rows = [(key, vector.astype(np.float32).tobytes()) for key, vector in vectors.items()]
        room = sum(_bytes_of(vector) for _, vector in rows)

        def write(connection: sqlite3.Connection) -> None:
            connection.execute("BEGIN IMMEDIATE")
            if (used := _bytes(connection)) + room > self._size:
                self._forget(connection, share=(used + room - self._size * (1 - _SPARE)) / used)
            if _bytes(connection) + room <= self._size:
                connection.executemany("INSERT OR IGNORE INTO kept (key, vector) VALUES (?, ?)", rows)
            connection.execute("COMMIT")
            if _bytes(connection, free=True) > self._size:
                connection.execute("VACUUM")

        self._try(write)

    def _forget(self, connection: sqlite3.Connection, *, share: float) -> None:
        """Delete a share of the rows, the oldest."""
        (count,) = connection.execute("SELECT count(*) FROM kept").fetchone()
        oldest = "SELECT id FROM kept ORDER BY id LIMIT ?"
        connection.execute(f"DELETE FROM kept WHERE id IN ({oldest})", [ceil(count * min(1.0, share))])

    def _try(self, work: Callable[[sqlite3.Connection], None]) -> None:
        try:
            make_folder(self._path.parent)
            make_file(self._path)
            with closing(sqlite3.connect(self._path, timeout=60, isolation_level=None)) as connection:
                connection.executescript(_SCHEMA)
                work(connection)
        except (sqlite3.Error, OSError) as error:
            _LOG.warning("The vectors in %s cannot be kept: %s", self._path, error)


def _bytes(connection: sqlite3.Connection, *, free: bool = False) -> int:
    """Return the bytes of a file that are used, or all."""
    pages, size, unused = (
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size", "freelist_count")
    )
    return int((pages if free else pages - unused) * size)


def _bytes_of(vector: bytes) -> int:
    """Return the bytes of one row.

    The key, its index and the empty rest of a page count too.
    """
    return len(vector) * 3 // 2 + 200
