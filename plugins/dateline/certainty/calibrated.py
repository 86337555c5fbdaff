"""Any estimator with a calibration behind it, kept as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from dateline.certainty.batch_estimator import estimate_each
from dateline.certainty.calibration import Isotonic, Temperature
from dateline.certainty.gate import NOTHING
from dateline.errors import BadInput, check_choice
from dateline.files import make_folder, read_bytes, write_whole
from dateline.flow import Flow, call, twins
from dateline.protocols import Estimator
from dateline.records import Certainty, Evidence, Reading
from dateline.temporal.constraint import Question

Calibration = Temperature | Isotonic
CalibrationMethod = Literal["temperature", "isotonic"]


class Calibrated:
    """An estimator with a calibration of p(reliable).

    The other two labels keep their proportion. Where nothing gives an answer, nothing is calibrated.

    Fit with `fit_calibration` on answers that the estimator was not trained on.

    Raises:
        BadInput: for another calibration than `Temperature` or `Isotonic`.

    Example:
        >>> from dateline.certainty import MarginEstimator
        >>> Calibrated(MarginEstimator(), Temperature(2.0)).save("calibration.json")
        >>> Calibrated.load("calibration.json", estimator=MarginEstimator()).calibration
        Temperature(value=2.0)
    """

    def __init__(self, estimator: Estimator, calibration: Calibration) -> None:
        self.estimator, self.calibration = estimator, _checked(calibration)

    @classmethod
    def load(cls, path: str | Path, *, estimator: Estimator) -> Calibrated:
        """Put a saved calibration behind `estimator`. Raises `BadInput` for other files."""
        return cls(estimator, load_calibration(path))

    def save(self, path: str | Path) -> None:
        """Write the calibration, not the estimator, as JSON."""
        save_calibration(self.calibration, path=path)

    def _estimate(self, question: Question, *, evidence: Sequence[Evidence], reading: Reading) -> Flow[Certainty]:
        """Return the calibrated probabilities of the three labels."""
        found = yield from call(self.estimator.estimate, question, evidence=evidence, reading=reading)
        return rescaled(found, calibration=self.calibration)

    def _estimate_each(
        self, question: Question, *, evidence: Sequence[Evidence], readings: Sequence[Reading], known: int = 0
    ) -> Flow[list[Certainty]]:
        """Return the calibrated certainty of each reading."""
        found = yield from call(
            estimate_each, self.estimator, question, evidence=evidence, readings=readings, known=known
        )
        return [rescaled(one, calibration=self.calibration) for one in found]

    estimate, aestimate = twins(_estimate)
    estimate_each, aestimate_each = twins(_estimate_each)


def rescaled(certainty: Certainty, *, calibration: Calibration) -> Certainty:
    """Return calibrated p(reliable), the rest shared as before or uncertain.

    Where there is no answer, or no estimate, no map makes one.
    """
    if certainty == NOTHING:
        return certainty
    reliable = float(np.clip(calibration.apply([certainty.reliable])[0], 0.0, 1.0))
    rest = certainty.misleading + certainty.uncertain
    misleading = (1 - reliable) * certainty.misleading / rest if rest > 0 else 0.0
    return Certainty(reliable=reliable, misleading=misleading, uncertain=max(0.0, 1 - reliable - misleading))


def fit_calibration(
    certainties: Sequence[Certainty], *, correct: ArrayLike, method: CalibrationMethod = "temperature"
) -> Calibration:
    """Fit a calibration of p(reliable) to outcomes. Raises `BadInput`."""
    check_choice(method, name="method", choices=get_args(CalibrationMethod))
    kind = Temperature if method == "temperature" else Isotonic
    return kind.fit([one.reliable for one in certainties], correct=correct)


def save_calibration(calibration: Calibration, *, path: str | Path) -> None:
    """Write a calibration as JSON: a temperature, or isotonic knots."""
    _checked(calibration)
    values: dict[str, Any] = (
        {"method": "temperature", "temperature": calibration.value}
        if isinstance(calibration, Temperature)
        else {"method": "isotonic", "knots": [list(knot) for knot in calibration.knots]}
    )
    make_folder(Path(path).parent)
    write_whole(Path(path), json.dumps(values) + "\n")


def load_calibration(path: str | Path) -> Calibration:
    """Read a calibration that `save_calibration` wrote. Raises `BadInput` for others."""
    try:
        values = json.loads(read_bytes(Path(path)))
        if values["method"] == "temperature":
            return Temperature(float(values["temperature"]))
        if values["method"] == "isotonic":
            return _isotonic(values["knots"])
    except (OSError, ValueError, KeyError, TypeError, IndexError) as cause:
        raise BadInput(f"{path} is no calibration; make one with: dateline certainty calibrate.") from cause
    raise BadInput(f'{path} names the method {values["method"]!r}; it must be "temperature" or "isotonic".')


def _checked(calibration: Calibration) -> Calibration:
    """Return a calibration that can be saved.

    Raises `BadInput` for another.
    """
    if not isinstance(calibration, Temperature | Isotonic):
        raise BadInput(f"A {type(calibration).__name__} cannot be saved; give a Temperature or an Isotonic.")
    return calibration


def _isotonic(knots: Sequence[Sequence[float]]) -> Isotonic:
    pairs = tuple((float(raw), float(made)) for raw, made in knots)
    rising = all(a[0] < b[0] and a[1] <= b[1] for a, b in pairwise(pairs))
    if not pairs or not rising or not all(0 <= value <= 1 for pair in pairs for value in pair):
        raise BadInput("The knots of an isotonic calibration must be probabilities that rise.")
    return Isotonic(pairs)
