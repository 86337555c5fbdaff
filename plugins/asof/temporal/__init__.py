"""Time: intervals, time expressions, constraints, decomposition, temporal score."""

from asof.temporal.constraint import Constraint, Ordinal, Question, Relation
from asof.temporal.decomposition import decompose
from asof.temporal.expressions import TimeExpression, find_expressions, spans_of
from asof.temporal.interval import Granularity, Interval
from asof.temporal.scoring import IntervalScorer, MragScorer, Spans, TemporalScorer

__all__ = [
    "Constraint",
    "Granularity",
    "Interval",
    "IntervalScorer",
    "MragScorer",
    "Ordinal",
    "Question",
    "Relation",
    "Spans",
    "TemporalScorer",
    "TimeExpression",
    "decompose",
    "find_expressions",
    "spans_of",
]
