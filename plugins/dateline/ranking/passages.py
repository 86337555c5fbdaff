"""Passages prepared once: sentences, vectors, times and documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from langchain_core.embeddings import Embeddings
from numpy.typing import NDArray

from dateline.evidence.knowledge import TEXT_DATED, is_text_dated
from dateline.ranking.documents import Documents
from dateline.ranking.groups import Places, bounds_of, concatenated, latest_in
from dateline.ranking.possible_answers import AnswerTable
from dateline.ranking.prepared import PreparedPassage
from dateline.ranking.prepared_cache import cache_for
from dateline.ranking.sentence_words import SentenceWords
from dateline.ranking.time_table import TimeTable
from dateline.ranking.timeline import Timeline
from dateline.records import Evidence

_NONE, _NOT = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.bool_)


@dataclass(frozen=True)
class Passages:
    """Question-independent data about a set of passages.

    Attributes:
        evidence: the passages, shape (passages,).
        sentences: all their sentences in order.
        bounds: the sentences of passage i are `bounds[i]:bounds[i + 1]`; every passage has at least one.
        vectors: one a sentence, length 1, shape (sentences, dimensions).
        passage_vectors: one a passage (title and text), length 1, shape (passages, dimensions).
        headings: the nearest heading above each sentence in its document, as a sentence; -1: none, shape (sentences,).
        answers: what each sentence could answer with.
        words: those of each sentence.
        timeline: the times of each sentence.
        dateless: sentences above the first date of a document that has dates, shape (sentences,).
        documents: which passages belong together, and their words.

    Example:
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> pieces = [Evidence.make("It opened in 1927. It runs daily.")]
        >>> Passages.build(pieces, embeddings=LexicalEmbeddings()).sentences
        ('It opened in 1927.', 'It runs daily.')
    """

    evidence: tuple[Evidence, ...]
    sentences: tuple[str, ...]
    bounds: NDArray[np.int64]
    vectors: NDArray[np.float32]
    passage_vectors: NDArray[np.float32]
    headings: NDArray[np.int64]
    answers: AnswerTable
    words: SentenceWords
    timeline: Timeline
    dateless: NDArray[np.bool_]
    weights: NDArray[np.float64]
    documents: Documents

    @classmethod
    def build(cls, evidence: Sequence[Evidence], *, embeddings: Embeddings) -> Passages:
        """Split, date and embed the evidence, which itself stays as it is."""
        return cls.of(evidence, cache_for(embeddings).prepare(evidence, embeddings=embeddings))

    @classmethod
    def of(
        cls,
        evidence: Sequence[Evidence],
        prepared: Sequence[PreparedPassage],
        *,
        documents: Documents | None = None,
    ) -> Passages:
        """Assemble passages that are prepared, each beside its evidence.

        Args:
            documents: where they are some of many, how they belong together; by default they are all.
        """
        sentences = tuple(
            item.text[start:end]
            for item, passage in zip(evidence, prepared, strict=True)
            for start, end in passage.spans.tolist()
        )
        sizes = np.array(list(map(len, prepared)), dtype=np.int64)
        documents = documents or Documents.of(evidence, prepared)
        homes = np.repeat(documents.numbers, sizes)
        counts = np.concatenate([_NONE, *(each.time_counts for each in prepared)])
        timeline = Timeline.of(
            concatenated([TimeTable.of(()), *(each.times for each in prepared)]),
            counts=counts,
            documents=homes,
            published=[item.published for item in evidence],
            sizes=sizes,
        )
        return cls(
            evidence=tuple(evidence),
            sentences=sentences,
            bounds=bounds_of(sizes),
            vectors=_stacked([each.vectors for each in prepared]),
            passage_vectors=_stacked([each.vector[None] for each in prepared]),
            headings=latest_in(homes, flags=np.concatenate([_NOT, *(each.headings for each in prepared)])),
            answers=concatenated([AnswerTable.of(()), *(each.answers for each in prepared)]),
            words=concatenated([SentenceWords.of(()), *(each.sentence_words for each in prepared)]),
            timeline=timeline,
            weights=_weights(evidence, sizes, counts),
            dateless=(np.diff(timeline.bounds) == 0) & np.isin(homes, timeline.documents),
            documents=documents,
        )

    def __len__(self) -> int:
        return len(self.evidence)


def _stacked(vectors: Sequence[NDArray[np.float16]]) -> NDArray[np.float32]:
    return np.concatenate(vectors, dtype=np.float32) if len(vectors) else np.zeros((0, 0), dtype=np.float32)


def _weights(evidence: Sequence[Evidence], sizes: Places, times: Places) -> NDArray[np.float64]:
    """Weigh each sentence by its date.

    A document's date that stands in the text weighs less.
    """
    weak = np.repeat(np.array([is_text_dated(item) for item in evidence], dtype=np.bool_), sizes)
    return np.where(weak & (times == 0), TEXT_DATED, 1.0)
