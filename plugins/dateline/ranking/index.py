"""A corpus to search: BM25 and embeddings propose, the hybrid score decides."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from langchain_core.embeddings import Embeddings
from numpy.typing import NDArray

from dateline.ranking.bm25 import top
from dateline.ranking.fusion import reciprocal_rank_fusion
from dateline.ranking.groups import Places, any_in, ranges
from dateline.ranking.hybrid import HybridRanker
from dateline.ranking.passages import Passages
from dateline.ranking.topic import Topic
from dateline.records import Evidence, RankedEvidence
from dateline.stopping import in_thread
from dateline.temporal.constraint import Question
from dateline.text.embeddings import default_embeddings

CANDIDATES = 100
"""How many passages are proposed by the fusion of words and embeddings (MRAG keeps 100 of the first 1000)."""

FUSED = 1000
"""Of how many by words and as many by embeddings."""

LEADING = 3
"""Of how many leading documents every passage is proposed: the answer's passage need not name what is asked about."""

WINDOW = 16
"""So many of the newest at the asked time are looked at first, then twice as many, and so on."""

NEAREST = 12
"""How many of each of these are proposed, the nearest: fewer than that of what is newer may be nearer."""

DATED = 4096
"""Of how many by embeddings."""


class PassageIndex:
    """Passages with everything about them computed once, made with `build`.

    Searching costs the embedding of one question.

    Example:
        >>> from dateline.temporal import decompose, now
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> notes = [Evidence.make("The ferry runs daily."), Evidence.make("The museum opened in 1927.")]
        >>> index = PassageIndex.build(notes, embeddings=LexicalEmbeddings())
        >>> index.search(decompose("When did the museum open?", as_of=now()), 1)[0].evidence.text
        'The museum opened in 1927.'
    """

    def __init__(self, *, passages: Passages, ranker: HybridRanker) -> None:
        self.passages = passages
        self.ranker = ranker
        self._times = passages.timeline.bounds[passages.bounds]

    @classmethod
    def build(cls, evidence: Sequence[Evidence], *, embeddings: Embeddings | None = None) -> PassageIndex:
        """Index `evidence`; a document's passages must follow in reading order."""
        chosen: Embeddings = default_embeddings() if embeddings is None else embeddings
        return cls(
            passages=Passages.build(evidence, embeddings=chosen),
            ranker=HybridRanker(embeddings=chosen),
        )

    def __len__(self) -> int:
        return len(self.passages)

    def search(
        self, question: Question, k: int = 10, *, allowed: NDArray[np.bool_] | None = None
    ) -> list[RankedEvidence]:
        """Return the `k` best of the passages that `allowed` marks.

        `allowed` has the shape (passages,).

        Raises:
            BadInput: when `k` is below 1.
        """
        known = np.arange(len(self)) if allowed is None else np.flatnonzero(allowed)
        if not len(known):
            return []
        topic = Topic.of(question, passages=self.passages, embeddings=self.ranker.embeddings)
        candidates = self.candidates(question, topic=topic, known=known, k=k)
        return self.ranker.rank_candidates(question, topic=topic, candidates=candidates, k=k)

    async def asearch(
        self, question: Question, k: int = 10, *, allowed: NDArray[np.bool_] | None = None
    ) -> list[RankedEvidence]:
        """Search asynchronously."""
        return await in_thread(self.search, question, k, allowed=allowed)

    def candidates(self, question: Question, *, topic: Topic, known: Places, k: int = CANDIDATES) -> Places:
        """Return the most promising of the passages `known`.

        They are the nearest by words and embeddings together, the nearest among the newest at the asked time and among
        those about it, and the leading documents whole.
        """
        documents = self.passages.documents
        lexical, near = documents.passages.scores(question.content or question.text)[known], topic.content[known]
        pool = np.union1d(top(lexical, FUSED), top(near, FUSED))
        fused = reciprocal_rank_fusion([lexical[pool], near[pool]])
        proposed = known[pool[top(fused, max(CANDIDATES, k))]]
        timely = known[self._timely(question, known, near=near)]
        return np.unique(np.concatenate([proposed, timely, self._leading(topic, known)]))

    def _timely(self, question: Question, known: Places, *, near: NDArray[np.float32]) -> Places:
        """Return places of those near for their age, or about then."""
        window = question.effective_constraint().window()
        low, high = (-np.inf if window.start is None else window.start), (np.inf if window.end is None else window.end)
        pool = top(near, DATED)
        first = self._times[known[pool]]
        sizes = self._times[known[pool] + 1] - first
        start, end, _ = self.passages.timeline.take(ranges(first, sizes)).spans
        began = np.full(len(pool), -np.inf)
        np.maximum.at(began, np.repeat(np.arange(len(pool)), sizes), np.where(start < high, start, -np.inf))
        about = np.flatnonzero(any_in((start < high) & (end > low), sizes))[:NEAREST]
        newest = np.argsort(-began, kind="stable")[: np.isfinite(began).sum()]
        widths = WINDOW << np.arange(max(1, len(newest) // WINDOW).bit_length())
        # The pool is in order of nearness, so the first of its places are the nearest.
        places: Places = pool[np.concatenate([about, *(np.sort(newest[:width])[:NEAREST] for width in widths)])]
        return places

    def _leading(self, topic: Topic, known: Places) -> Places:
        """Return the known passages of the documents most likely asked about."""
        documents = self.passages.documents
        numbers = documents.numbers[known]
        reachable = np.full(len(documents.first), -np.inf)
        reachable[numbers] = topic.documents[numbers]
        return known[np.isin(numbers, top(reachable, LEADING))]
