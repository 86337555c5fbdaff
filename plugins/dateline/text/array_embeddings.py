"""Base of the embeddings that compute whole arrays."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np
from langchain_core.embeddings import Embeddings
from numpy.typing import NDArray


class ArrayEmbeddingsBase(Embeddings):
    """LangChain's lists out of an `embed_array`.

    Attributes:
        kept_as: the name under which vectors may be kept for other processes; `None`: they may not.
    """

    kept_as: str | None = None

    @abstractmethod
    def embed_array(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return vectors of length 1, of shape (len(texts), dimensions).

        A text without any has zeros.
        """

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return one vector a text."""
        vectors: list[list[float]] = self.embed_array(texts).tolist()
        return vectors

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of one text, the same as for a document."""
        return self.embed_documents([text])[0]
