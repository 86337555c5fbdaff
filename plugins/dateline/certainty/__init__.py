"""Certainty: estimators, calibration, the gate, the re-retrieval score."""

from dateline.certainty.agreement import AgreementEstimator
from dateline.certainty.assessment import Assessment, assess
from dateline.certainty.batch_estimator import BatchEstimator, aestimate_each, estimate_each
from dateline.certainty.calibrated import Calibrated, fit_calibration
from dateline.certainty.calibration import (
    Isotonic,
    Platt,
    Temperature,
    auroc,
    expected_calibration_error,
    reliability_diagram,
)
from dateline.certainty.gate import Gate, GateDecision, keep_better
from dateline.certainty.hidden_states import HiddenStateEstimator
from dateline.certainty.log import CertaintyLog, Observed
from dateline.certainty.margin import MarginEstimator
from dateline.certainty.per_document import aread_each, read_each
from dateline.certainty.reader import CheckedReader, CheckedReading
from dateline.certainty.rerank import answer_weight, most_reliable, rerank, rerank_scores, rescore, scale_for
from dateline.certainty.rounds import Rounds
from dateline.certainty.second_reading import SecondReadingEstimator

__all__ = [
    "AgreementEstimator",
    "Assessment",
    "BatchEstimator",
    "Calibrated",
    "CertaintyLog",
    "CheckedReader",
    "CheckedReading",
    "Gate",
    "GateDecision",
    "HiddenStateEstimator",
    "Isotonic",
    "MarginEstimator",
    "Observed",
    "Platt",
    "Rounds",
    "SecondReadingEstimator",
    "Temperature",
    "aestimate_each",
    "answer_weight",
    "aread_each",
    "assess",
    "auroc",
    "estimate_each",
    "expected_calibration_error",
    "fit_calibration",
    "keep_better",
    "most_reliable",
    "read_each",
    "reliability_diagram",
    "rerank",
    "rerank_scores",
    "rescore",
    "scale_for",
]
