"""Embeddings cached in memory for several stages of one answer."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from typing import Any

import numpy as np
from langchain_core.embeddings import Embeddings
from numpy.typing import NDArray

from dateline.errors import BadInput
from dateline.text.array_embeddings import ArrayEmbeddingsBase
from dateline.text.embeddings import embed


class RememberedEmbeddings(ArrayEmbeddingsBase):
    """Embeddings with an in-memory cache of the latest `size` texts.

    Safe to share between threads.

    Raises:
        BadInput: when `size` is below 1.

    Example:
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> RememberedEmbeddings(LexicalEmbeddings()).embed_array(["a museum"]).shape
        (1, 1024)
    """

    def __init__(self, embeddings: Embeddings, *, size: int = 50_000) -> None:
        if size < 1:
            raise BadInput(f"The number of remembered texts must be at least 1, not {size}.")
        self.name = str(getattr(embeddings, "name", type(embeddings).__name__))
        self.kept_as = getattr(embeddings, "kept_as", None)
        self._inner = embeddings
        self._size = size
        self._vectors: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
        self._lock = Lock()

    def __getstate__(self) -> dict[str, Any]:
        # A lock cannot be sent to another process, and what is remembered need not be.
        return {"name": self.name, "kept_as": self.kept_as, "_inner": self._inner, "_size": self._size}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._vectors = OrderedDict()
        self._lock = Lock()

    def embed_array(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return vectors of length 1, of shape (len(texts), dimensions)."""
        with self._lock:
            known = {text: self._vectors[text] for text in set(texts) if text in self._vectors}
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        if missing or not texts:
            vectors = embed(missing, embeddings=self._inner)
            if not texts:
                return vectors
            # Copies, since a row would keep the vectors of all these texts alive.
            known.update((text, vector.copy()) for text, vector in zip(missing, vectors, strict=True))
        self._remember(known)
        return np.stack([known[text] for text in texts])

    def _remember(self, vectors: dict[str, NDArray[np.float32]]) -> None:
        with self._lock:
            for text, vector in vectors.items():
                self._vectors[text] = vector
                self._vectors.move_to_end(text)
            while len(self._vectors) > self._size:
                self._vectors.popitem(last=False)
