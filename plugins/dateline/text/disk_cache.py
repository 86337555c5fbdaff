"""Embeddings cached on disk, so that a corpus is embedded once."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
from langchain_core.embeddings import Embeddings
from numpy.typing import NDArray

from dateline.files import make_file, make_folder
from dateline.text.array_embeddings import ArrayEmbeddingsBase
from dateline.text.cache_folder import cache_folder
from dateline.text.embeddings import embed

_CHUNK = 2048
_MAX_VARIABLES = 900


class CachedEmbeddings(ArrayEmbeddingsBase):
    """Embeddings with a disk cache.

    Args:
        embeddings: computes the vectors that are not there yet.
        name: the model's name; vectors of different names never mix.
        folder: where to keep them; by default the user's cache.
        progress: called as progress(done, total) while new vectors are computed.

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
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self.name = name
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

    def _open(self) -> sqlite3.Connection:
        make_folder(self._path.parent)
        make_file(self._path)
        connection = sqlite3.connect(self._path, timeout=60)
        connection.execute("CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB) WITHOUT ROWID")
        return connection

    def _read(self, keys: Sequence[bytes]) -> dict[bytes, NDArray[np.float32]]:
        found: dict[bytes, NDArray[np.float32]] = {}
        wanted = list(dict.fromkeys(keys))
        with closing(self._open()) as connection:
            for start in range(0, len(wanted), _MAX_VARIABLES):
                part = wanted[start : start + _MAX_VARIABLES]
                marks = ",".join("?" * len(part))
                rows = connection.execute(f"SELECT key, vector FROM vectors WHERE key IN ({marks})", part)
                found.update((key, np.frombuffer(vector, dtype=np.float32)) for key, vector in rows)
        return found

    def _write(self, vectors: dict[bytes, NDArray[np.float32]]) -> None:
        with closing(self._open()) as connection, connection:
            connection.executemany(
                "INSERT OR REPLACE INTO vectors VALUES (?, ?)",
                [(key, vector.astype(np.float32).tobytes()) for key, vector in vectors.items()],
            )
