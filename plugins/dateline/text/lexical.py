"""Embeddings out of nothing but the letters: hashed words and character n-grams."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dateline.errors import check_least
from dateline.stopping import until_stopped
from dateline.text.array_embeddings import ArrayEmbeddingsBase
from dateline.text.embeddings import unit_length
from dateline.text.words import STOPWORDS, stem, words

_WORD_WEIGHT = 1.0
_PAIR_WEIGHT = 0.5
_GRAM_WEIGHT = 0.35
_STOPWORD_WEIGHT = 0.1
_GRAM = 4


class LexicalEmbeddings(ArrayEmbeddingsBase):
    """Deterministic embeddings from hashed words and character n-grams.

    Texts are close when they share words, word pairs or parts of words. Every feature is hashed to a place and a sign;
    there are no document frequencies, so a text's vector never depends on other texts. Vectors have length 1, also the
    one that all texts without words share: some stores divide by it.

    Raises:
        BadInput: when `dimensions` is below 64.

    Example:
        >>> LexicalEmbeddings(dimensions=64).name
        'lexical-64'
    """

    def __init__(self, *, dimensions: int = 1024) -> None:
        check_least(64, dimensions=dimensions)
        self.dimensions = dimensions
        self.name = f"lexical-{dimensions}"
        self.kept_as = self.name if type(self) is LexicalEmbeddings else None  # nobody knows what a subclass changes

    def embed_array(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return vectors of shape (len(texts), dimensions)."""
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in until_stopped(zip(vectors, texts, strict=True)):
            for feature, weight in _features(text):
                place, sign = _place(feature)
                row[place % self.dimensions] += sign * weight
        vectors[~vectors.any(axis=1), 0] = 1.0
        return unit_length(vectors)


def _features(text: str) -> Iterator[tuple[str, float]]:
    previous = ""
    for word in words(text):
        if word in STOPWORDS:
            yield f"w {word}", _STOPWORD_WEIGHT
            continue
        root = stem(word)
        yield f"w {root}", _WORD_WEIGHT
        if previous:
            yield f"p {previous} {root}", _PAIR_WEIGHT
        previous = root
        padded = f"<{root}>"
        if len(padded) > _GRAM:
            weight = _GRAM_WEIGHT / (len(padded) - _GRAM + 1) ** 0.5
            for start in range(len(padded) - _GRAM + 1):
                yield f"g {padded[start : start + _GRAM]}", weight


@lru_cache(maxsize=1 << 18)
def _place(feature: str) -> tuple[int, float]:
    digest = zlib.crc32(feature.encode(errors="replace"))
    return digest >> 1, 1.0 if digest & 1 else -1.0
