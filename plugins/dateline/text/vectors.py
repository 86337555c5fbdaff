"""Vectors of sentences, each text embedded once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from langchain_core.embeddings import Embeddings
from numpy.typing import NDArray

from dateline.text.embeddings import embed


class Vectors:
    """The vectors of one labelling, each text embedded once."""

    def __init__(self, embeddings: Embeddings) -> None:
        self._embeddings = embeddings
        self._known: dict[str, NDArray[np.float32]] = {}

    def of(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return vectors of length 1, shape (texts, dimensions) or (0, 0)."""
        missing = [text for text in dict.fromkeys(texts) if text not in self._known]
        if missing:
            self._known.update(zip(missing, embed(missing, embeddings=self._embeddings), strict=True))
        return np.stack([self._known[text] for text in texts]) if texts else np.zeros((0, 0), dtype=np.float32)

    def similarities(self, rows: Sequence[str], columns: Sequence[str]) -> NDArray[np.float32]:
        """Return the cosines, shape (rows, columns)."""
        if not rows or not columns:
            return np.zeros((len(rows), len(columns)), dtype=np.float32)
        table: NDArray[np.float32] = self.of(rows) @ self.of(columns).T
        return table
