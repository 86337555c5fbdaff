"""Time: intervals, time expressions, constraints, decomposition, temporal score."""

from dateline.temporal.as_of import now
from dateline.temporal.asking import asked_at, asking_moment
from dateline.temporal.constraint import Constraint, Ordinal, Question, Relation
from dateline.temporal.decomposition import decompose
from dateline.temporal.expressions import TimeExpression, find_expressions, spans_of
from dateline.temporal.interval import Granularity, Interval
from dateline.temporal.pace import Pace, Speed, how_fast
from dateline.temporal.scoring import IntervalScorer, MragScorer, Spans, TemporalScorer

__all__ = [
    "Constraint",
    "Granularity",
    "Interval",
    "IntervalScorer",
    "MragScorer",
    "Ordinal",
    "Pace",
    "Question",
    "Relation",
    "Spans",
    "Speed",
    "TemporalScorer",
    "TimeExpression",
    "asked_at",
    "asking_moment",
    "decompose",
    "find_expressions",
    "how_fast",
    "now",
    "spans_of",
]
