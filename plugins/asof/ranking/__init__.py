"""Ranking: keywords, BM25, semantic and temporal scores, their fusion and their product."""

from asof.ranking.bm25 import Bm25
from asof.ranking.fusion import reciprocal_rank_fusion
from asof.ranking.hybrid import HybridRanker
from asof.ranking.index import PassageIndex
from asof.ranking.passages import Passages

__all__ = ["Bm25", "HybridRanker", "PassageIndex", "Passages", "reciprocal_rank_fusion"]
