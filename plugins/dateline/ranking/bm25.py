"""BM25 (Robertson and Zaragoza, 2009) with precomputed term weights."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dateline.ranking.groups import bounds_of, joined
from dateline.stopping import until_stopped
from dateline.text.term_ids import Ids, term_id, term_ids
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

    terms: Ids
    bounds: NDArray[np.int64]
    texts: NDArray[np.int32]
    weights: NDArray[np.float32]
    idf: NDArray[np.float32]
    size: int

    @classmethod
    def build(cls, texts: Iterable[str]) -> Bm25:
        """Index the texts under their positions."""
        found = [term_ids(content_words(text)) for text in until_stopped(texts)]
        words, homes = joined(found)
        return cls.of(words, texts=homes, size=len(found))

    @classmethod
    def of(cls, words: Ids, *, texts: NDArray[np.int64], size: int) -> Bm25:
        """Index `size` texts from their content words, each with its text."""
        terms, numbers = np.unique(words, return_inverse=True)
        pairs, counts = np.unique(numbers * size + texts, return_counts=True)
        rows, columns = np.divmod(pairs, max(size, 1))
        lengths, frequency = np.bincount(texts, minlength=size), np.bincount(rows, minlength=len(terms))
        idf = rarities(frequency, size=size)
        return cls(
            terms=terms,
            bounds=bounds_of(frequency),
            texts=columns.astype(np.int32),
            weights=idf[rows] * saturated(counts, norms=length_norms(lengths, mean=len(words) / max(size, 1))[columns]),
            idf=idf,
            size=size,
        )

    @classmethod
    def sampled(
        cls,
        terms: Ids,
        *,
        counts: NDArray[Any],
        lengths: NDArray[Any],
        frequencies: NDArray[Any],
        size: int,
        mean: float,
    ) -> Bm25:
        """Index some of many texts, for some terms.

        Args:
            terms: distinct, ascending.
            counts: how often each term occurs in each text, shape (terms, texts).
            lengths: content words of each text, shape (texts,).
            frequencies: in how many of all texts each term occurs, shape (terms,).
            size: how many texts there are in all.
            mean: content words of all texts' mean.
        """
        rows, columns = np.nonzero(counts)
        idf = rarities(frequencies, size=size)
        return cls(
            terms=terms,
            bounds=bounds_of(np.bincount(rows, minlength=len(terms))),
            texts=columns.astype(np.int32),
            weights=idf[rows] * saturated(counts[rows, columns], norms=length_norms(lengths, mean=mean)[columns]),
            idf=idf,
            size=counts.shape[1],
        )

    def scores(self, query: str) -> NDArray[np.float32]:
        """Return every text's score, shape (size,); a repeated term counts once."""
        scores = np.zeros(self.size, dtype=np.float32)
        for term in sorted(set(content_words(query))):
            if (number := self._number(term)) is not None:
                postings = slice(self.bounds[number], self.bounds[number + 1])
                scores[self.texts[postings]] += self.weights[postings]
        return scores

    def all_scores(self) -> NDArray[np.float32]:
        """Return every text's score for all terms together, shape (size,)."""
        return np.bincount(self.texts, weights=self.weights, minlength=self.size).astype(np.float32)

    def rarity(self, term: str) -> float:
        """Return a stemmed term's inverse document frequency, highest for unseen terms."""
        number = self._number(term)
        return float(self.idf[number]) if number is not None else float(np.log1p((self.size + 0.5) / 0.5))

    def _number(self, term: str) -> int | None:
        wanted = np.uint64(term_id(term))
        place = int(np.searchsorted(self.terms, wanted))
        return place if place < len(self.terms) and self.terms[place] == wanted else None


def rarities(frequencies: NDArray[Any], *, size: int) -> NDArray[np.float32]:
    """Return the inverse document frequencies of terms in `size` texts."""
    idf = np.log1p((np.maximum(size - frequencies, 0) + 0.5) / (frequencies + 0.5))
    return np.asarray(idf, dtype=np.float32)


def length_norms(lengths: NDArray[Any], *, mean: float) -> NDArray[np.float32]:
    """Return what each text's length adds to a count in the divisor."""
    return np.asarray(K1 * (1 - B + B * lengths / (mean or 1.0)), dtype=np.float32)


def saturated(counts: NDArray[Any], *, norms: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the weights of counts before their terms' rarity."""
    return np.asarray(counts * (K1 + 1) / (counts + norms), dtype=np.float32)


def top(scores: NDArray[np.floating[Any]], k: int) -> NDArray[np.int64]:
    """Return the `k` highest scores' positions, best first, ties in order."""
    if k >= len(scores):
        return np.argsort(-scores, kind="stable")
    # Everything that ties with the k-th stays in until positions decide.
    threshold = np.partition(scores, len(scores) - k)[len(scores) - k] if k > 0 else np.inf
    candidates = np.flatnonzero(scores >= threshold)
    return candidates[np.argsort(-scores[candidates], kind="stable")][:k]
