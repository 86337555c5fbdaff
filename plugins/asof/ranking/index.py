"""A corpus to search: BM25 and embeddings propose, the hybrid score decides."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import numpy as np
from langchain_core.embeddings import Embeddings
from numpy.typing import NDArray

from asof.ranking.bm25 import Bm25, top
from asof.ranking.fusion import reciprocal_rank_fusion
from asof.ranking.hybrid import HybridRanker
from asof.ranking.passages import Passages, headed
from asof.records import Evidence, RankedEvidence
from asof.temporal.constraint import Question
from asof.text.embeddings import default_embeddings, embed

CANDIDATES = 100
"""How many passages each way of searching proposes (MRAG keeps 100 of the first 1000)."""


class PassageIndex:
    """Passages with everything about them computed once; searching costs one query embedding.

    Build one with `PassageIndex.build`.
    """

    def __init__(self, *, passages: Passages, bm25: Bm25, ranker: HybridRanker) -> None:
        self.passages = passages
        self.bm25 = bm25
        self.ranker = ranker

    @classmethod
    def build(cls, evidence: Sequence[Evidence], *, embeddings: Embeddings | None = None) -> PassageIndex:
        """Index `evidence`; passages of one document follow each other in reading order."""
        chosen: Embeddings = default_embeddings() if embeddings is None else embeddings
        return cls(
            passages=Passages.build(evidence, embeddings=chosen),
            bm25=Bm25.build(headed(item) for item in evidence),
            ranker=HybridRanker(embeddings=chosen),
        )

    def __len__(self) -> int:
        return len(self.passages)

    def search(
        self, question: Question, k: int = 10, *, allowed: NDArray[np.bool_] | None = None
    ) -> list[RankedEvidence]:
        """The `k` best passages, the best first, of those that `allowed` (shape (passages,)) marks."""
        if not len(self):
            return []
        candidates = self.candidates(question, allowed=allowed)
        return self.ranker.rank_passages(question, passages=self.passages, k=k, candidates=candidates)

    async def asearch(
        self, question: Question, k: int = 10, *, allowed: NDArray[np.bool_] | None = None
    ) -> list[RankedEvidence]:
        """The same, without blocking."""
        return await asyncio.to_thread(self.search, question, k, allowed=allowed)

    def candidates(self, question: Question, *, allowed: NDArray[np.bool_] | None = None) -> NDArray[np.int64]:
        """The passages that BM25 and the embeddings, each and together, hold most promising."""
        content = question.content or question.text
        lexical = self.bm25.scores(content)
        semantic = self.passages.passage_vectors @ embed([content], embeddings=self.ranker.embeddings)[0]
        if allowed is not None:
            lexical, semantic = np.where(allowed, lexical, -np.inf), np.where(allowed, semantic, -np.inf)
        fused = reciprocal_rank_fusion([lexical, semantic])
        found = np.union1d(top(fused, CANDIDATES), np.union1d(top(lexical, CANDIDATES), top(semantic, CANDIDATES)))
        return found if allowed is None else found[allowed[found]]
