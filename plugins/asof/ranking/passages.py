"""Passages taken apart once: sentences, their vectors, their times, and the documents they come from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from langchain_core.embeddings import Embeddings
from numpy.typing import NDArray

from asof.ranking.spans import SpanTable
from asof.records import Evidence
from asof.temporal.expressions import spans_of
from asof.temporal.interval import Interval
from asof.text.embeddings import embed
from asof.text.sentences import split_sentences


@dataclass(frozen=True)
class Passages:
    """Everything about a set of passages that does not depend on the question.

    Attributes:
        evidence: the passages, shape (passages,).
        sentences: all their sentences in order.
        bounds: the sentences of passage i are `bounds[i]:bounds[i + 1]`; every passage has at least one.
        vectors: one a sentence, length 1, shape (sentences, dimensions).
        passage_vectors: one a passage (title and text), length 1, shape (passages, dimensions).
        spans: the times of each sentence.
        documents: the number of the document of each passage, shape (passages,): neighbours that share
            url, source and title are one document, in reading order.
    """

    evidence: tuple[Evidence, ...]
    sentences: tuple[str, ...]
    bounds: NDArray[np.int64]
    vectors: NDArray[np.float32]
    passage_vectors: NDArray[np.float32]
    spans: SpanTable
    documents: NDArray[np.int64]

    @classmethod
    def build(cls, evidence: Sequence[Evidence], *, embeddings: Embeddings) -> Passages:
        """Split, date and embed; the evidence itself stays as it is."""
        split = [_sentences(item) for item in evidence]
        sentences = tuple(sentence for passage in split for sentence in passage)
        spans = [
            spans_of(sentence, item.published)
            for item, passage in zip(evidence, split, strict=True)
            for sentence in passage
        ]
        return cls(
            evidence=tuple(evidence),
            sentences=sentences,
            bounds=np.concatenate([[0], np.cumsum([len(passage) for passage in split])]).astype(np.int64),
            vectors=embed(sentences, embeddings=embeddings),
            passage_vectors=embed([headed(item) for item in evidence], embeddings=embeddings),
            spans=SpanTable.build(spans),
            documents=np.array(list(_documents(evidence)), dtype=np.int64),
        )

    def __len__(self) -> int:
        return len(self.evidence)

    @property
    def owners(self) -> NDArray[np.int64]:
        """The passage of each sentence, shape (sentences,)."""
        return np.repeat(np.arange(len(self)), np.diff(self.bounds))

    def published(self, number: int) -> Interval | None:
        """When a passage was published, where that is known."""
        return self.evidence[number].published


def headed(evidence: Evidence) -> str:
    """A passage with its title in front, as it is embedded and indexed."""
    return f"{evidence.title}\n{evidence.text}" if evidence.title else evidence.text


def _sentences(evidence: Evidence) -> list[str]:
    return [sentence.text for sentence in split_sentences(evidence.text)] or [evidence.text]


def _documents(evidence: Sequence[Evidence]) -> Iterator[int]:
    number, last = -1, None
    for item in evidence:
        origin = (item.url, item.source, item.title)
        if origin != last or not any(origin):
            number, last = number + 1, origin
        yield number
