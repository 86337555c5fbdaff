"""Semantic times temporal, sentence by sentence; a passage takes its best sentence (MRAG, section 4)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from langchain_core.embeddings import Embeddings
from numpy.typing import NDArray

from asof.errors import BadInput
from asof.ranking.bm25 import top
from asof.ranking.passages import Passages
from asof.records import Evidence, RankedEvidence
from asof.temporal.constraint import Question
from asof.temporal.scoring import NEUTRAL, IntervalScorer, TemporalScorer
from asof.text.embeddings import default_embeddings, embed

PASSAGE_SHARE = 0.5
"""The share of the passage's own similarity in the semantic score of its sentences."""


class HybridRanker:
    """Ranks passages by how well one of their sentences fits both what and when is asked.

    Args:
        embeddings: for the semantic score; by default `default_embeddings()`.
        temporal: for the temporal score; by default `IntervalScorer()`.
    """

    def __init__(self, *, embeddings: Embeddings | None = None, temporal: TemporalScorer | None = None) -> None:
        self.embeddings: Embeddings = default_embeddings() if embeddings is None else embeddings
        self.temporal: TemporalScorer = IntervalScorer() if temporal is None else temporal

    def rank(self, question: Question, *, evidence: Sequence[Evidence], k: int) -> list[RankedEvidence]:
        """The `k` best of `evidence`, the best first. Raises `BadInput` when `k` is below 1."""
        if not evidence:
            return []
        passages = Passages.build(evidence, embeddings=self.embeddings)
        return self.rank_passages(question, passages=passages, k=k)

    async def arank(self, question: Question, *, evidence: Sequence[Evidence], k: int) -> list[RankedEvidence]:
        """The same, without blocking."""
        return await asyncio.to_thread(self.rank, question, evidence=evidence, k=k)

    def rank_passages(
        self, question: Question, *, passages: Passages, k: int, candidates: NDArray[np.int64] | None = None
    ) -> list[RankedEvidence]:
        """The `k` best of `passages` (of those numbered by `candidates`), the best first."""
        if k < 1:
            raise BadInput(f"k must be at least 1, not {k}.")
        chosen = np.arange(len(passages)) if candidates is None else candidates
        if not len(chosen):
            return []
        scored = self.score(question, passages=passages, candidates=chosen)
        return [scored.ranked(place, passages=passages) for place in top(scored.total, k)]

    def score(self, question: Question, *, passages: Passages, candidates: NDArray[np.int64]) -> Scores:
        """The scores of the passages numbered by `candidates`."""
        query = embed([question.content or question.text], embeddings=self.embeddings)[0]
        sizes = passages.bounds[candidates + 1] - passages.bounds[candidates]
        sentences = _ranges(passages.bounds[candidates], sizes)
        of_passage = passages.passage_vectors[candidates] @ query
        semantic = (1 - PASSAGE_SHARE) * (passages.vectors[sentences] @ query)
        semantic = np.clip(semantic + PASSAGE_SHARE * np.repeat(of_passage, sizes), 0, 1)
        temporal, spans = self._temporal(question, passages=passages, sentences=sentences)
        total = semantic * temporal
        first = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        best = _argmax_by_group(total, first, sizes)
        return Scores(
            candidates=candidates,
            total=total[best].astype(np.float32),
            semantic=semantic[best],
            temporal=temporal[best],
            sentences=sentences[best],
            spans=spans[best],
        )

    def _temporal(
        self, question: Question, *, passages: Passages, sentences: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """The best score among each sentence's spans, and that span's number (-1: undated)."""
        table = passages.spans
        sizes = table.bounds[sentences + 1] - table.bounds[sentences]
        spans = _ranges(table.bounds[sentences], sizes)
        temporal = np.full(len(sentences), NEUTRAL)
        chosen = np.full(len(sentences), -1, dtype=np.int64)
        dated = np.flatnonzero(sizes)
        if len(dated):
            scores = self.temporal.score(question.effective_constraint(), table.take(spans))
            first = np.concatenate([[0], np.cumsum(sizes[dated])[:-1]])
            best = _argmax_by_group(scores, first, sizes[dated])
            temporal[dated], chosen[dated] = scores[best], spans[best]
        return temporal, chosen


@dataclass(frozen=True)
class Scores:
    """What was found about each candidate; all arrays have the shape (candidates,)."""

    candidates: NDArray[np.int64]
    total: NDArray[np.float32]
    semantic: NDArray[np.float32]
    temporal: NDArray[np.float64]
    sentences: NDArray[np.int64]
    spans: NDArray[np.int64]

    def ranked(self, place: int, *, passages: Passages) -> RankedEvidence:
        """One candidate as a record."""
        span = int(self.spans[place])
        return RankedEvidence(
            evidence=passages.evidence[self.candidates[place]],
            score=float(self.total[place]),
            semantic=float(self.semantic[place]),
            temporal=float(self.temporal[place]),
            matched=passages.spans.intervals[span] if span >= 0 else None,
            sentence=passages.sentences[self.sentences[place]],
        )


def _ranges(starts: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The numbers start, start + 1, ... of every range, one after the other."""
    shifts = np.repeat(starts - np.concatenate([[0], np.cumsum(sizes)[:-1]]), sizes)
    return shifts + np.arange(len(shifts))


def _argmax_by_group(
    values: NDArray[np.float64], first: NDArray[np.int64], sizes: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The position of the first highest value of each group; groups lie one after the other, none is empty."""
    highest = np.repeat(np.maximum.reduceat(values, first), sizes)
    places = np.where(values >= highest, np.arange(len(values)), len(values))
    return np.minimum.reduceat(places, first)
