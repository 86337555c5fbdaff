"""Certainty: estimators, calibration, the gate, the re-retrieval score."""

from asof.certainty.agreement import AgreementEstimator
from asof.certainty.calibration import Isotonic, Temperature, auroc, expected_calibration_error, reliability_diagram
from asof.certainty.gate import Decision, Gate, keep_better
from asof.certainty.margin import MarginEstimator
from asof.certainty.reader import CheckedReader, CheckedReading
from asof.certainty.rerank import answer_weight, most_reliable, rerank, rerank_scores, scale_for

__all__ = [
    "AgreementEstimator",
    "CheckedReader",
    "CheckedReading",
    "Decision",
    "Gate",
    "Isotonic",
    "MarginEstimator",
    "Temperature",
    "answer_weight",
    "auroc",
    "expected_calibration_error",
    "keep_better",
    "most_reliable",
    "reliability_diagram",
    "rerank",
    "rerank_scores",
    "scale_for",
]
