"""dateline: retrieval-augmented generation that knows what time it is."""

from dateline.errors import (
    DatelineError,
    BadInput,
    DamagedInstall,
    MissingExtra,
    ModelFailed,
    SearchFailed,
    StoreFailed,
)
from dateline.records import Candidate, Certainty, Cost, Evidence, RankedEvidence, Reading, Step
from dateline.temporal.constraint import Constraint, Question
from dateline.temporal.interval import Interval

__all__ = [
    "DatelineError",
    "BadInput",
    "Candidate",
    "Certainty",
    "Constraint",
    "Cost",
    "DamagedInstall",
    "Evidence",
    "Interval",
    "MissingExtra",
    "ModelFailed",
    "Question",
    "RankedEvidence",
    "Reading",
    "SearchFailed",
    "Step",
    "StoreFailed",
]
