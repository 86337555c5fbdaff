"""Ranking by keywords, BM25, semantic and temporal scores."""

from dateline.ranking.bm25 import Bm25
from dateline.ranking.fusion import reciprocal_rank_fusion
from dateline.ranking.hybrid import HybridRanker
from dateline.ranking.index import PassageIndex
from dateline.ranking.passages import Passages

__all__ = ["Bm25", "HybridRanker", "PassageIndex", "Passages", "reciprocal_rank_fusion"]
