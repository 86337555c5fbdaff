"""Certainty: estimators, calibration, the gate, the re-retrieval score."""

from asof.certainty.agreement import AgreementEstimator
from asof.certainty.alone import aread_each, read_each
from asof.certainty.assessment import Assessment, assess
from asof.certainty.calibrated import Calibrated, fit_calibration
from asof.certainty.calibration import (
    Isotonic,
    Platt,
    Temperature,
    auroc,
    expected_calibration_error,
    reliability_diagram,
)
from asof.certainty.gate import Decision, Gate, keep_better
from asof.certainty.hidden_states import HiddenStateEstimator
from asof.certainty.log import CertaintyLog, Observed
from asof.certainty.margin import MarginEstimator
from asof.certainty.panel import PanelEstimator, aestimate_each, estimate_each
from asof.certainty.reader import CheckedReader, CheckedReading
from asof.certainty.rerank import answer_weight, most_reliable, rerank, rerank_scores, rescore, scale_for
from asof.certainty.rounds import Rounds
from asof.certainty.second_reading import SecondReadingEstimator

__all__ = [
    "AgreementEstimator",
    "Assessment",
    "Calibrated",
    "CertaintyLog",
    "CheckedReader",
    "CheckedReading",
    "Decision",
    "Gate",
    "HiddenStateEstimator",
    "Isotonic",
    "MarginEstimator",
    "Observed",
    "PanelEstimator",
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
