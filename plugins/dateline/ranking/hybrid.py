"""Hybrid ranking by words, meaning and time (MRAG, section 4).

A passage takes its best sentence. Where a state is asked for, the newest sentence that tells it decides (`states`); elsewhere
semantic times temporal score, both logistic functions of a few features, whose weights `benchmarks/ranking_weights.py`
fitted by maximum likelihood on the TimeQA questions; an earlier fit, by folds of pages, lost about a point on pages that it
had not seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from langchain_core.embeddings import Embeddings
from numpy.typing import NDArray

from dateline.errors import check_least
from dateline.evidence.knowledge import is_well_dated
from dateline.ranking.bm25 import top
from dateline.ranking.fit import STATES, TimelineFit, TimesScorer, sentence_alone
from dateline.ranking.groups import Places, members_of
from dateline.ranking.passages import Passages
from dateline.ranking.prepared_cache import cache_for
from dateline.ranking.rivals import divided, places
from dateline.ranking.states import newest, on_topic
from dateline.ranking.timeline import Floats, Timeline
from dateline.ranking.topic import Topic
from dateline.records import Evidence, RankedEvidence
from dateline.stopping import in_thread
from dateline.temporal.constraint import Constraint, Question
from dateline.temporal.scoring import NEUTRAL, Spans, TemporalScorer
from dateline.text.embeddings import default_embeddings

FAIR = 0.002
"""The product of two probabilities that is shown as a score of 0.5; the order stays as it is."""


class HybridRanker:
    """Ranks passages by their best sentence's semantic and temporal fit.

    Args:
        embeddings: for the semantic score; by default `default_embeddings()`.
        temporal: scores each sentence's own times; by default `TimelineFit()`, which also knows what the
            document dates before and after them, and comparable passages are compared with each other
            (`dateline.ranking.rivals`). A scorer given here stands alone, as published.

    Example:
        >>> from dateline.temporal import decompose, now
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> notes = [Evidence.make("Ann Lee led the museum from 2001 to 2009."), Evidence.make("Bo Ek has led the museum since 2010.")]
        >>> question = decompose("Who led the museum in 2015?", as_of=now())
        >>> HybridRanker(embeddings=LexicalEmbeddings()).rank(question, evidence=notes, k=1)[0].evidence.text
        'Bo Ek has led the museum since 2010.'
    """

    def __init__(self, *, embeddings: Embeddings | None = None, temporal: TemporalScorer | None = None) -> None:
        self.embeddings: Embeddings = default_embeddings() if embeddings is None else embeddings
        self._cache = cache_for(self.embeddings)
        self.compares = temporal is None
        self.temporal: TimesScorer = TimelineFit() if temporal is None else sentence_alone(temporal)

    def rank(self, question: Question, *, evidence: Sequence[Evidence], k: int) -> list[RankedEvidence]:
        """Return the `k` best of `evidence`, the best first.

        Raises:
            BadInput: when `k` is below 1.
        """
        if not evidence:
            return []
        prepared = self._cache.prepare(evidence, embeddings=self.embeddings)
        passages = Passages.of(evidence, prepared)
        return self.rank_passages(question, passages=passages, k=k)

    async def arank(self, question: Question, *, evidence: Sequence[Evidence], k: int) -> list[RankedEvidence]:
        """Rank asynchronously."""
        return await in_thread(self.rank, question, evidence=evidence, k=k)

    def rank_passages(self, question: Question, *, passages: Passages, k: int) -> list[RankedEvidence]:
        """Return the `k` best of `passages`, the best first."""
        topic = Topic.of(question, passages=passages, embeddings=self.embeddings)
        return self.rank_candidates(question, topic=topic, candidates=np.arange(len(passages)), k=k)

    def rank_candidates(self, question: Question, *, topic: Topic, candidates: Places, k: int) -> list[RankedEvidence]:
        """Return the `k` best of the passages numbered by `candidates`."""
        check_least(1, k=k)
        if not len(candidates):
            return []
        scored = self.score(question, topic=topic, candidates=candidates)
        return [scored.ranked(int(place), passages=topic.passages) for place in top(scored.total, k)]

    def score(self, question: Question, *, topic: Topic, candidates: Places) -> HybridScores:
        """Return the scores of the passages numbered by `candidates`."""
        passages = topic.passages
        sentences, sizes = members_of(passages.bounds, candidates)
        semantic = topic.score(candidates=candidates, sentences=sentences, sizes=sizes)
        temporal, times = temporal_scores(
            question, timeline=passages.timeline, sentences=sentences, scorer=self.temporal
        )
        total = semantic * temporal
        weights = passages.weights[sentences]
        reported = any(is_well_dated(passages.evidence[number]) for number in candidates)
        if not reported:
            weights = np.ones_like(weights)
        if self.compares:
            spans, constraint = _spans(passages.timeline, times), question.effective_constraint()
            if reported and asks_for_state(constraint):
                told = np.repeat([_told(passages.evidence[number]) for number in candidates.tolist()], sizes)
                place = places(spans, constraint, told=told)
                odds = on_topic(
                    topic.stating(sentences), relevance=semantic, vectors=passages.vectors[sentences], places=place
                )
                states = newest(odds, places=place, weights=weights) * np.where(place > -np.inf, 1.0, temporal)
                total = states * (total.max() / states.max())
            else:
                total = divided(total, semantic=semantic, weights=weights, spans=spans, constraint=constraint)
        total = total * weights
        best = argmax_by_group(total, sizes)
        return HybridScores(
            candidates=candidates,
            total=total[best],
            semantic=semantic[best],
            temporal=temporal[best],
            sentences=sentences[best],
            times=times[best],
        )


def asks_for_state(constraint: Constraint) -> bool:
    """Return whether what was the case is asked, not an event."""
    newest = constraint.relation == "as_of" and constraint.ordinal == "last"
    return newest or (constraint.relation in STATES and constraint.ordinal is None)


def _told(evidence: Evidence) -> float:
    published = evidence.published
    return np.nan if published is None or published.end is None else float(published.end)


def _spans(timeline: Timeline, times: Places) -> Spans:
    """Return each sentence's chosen time, NaN where it has none."""
    chosen, dated = np.full((2, len(times)), np.nan), times >= 0
    start, end, stated = timeline.spans
    chosen[0, dated], chosen[1, dated] = start[times[dated]], end[times[dated]]
    spell = np.zeros(len(times), dtype=bool)
    spell[dated] = stated[times[dated]]
    return Spans(chosen[0], chosen[1], spell)


