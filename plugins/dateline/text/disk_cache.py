"""Embeddings cached on disk, so that a corpus is embedded once."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from langchain_core.embeddings import Embeddings
from numpy.typing import NDArray

from dateline.text.array_embeddings import ArrayEmbeddingsBase
from dateline.text.blob_cache import BlobCache
from dateline.text.cache_folder import cache_folder
from dateline.text.embeddings import embed

SIZE = 2 * 2**30
"""Bytes of one model's vectors: room for a million sentences of MiniLM, about 100,000 passages."""

_CHUNK = 2048


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
        self.name = name
        # A folder of its own may hold another model's vectors under the same name.
        self.kept_as = name if folder is None else f"{name} in {folder.absolute()}"
        self._inner = embeddings
        self._progress = progress
        digest = hashlib.sha256(name.encode()).hexdigest()[:12]
        self._kept = BlobCache((folder or cache_folder()) / f"vectors-{digest}.sqlite", size=size)

    def embed_array(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return vectors of length 1, of shape (len(texts), dimensions).

        Equal texts are embedded once.
        """
        keys = [hashlib.blake2b(text.encode(errors="replace"), digest_size=16).digest() for text in texts]
        known = {key: np.frombuffer(vector, dtype=np.float32) for key, vector in self._kept.read(keys).items()}
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        # Longest first, as the encoder batches them; chunks bound what an interruption loses.
        ordered = sorted(missing.items(), key=lambda item: -len(item[1]))
        for start in range(0, len(ordered), _CHUNK):
            chunk = ordered[start : start + _CHUNK]
            vectors = embed([text for _, text in chunk], embeddings=self._inner)
            fresh = {key: vector for (key, _), vector in zip(chunk, vectors, strict=True)}
            self._kept.write({key: vector.astype(np.float32).tobytes() for key, vector in fresh.items()})
            known.update(fresh)
            if self._progress is not None:
                self._progress(min(start + _CHUNK, len(ordered)), len(ordered))
        if not texts:
            return embed([], embeddings=self._inner)
        return np.stack([known[key] for key in keys])

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of one text, without caching it."""
        return self._inner.embed_query(text)
