"""A corpus to search: BM25 and embeddings propose, the hybrid score decides."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from langchain_core.embeddings import Embeddings
from numpy.typing import NDArray

from dateline.evidence.knowledge import ALWAYS
from dateline.ranking.bm25 import top
from dateline.ranking.candidates import CandidateFilter, gather_now
from dateline.ranking.fusion import reciprocal_rank_fusion
from dateline.ranking.groups import Places, any_in, members_of
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

NEAREST = 50
"""Of how many nearest the newest are looked for; of these and of those about the period, half as many."""

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
        lexical, near = documents.passages.scores(question.timeless)[known], topic.content[known]
        pool = np.union1d(top(lexical, FUSED), top(near, FUSED))
        fused = reciprocal_rank_fusion([lexical[pool], near[pool]])
        proposed = known[pool[top(fused, max(CANDIDATES, k))]]
        timely = known[self._timely(question, known, near=near)]
        return np.unique(np.concatenate([proposed, timely, self._leading(topic, known)]))

    def _timely(self, question: Question, known: Places, *, near: NDArray[np.float32]) -> Places:
        """Return places of those near for their age, and about then."""
        asked = CandidateFilter.of(question)
        pool = top(near, DATED)
        times, sizes = members_of(self._times, known[pool])
        start, end, _ = self.passages.timeline.take(times).spans
        began = np.full(len(pool), float(ALWAYS))
        np.maximum.at(began, np.repeat(np.arange(len(pool)), sizes), np.where(start < asked.latest, start, -np.inf))
        low, high = (-np.inf if asked.start is None else asked.start), (np.inf if asked.end is None else asked.end)
        about = any_in((start < high) & (end > low), sizes)

        def find(wanted: CandidateFilter, count: int) -> list[int]:
            fitting = began >= (-np.inf if wanted.since is None else wanted.since)
            # The pool is in order of nearness, so the first of its places are the nearest.
            return [*np.flatnonzero(fitting & about if wanted.has_period else fitting)[:count].tolist()]

        found = gather_now(find, asked, k=NEAREST, published=lambda place: int(began[place]))
        return np.asarray(pool[found], dtype=np.int64)

    def _leading(self, topic: Topic, known: Places) -> Places:
        """Return the known passages of the documents most likely asked about."""
        documents = self.passages.documents
        numbers = documents.numbers[known]
        reachable = np.full(len(documents.first), -np.inf)
        reachable[numbers] = topic.documents[numbers]
        return known[np.isin(numbers, top(reachable, LEADING))]
