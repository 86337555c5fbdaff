"""Embeddings cached in memory for several stages of one answer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from langchain_core.embeddings import Embeddings
from numpy.typing import NDArray

from dateline.errors import check_least
from dateline.latest import Latest
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
        check_least(1, size=size)
        self.name = str(getattr(embeddings, "name", type(embeddings).__name__))
        self.kept_as = getattr(embeddings, "kept_as", None)
        self._inner = embeddings
        self._vectors = Latest[str, NDArray[np.float32]](size=size)

    def embed_array(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return vectors of length 1, of shape (len(texts), dimensions)."""
        known = {text: vector for text in set(texts) if (vector := self._vectors.get(text)) is not None}
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        if missing or not texts:
            vectors = embed(missing, embeddings=self._inner)
            if not texts:
                return vectors
            # Copies, since a row would keep the vectors of all these texts alive.
            known.update((text, vector.copy()) for text, vector in zip(missing, vectors, strict=True))
        for text, vector in known.items():
            self._vectors.put(text, vector)
        return np.stack([known[text] for text in texts])
