"""dateline: retrieval-augmented generation that knows what time it is."""

from dateline.errors import (
    BadInput,
    DamagedInstall,
    DatelineError,
    MissingExtra,
    ModelFailed,
    SearchFailed,
    StoreFailed,
)
from dateline.records import Announcement, Candidate, Certainty, Cost, Evidence, RankedEvidence, Reading, Step
from dateline.temporal.as_of import AsOf, read_moment
from dateline.temporal.constraint import Constraint, Question
from dateline.temporal.interval import Interval

__all__ = [
    "Announcement",
    "AsOf",
    "BadInput",
    "Candidate",
    "Certainty",
    "Constraint",
    "Cost",
    "DamagedInstall",
    "DatelineError",
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
    "read_moment",
]
