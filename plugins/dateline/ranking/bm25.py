"""BM25 (Robertson and Zaragoza, 2009) with precomputed term weights."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dateline.stopping import until_stopped
from dateline.text.words import content_words

K1 = 1.2
B = 0.75
"""The usual saturation and length normalisation (Robertson and Zaragoza, 2009, section 4.5)."""


@dataclass(frozen=True)
class Bm25:
    """A BM25 index over texts.

    Example:
        >>> index = Bm25.build(["the observatory opened", "the ferry runs"])
        >>> top(index.scores("observatory"), 1).tolist()
        [0]
    """

    size: int
    terms: dict[str, int]
    bounds: NDArray[np.int64]
    texts: NDArray[np.int32]
    weights: NDArray[np.float32]
    idf: NDArray[np.float32]

    @classmethod
    def build(cls, texts: Iterable[str]) -> Bm25:
        """Index the texts under their positions."""
        terms: dict[str, int] = {}
        rows, columns, counts, lengths = array("i"), array("i"), array("i"), array("i")
        for number, text in enumerate(until_stopped(texts)):
            found = content_words(text)
            lengths.append(len(found))
            for term, count in Counter(found).items():
                rows.append(terms.setdefault(term, len(terms)))
                columns.append(number)
                counts.append(count)
        return _index(terms, *(np.array(numbers, dtype=np.int32) for numbers in (rows, columns, counts, lengths)))

    def scores(self, query: str) -> NDArray[np.float32]:
        """Return every text's score, shape (size,); a repeated term counts once."""
        scores = np.zeros(self.size, dtype=np.float32)
        for term in set(content_words(query)):
            if (number := self.terms.get(term)) is not None:
                postings = slice(self.bounds[number], self.bounds[number + 1])
                scores[self.texts[postings]] += self.weights[postings]
        return scores

    def rarity(self, term: str) -> float:
        """Return a stemmed term's inverse document frequency, highest for unseen terms."""
        number = self.terms.get(term)
        return float(self.idf[number]) if number is not None else float(np.log1p((self.size + 0.5) / 0.5))


def _index(
    terms: dict[str, int],
    rows: NDArray[np.int32],
    columns: NDArray[np.int32],
    counts: NDArray[np.int32],
    lengths: NDArray[np.int32],
) -> Bm25:
    order = np.argsort(rows, kind="stable")
    frequency = np.bincount(rows, minlength=len(terms))
    idf = np.log1p((len(lengths) - frequency + 0.5) / (frequency + 0.5)).astype(np.float32)
    mean = lengths.mean() if len(lengths) and lengths.any() else 1.0
    norm = K1 * (1 - B + B * lengths / mean)
    weights = idf[rows] * counts * (K1 + 1) / (counts + norm[columns])
    return Bm25(
        size=len(lengths),
        terms=terms,
        bounds=np.concatenate([[0], np.cumsum(frequency)]).astype(np.int64),
        texts=columns[order],
        weights=weights[order].astype(np.float32),
        idf=idf,
    )


def top(scores: NDArray[np.floating[Any]], k: int) -> NDArray[np.int64]:
    """Return the `k` highest scores' positions, best first, ties in order."""
    if k >= len(scores):
        return np.argsort(-scores, kind="stable")
    # Everything that ties with the k-th stays in until positions decide.
    threshold = np.partition(scores, len(scores) - k)[len(scores) - k] if k > 0 else np.inf
    candidates = np.flatnonzero(scores >= threshold)
    return candidates[np.argsort(-scores[candidates], kind="stable")][:k]