@dataclass(frozen=True)
class HybridScores:
    """Scores of the candidates, as arrays of shape (candidates,)."""

    candidates: Places
    total: Floats
    semantic: Floats
    temporal: Floats
    sentences: Places
    times: Places

    def ranked(self, place: int, *, passages: Passages) -> RankedEvidence:
        """Return one candidate as a record."""
        time = int(self.times[place])
        return RankedEvidence(
            evidence=passages.evidence[self.candidates[place]],
            score=float(self.total[place] / (self.total[place] + FAIR)),
            semantic=float(self.semantic[place]),
            temporal=float(self.temporal[place]),
            matched=passages.timeline.table.interval(time) if time >= 0 else None,
            sentence=passages.sentences[self.sentences[place]],
        )


def temporal_scores(
    question: Question, *, timeline: Timeline, sentences: Places, scorer: TimesScorer
) -> tuple[Floats, Places]:
    """Return each sentence's best temporal score and its time's number, or -1."""
    places, sizes = members_of(timeline.bounds, sentences)
    temporal = np.full(len(sentences), NEUTRAL)
    chosen = np.full(len(sentences), -1, dtype=np.int64)
    dated = np.flatnonzero(sizes)
    if len(dated):
        scores = scorer.score(question.effective_constraint(), timeline.take(places))
        best = argmax_by_group(scores, sizes[dated])
        temporal[dated], chosen[dated] = scores[best], places[best]
    return temporal, chosen


def argmax_by_group(values: NDArray[np.float64], sizes: Places) -> Places:
    """Return each group's first highest position; adjoining groups, none empty."""
    first = np.cumsum(sizes) - sizes
    highest = np.repeat(np.maximum.reduceat(values, first), sizes)
    places = np.where(values >= highest, np.arange(len(values)), len(values))
    return np.asarray(np.minimum.reduceat(places, first))
