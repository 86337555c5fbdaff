"""A corpus to search: BM25 and embeddings propose, the hybrid score decides."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from langchain_core.embeddings import Embeddings
from numpy.typing import NDArray

from dateline.ranking.bm25 import top
from dateline.ranking.fusion import reciprocal_rank_fusion
from dateline.ranking.groups import Places, ranges
from dateline.ranking.hybrid import HybridRanker
from dateline.ranking.passages import Passages
from dateline.ranking.topic import Topic
from dateline.records import Evidence, RankedEvidence
from dateline.stopping import in_thread
from dateline.temporal.constraint import Question
from dateline.text.embeddings import default_embeddings

CANDIDATES = 100
"""How many passages are proposed by the fusion of words and embeddings (MRAG keeps 100 of the first 1000)."""

LEADING = 3
"""Of how many leading documents every passage is proposed: the answer's passage need not name what is asked about."""


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
        if not len(self):
            return []
        topic = Topic.of(question, passages=self.passages, embeddings=self.ranker.embeddings)
        candidates = self.candidates(question, topic=topic)
        if allowed is not None:
            candidates = candidates[allowed[candidates]]
            if len(candidates) < k:
                candidates = np.flatnonzero(allowed)
        return self.ranker.rank_candidates(question, topic=topic, candidates=candidates, k=k)

    async def asearch(
        self, question: Question, k: int = 10, *, allowed: NDArray[np.bool_] | None = None
    ) -> list[RankedEvidence]:
        """Search asynchronously."""
        return await in_thread(self.search, question, k, allowed=allowed)

    def candidates(self, question: Question, *, topic: Topic) -> Places:
        """Return the passages most promising together, and the leading documents whole."""
        documents = self.passages.documents
        lexical = documents.passages.scores(question.content or question.text)
        proposed = top(reciprocal_rank_fusion([lexical, topic.content]), CANDIDATES)
        leading = top(topic.documents, LEADING)
        ends = np.append(documents.first, len(self))[leading + 1]
        return np.union1d(proposed, ranges(documents.first[leading], ends - documents.first[leading]))
