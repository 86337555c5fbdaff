"""Certainty: estimators, calibration, the gate, the re-retrieval score."""

from dateline.certainty.agreement import AgreementEstimator
from dateline.certainty.answer import METADATA_KEY, Answer, AskedQuestion
from dateline.certainty.answering import AnswerLoop, RankedSource, ReaderRounds
from dateline.certainty.attempt import Attempt
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
from dateline.certainty.reader import CheckedReader
from dateline.certainty.rerank import answer_weight, most_reliable, rerank, rerank_scores, rescore, scale_for
from dateline.certainty.reranker import AnswerReranker, PublishedReranker, Rescorer
from dateline.certainty.second_reading import SecondReadingEstimator
from dateline.certainty.semantic_entropy import SemanticEntropyEstimator
from dateline.certainty.uqlm import UqlmEstimator

__all__ = [
    "METADATA_KEY",
    "AgreementEstimator",
    "Answer",
    "AnswerLoop",
    "AnswerReranker",
    "AskedQuestion",
    "Attempt",
    "BatchEstimator",
    "Calibrated",
    "CertaintyLog",
    "CheckedReader",
    "Gate",
    "GateDecision",
    "HiddenStateEstimator",
    "Isotonic",
    "MarginEstimator",
    "Observed",
    "Platt",
    "PublishedReranker",
    "RankedSource",
    "ReaderRounds",
    "Rescorer",
    "SecondReadingEstimator",
    "SemanticEntropyEstimator",
    "Temperature",
    "UqlmEstimator",
    "aestimate_each",
    "answer_weight",
    "auroc",
    "estimate_each",
    "expected_calibration_error",
    "fit_calibration",
    "keep_better",
    "most_reliable",
    "reliability_diagram",
    "rerank",
    "rerank_scores",
    "rescore",
    "scale_for",
]
