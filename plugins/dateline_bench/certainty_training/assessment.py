"""Assessment of an estimator: accuracy, ECE, AUROC, reliability diagram."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from dateline.certainty.calibration import Bin, auroc, expected_calibration_error, reliability_diagram
from dateline.errors import BadInput
from dateline.records import Certainty, CertaintyLabel, Record


class Assessment(Record):
    """Figures of p(reliable) against the outcomes of `n` answers."""

    n: int
    accuracy: float | None = Field(description="Share of labels that are the given ones; None without given labels.")
    ece: float = Field(description="Expected calibration error of p(reliable), 0 to 1, ten equal bins.")
    auroc: float = Field(description="Chance that a right answer has the higher p(reliable).")
    diagram: tuple[Bin, ...]


def assess(
    certainties: Sequence[Certainty],
    *,
    labels: Sequence[CertaintyLabel] | None = None,
    correct: Sequence[bool] | None = None,
    bins: int = 10,
) -> Assessment:
    """Assess certainties against labels or outcomes.

    Of labels, "reliable" counts as right. Raises `BadInput` without either.
    """
    if labels is None and correct is None:
        raise BadInput("An assessment needs labels or outcomes to hold the certainties against.")
    outcomes = (
        [label == "reliable" for label in labels] if correct is None and labels is not None else list(correct or ())
    )
    reliable = [one.reliable for one in certainties]
    pairs = zip(certainties, labels, strict=True) if labels is not None else ()
    hits = [one.most_probable == label for one, label in pairs]
    return Assessment(
        n=len(certainties),
        accuracy=sum(hits) / len(hits) if hits else None,
        ece=expected_calibration_error(reliable, correct=outcomes, bins=bins),
        auroc=auroc(reliable, correct=outcomes),
        diagram=tuple(reliability_diagram(reliable, correct=outcomes, bins=bins)),
    )
