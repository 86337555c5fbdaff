"""Passages prepared once: sentences, vectors, times and documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from langchain_core.embeddings import Embeddings
from numpy.typing import NDArray

from dateline.evidence.knowledge import TEXT_DATED, is_text_dated
from dateline.ranking.documents import Documents, headed
from dateline.ranking.possible_answers import PossibleAnswers
from dateline.ranking.timeline import Timeline
from dateline.records import Evidence
from dateline.stopping import until_stopped
from dateline.temporal.expressions import spans_of
from dateline.temporal.interval import Interval
from dateline.text.embeddings import embed
from dateline.text.sentences import split_sentences

_HEADING_WORDS = 6
"""A heading that became a sentence ("Early life .") has at most so many words and no digit."""


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
        offers: what each sentence could answer with.
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
    offers: tuple[PossibleAnswers, ...]
    timeline: Timeline
    dateless: NDArray[np.bool_]
    weights: NDArray[np.float64]
    documents: Documents

    @classmethod
    def build(cls, evidence: Sequence[Evidence], *, embeddings: Embeddings) -> Passages:
        """Split, date and embed the evidence, which itself stays as it is."""
        split = [_sentences(item) for item in until_stopped(evidence)]
        sentences = tuple(sentence for passage in split for sentence in passage)
        sizes = np.array([len(passage) for passage in split], dtype=np.int64)
        documents = Documents.build(evidence)
        homes = np.repeat(documents.numbers, sizes)
        published = [item.published for item, passage in zip(evidence, split, strict=True) for _ in passage]
        dated = zip(sentences, published, strict=True)
        times = [spans_of(sentence, day) for sentence, day in until_stopped(dated)]
        timeline = Timeline.build(times, documents=homes.tolist(), published=published)
        vectors = embed([*sentences, *map(headed, evidence)], embeddings=embeddings)
        return cls(
            evidence=tuple(evidence),
            sentences=sentences,
            bounds=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
            vectors=vectors[: len(sentences)],
            passage_vectors=vectors[len(sentences) :],
            headings=_headings(sentences, homes),
            offers=tuple(map(PossibleAnswers.of, until_stopped(sentences))),
            timeline=timeline,
            weights=_weights(evidence, split, times),
            dateless=(np.diff(timeline.bounds) == 0) & np.isin(homes, timeline.documents),
            documents=documents,
        )

    def __len__(self) -> int:
        return len(self.evidence)


def _sentences(evidence: Evidence) -> list[str]:
    return [sentence.text for sentence in split_sentences(evidence.text)] or [evidence.text]


def _weights(
    evidence: Sequence[Evidence], split: Sequence[Sequence[str]], times: Sequence[Sequence[Interval]]
) -> NDArray[np.float64]:
    """Weigh each sentence by its date.

    A document's date that stands in the text weighs less.
    """
    weak = np.array([is_text_dated(item) for item, passage in zip(evidence, split, strict=True) for _ in passage])
    undated = np.array([not own for own in times], dtype=bool)
    return np.where(weak & undated, TEXT_DATED, 1.0) if len(times) else np.ones(0)


def _headings(sentences: Sequence[str], homes: NDArray[np.int64]) -> NDArray[np.int64]:
    is_heading = [len(text.split()) <= _HEADING_WORDS and not any(map(str.isdecimal, text)) for text in sentences]
    latest = np.maximum.accumulate(np.where(is_heading, np.arange(len(sentences)), -1))
    same = homes[latest] == homes if len(sentences) else latest >= 0
    return np.where((latest >= 0) & same, latest, -1)
