"""Estimators of one chat model, calibrated and compared on labelled rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from langchain_core.language_models import BaseChatModel

from dateline.certainty.agreement import AgreementEstimator
from dateline.certainty.calibrated import fit_calibration, rescaled
from dateline.certainty.logprobs import LogprobEstimator
from dateline.certainty.second_reading import SecondReadingEstimator
from dateline.certainty.self_report import SelfReportEstimator
from dateline.certainty.semantic_entropy import SemanticEntropyEstimator
from dateline.certainty.uqlm import UqlmEstimator
from dateline.errors import BadInput, require
from dateline.protocols import Estimator
from dateline.reading.chat import ChatReader
from dateline_bench.certainty_training.assessment import Assessment, assess
from dateline_bench.certainty_training.labelled import LabelledReading, held_out

UQLM = "uqlm:"
"""Before the name of one of uqlm's black-box scorers."""
NAMES = ("self_report", "logprobs", "agreement", "semantic_entropy", "second_reading")


def estimator_named(name: str, *, model: BaseChatModel, samples: int) -> Estimator:
    """Make an estimator of a chat model's answers.

    Raises:
        BadInput: for another name than `NAMES` and "uqlm:SCORER".
        MissingExtra: for uqlm's without uqlm.
    """
    reader = ChatReader(model)
    match name:
        case "self_report":
            return SelfReportEstimator(model)
        case "logprobs":
            return LogprobEstimator(model)
        case "agreement":
            return AgreementEstimator(reader, samples=samples)
        case "semantic_entropy":
            return SemanticEntropyEstimator(reader, samples=samples)
        case "second_reading":
            return SecondReadingEstimator()
    if not name.startswith(UQLM):
        raise BadInput(f"There is no estimator {name!r}; choose of {', '.join(NAMES)}, uqlm:SCORER.")
    column = name.removeprefix(UQLM)
    scorer = require("uqlm", package="uqlm", extra="uqlm").BlackBoxUQ(scorers=[column])
    return UqlmEstimator(scorer, column=column, model=reader, samples=samples)


def compared(
    rows: Sequence[LabelledReading],
    *,
    model: BaseChatModel,
    estimators: Mapping[str, Estimator],
    seed: int = 0,
) -> dict[str, Assessment]:
    """Assess each estimator as it is and calibrated, over the same answers.

    The model answers each row from its documents, once; "reliable" rows count as right. A calibration is fitted on half of
    each label's rows, drawn with `seed`, and both are measured on the others.
    """
    reader = ChatReader(model)
    found: dict[str, Assessment] = {}
    fitted, others = held_out(rows, share=0.5, seed=seed)
    if not fitted or not others:
        raise BadInput(f"{len(rows)} rows are too few to calibrate on one half and measure on the other.")
    labels = [row.label for row in others]
    answered = [(row, reader.read(row.question, evidence=row.documents).reading) for row in (*fitted, *others)]
    for name, estimator in estimators.items():
        said = [estimator.estimate(row.question, evidence=row.documents, reading=reading) for row, reading in answered]
        raw = said[len(fitted) :]
        correct = [row.label == "reliable" for row in fitted]
        calibration = fit_calibration(said[: len(fitted)], correct=correct, method="isotonic")
        found[name] = assess(raw, labels=labels)
        found[f"{name}, calibrated"] = assess([rescaled(one, calibration=calibration) for one in raw], labels=labels)
    return found
