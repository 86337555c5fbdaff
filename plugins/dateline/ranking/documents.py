"""Document relevance from titles, words and best passages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dateline.ranking.bm25 import K1, Bm25
from dateline.ranking.groups import Places, joined
from dateline.ranking.prepared import PreparedPassage
from dateline.ranking.sentence_words import SentenceWords
from dateline.records import Evidence
from dateline.text.term_ids import Ids
from dateline.text.words import content_words

VECTOR_SHARE = 0.5
"""How much a cosine of 1 counts beside a BM25 score as high as the question's words allow."""


@dataclass(frozen=True)
class Documents:
    """Passages grouped into documents, in reading order.

    Neighbouring passages that share url, source, title and row are one document.

    Attributes:
        numbers: the document of each passage, shape (passages,).
        first: the first passage of each document, shape (documents,).
        titles: the title of each.
        depth: number of earlier passages in the same document, shape (passages,).
        passages: BM25 over the passages with their titles.
        whole: BM25 over the whole documents.
        named: BM25 over the titles alone.
    """

    numbers: NDArray[np.int64]
    first: NDArray[np.int64]
    titles: tuple[str, ...]
    depth: NDArray[np.int64]
    passages: Bm25
    whole: Bm25
    named: Bm25

    @classmethod
    def of(cls, evidence: Sequence[Evidence], prepared: Sequence[PreparedPassage]) -> Documents:
        """Group the passages and index their words."""
        numbers = document_numbers(evidence)
        first = np.flatnonzero(np.diff(numbers, prepend=-1)) if len(numbers) else numbers
        words, homes = joined([each.words for each in prepared])
        titles, titled = joined([each.title_words for each in prepared])
        named, owners = joined([prepared[number].title_words for number in first])
        passages = _indexed((words, homes), (titles, titled), size=len(numbers))
        alone = len(first) == len(numbers)
        return cls(
            numbers=numbers,
            first=first,
            titles=tuple(evidence[number].title for number in first),
            depth=np.arange(len(numbers)) - first[numbers],
            passages=passages,
            whole=passages if alone else _indexed((words, numbers[homes]), (named, owners), size=len(first)),
            named=_indexed((named, owners), size=len(first)),
        )

    @cached_property
    def title_words(self) -> SentenceWords:
        """Return all words of each title."""
        return SentenceWords.of(self.titles)

    def scores(self, content: str, *, similarity: NDArray[np.float32]) -> NDArray[np.float64]:
        """Score each document's likelihood of being asked about, shape (documents,).

        `similarity` holds the cosine of each passage with the question. BM25 scores are divided by the highest
        that the question's words could reach, so that questions of any length are on one scale.
        """
        ideal = ideal_score([self.passages.rarity(term) for term in set(content_words(content))])
        best = np.maximum.reduceat(self.passages.scores(content), self.first)
        lexical = best + self.named.scores(content) + self.whole.scores(content)
        scores = lexical / ideal + VECTOR_SHARE * np.maximum.reduceat(similarity, self.first)
        return np.asarray(scores, dtype=np.float64)

    def relation(self, content: str, *, document: int) -> str:
        """Return the question's content without the words of a document's title."""
        known = set(content_words(self.titles[document]))
        kept = [word for word in content.split() if known.isdisjoint(content_words(word))]
        return " ".join(kept) if known and any(map(content_words, kept)) else content


def ideal_score(rarities: Iterable[float]) -> float:
    """Return the highest BM25 score that words could reach, above 0."""
    return max((K1 + 1) * float(sum(rarities)), 1e-9)


def _indexed(*parts: tuple[Ids, Places], size: int) -> Bm25:
    words, texts = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    return Bm25.of(words, texts=texts, size=size)


def document_numbers(evidence: Sequence[Evidence]) -> NDArray[np.int64]:
    """Return the document of each passage, counted from 0."""
    return np.array(list(_numbers(evidence)), dtype=np.int64)


def _numbers(evidence: Sequence[Evidence]) -> Iterator[int]:
    number, last = -1, None
    for item in evidence:
        origin = (item.url, item.source, item.title, item.row)
        if origin != last or not any(origin):
            number, last = number + 1, origin
        yield number
