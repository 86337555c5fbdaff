"""asof: retrieval-augmented generation that knows what time it is."""

from asof.errors import AsofError, BadInput, DamagedInstall, MissingExtra, ModelFailed, SearchFailed, StoreFailed
from asof.records import Candidate, Certainty, Cost, Evidence, RankedEvidence, Reading, Step
from asof.temporal.constraint import Constraint, Question
from asof.temporal.interval import Interval

__all__ = [
    "AsofError",
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
