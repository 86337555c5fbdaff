"""Labelled article versions: the shipped set, its format, its scores."""

from dateline_bench.snapshots.pairs import SHIPPED, ArticlePair, Line, parse_pairs, read_pairs
from dateline_bench.snapshots.scores import LABELS, Judged, Scores, scores_of

__all__ = [
    "LABELS",
    "SHIPPED",
    "ArticlePair",
    "Judged",
    "Line",
    "Scores",
    "parse_pairs",
    "read_pairs",
    "scores_of",
]
