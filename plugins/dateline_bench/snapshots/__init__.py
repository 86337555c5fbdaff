"""Labelled article versions: the shipped set, its format, its scores."""

from dateline_bench.snapshots.pairs import SHIPPED, ArticlePair, SnapshotLine, parse_pairs, read_pairs
from dateline_bench.snapshots.scores import LABELS, JudgedSentence, LabelScores, scores_of

__all__ = [
    "LABELS",
    "SHIPPED",
    "ArticlePair",
    "JudgedSentence",
    "LabelScores",
    "SnapshotLine",
    "parse_pairs",
    "read_pairs",
    "scores_of",
]
