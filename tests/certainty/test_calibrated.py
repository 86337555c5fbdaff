from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dateline import BadInput, Certainty, Evidence, Question, Reading
from dateline.certainty import Gate, Isotonic, Platt, Temperature, estimate_each
from dateline.certainty.calibrated import Calibrated, fit_calibration, load_calibration, rescaled, save_calibration
from dateline.certainty.gate import NOTHING
from dateline.certainty.self_report import SelfReportEstimator
from dateline.protocols import Estimator
from dateline.testing import ReadingEstimator
from dateline_bench.certainty_training.assessment import assess
from langchain_dateline.testing import ScriptedChatModel

QUESTION = Question("Who?", "Who?", None, datetime(2026, 1, 1, tzinfo=UTC))
SHARES = st.tuples(*[st.floats(0.0, 1.0)] * 3).filter(lambda three: sum(three) > 0.01)


def certainty(reliable: float) -> Certainty:
    return Certainty(reliable=reliable, misleading=(1 - reliable) / 4, uncertain=3 * (1 - reliable) / 4)


def boastful(count: int = 400) -> tuple[list[Certainty], list[bool]]:
    """Answers that are right less often than they are said to be."""
    random = np.random.default_rng(0)
    said = random.uniform(0.3, 1.0, count)
    right = random.uniform(size=count) < said**4
    return [certainty(float(one)) for one in said], [bool(one) for one in right]


@given(SHARES, st.floats(0.1, 10.0))
def test_calibrated_labels_add_up_and_the_other_two_keep_their_proportion(
    shares: tuple[float, float, float], temperature: float
) -> None:
    total = sum(shares)
    raw = Certainty(reliable=shares[0] / total, misleading=shares[1] / total, uncertain=shares[2] / total)
    made = rescaled(raw, calibration=Temperature(temperature))
    assert made.reliable + made.misleading + made.uncertain == pytest.approx(1.0)
    if raw.misleading + raw.uncertain > 1e-3:
        assert made.misleading * raw.uncertain == pytest.approx(made.uncertain * raw.misleading, abs=1e-6)


@pytest.mark.parametrize("method", ["temperature", "isotonic"])
def test_calibration_lowers_the_error_on_answers_it_was_not_fitted_on(method: str) -> None:
    found, right = boastful()
    calibration = fit_calibration(found[:200], correct=right[:200], method=method)  # type: ignore[arg-type]
    before = assess(found[200:], correct=right[200:])
    after = assess([rescaled(one, calibration=calibration) for one in found[200:]], correct=right[200:])
    assert after.ece < before.ece
    assert after.auroc == pytest.approx(before.auroc, abs=0.05)


@pytest.mark.parametrize("calibration", [Temperature(2.5), Isotonic(((0.1, 0.0), (0.5, 0.25), (0.9, 1.0)))])
async def test_a_calibration_is_kept_as_json_and_put_behind_any_estimator(
    calibration: Temperature | Isotonic, tmp_path: Path
) -> None:
    path = tmp_path / "deep" / "calibration.json"
    Calibrated(ReadingEstimator(), calibration).save(path)
    assert load_calibration(path) == calibration
    made = Calibrated.load(path, estimator=ReadingEstimator())
    assert isinstance(made, Estimator)
    reading = Reading(answer="x", probability=0.7)
    found = made.estimate(QUESTION, evidence=[], reading=reading)
    assert found.reliable == pytest.approx(float(calibration.apply([0.7])[0]))
    assert await made.aestimate(QUESTION, evidence=[], reading=reading) == found
    page = Evidence.make("A page.")
    assert made.estimate_each(QUESTION, evidence=[page], readings=[reading]) == [found]
    assert await made.aestimate_each(QUESTION, evidence=[page], readings=[reading]) == [found]


def test_a_sure_answer_that_calibration_doubts_becomes_uncertain() -> None:
    sure = Certainty(reliable=1.0, misleading=0.0, uncertain=0.0)
    doubted = rescaled(sure, calibration=Isotonic(((0.0, 0.0), (1.0, 0.6))))
    assert (doubted.reliable, doubted.misleading, doubted.uncertain) == pytest.approx((0.6, 0.0, 0.4))


BOASTED = Isotonic(((0.85, 0.7), (0.99, 0.9)))
"""Of a model that never says less than 0.85."""


def test_no_calibration_makes_an_answer_of_none() -> None:
    assert rescaled(NOTHING, calibration=BOASTED) == NOTHING
    assert rescaled(NOTHING, calibration=Temperature(9.0)) == NOTHING


def test_an_unreadable_reply_adopts_nothing_behind_a_calibration_either() -> None:
    estimator = Calibrated(SelfReportEstimator(ScriptedChatModel(replies=["Sure!"])), BOASTED)
    found = estimator.estimate(QUESTION, evidence=[Evidence.make("A page.")], reading=Reading(answer="Ann"))
    assert Gate().decide(found).outcome == "retrieve"
    assert Gate().decide(found, round=1).outcome == "keep"


def test_a_calibration_that_cannot_be_saved_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="Platt cannot be saved; give a Temperature or an Isotonic"):
        Calibrated(ReadingEstimator(), Platt())  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="Platt"):
        save_calibration(Platt(), path=tmp_path / "one.json")  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"method": "platt"}',
        '{"method": "temperature", "temperature": 0}',
        '{"method": "isotonic", "knots": [[0.5, 0.5], [0.2, 0.9]]}',
        '{"method": "isotonic", "knots": [[0.5, 7]]}',
        '{"method": "isotonic", "knots": []}',
    ],
)
def test_a_file_that_is_no_calibration_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text(text)
    with pytest.raises(BadInput):
        load_calibration(tmp_path / "bad.json")


def test_an_assessment_counts_labels_and_outcomes() -> None:
    found = [certainty(0.9), certainty(0.8), certainty(0.1)]
    made = assess(found, labels=["reliable", "uncertain", "uncertain"])
    assert made.accuracy == pytest.approx(2 / 3)
    assert made.auroc == 1.0
    assert sum(one.count for one in made.diagram) == made.n == 3
    assert assess(found, correct=[True, True, False]).accuracy is None
    with pytest.raises(BadInput):
        assess(found)
    with pytest.raises(BadInput):
        fit_calibration(found, correct=[True, True, False], method="platt")  # type: ignore[arg-type]


def test_a_reliability_diagram_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from dateline_bench.certainty_training.figure import reliability_figure

    found, right = boastful(40)
    path = reliability_figure({"one": assess(found, correct=right)}, path=tmp_path / "new" / "diagram.png")
    assert path.read_bytes().startswith(b"\x89PNG")
    with pytest.raises(BadInput):
        reliability_figure({}, path=path)


def test_the_json_of_a_calibration_is_plain(tmp_path: Path) -> None:
    save_calibration(Temperature(2.0), path=tmp_path / "one.json")
    assert json.loads((tmp_path / "one.json").read_text()) == {"method": "temperature", "temperature": 2.0}


@pytest.mark.parametrize("known", [0, 1, 2])
def test_what_was_judged_in_an_earlier_round_is_not_judged_again(known: int) -> None:
    judged: list[str] = []

    class Counting(ReadingEstimator):
        def estimate(self, question: Question, *, evidence: Sequence[Evidence], reading: Reading) -> Certainty:
            judged.append(reading.answer)
            return super().estimate(question, evidence=evidence, reading=reading)

    readings = [Reading(answer=name, probability=0.5) for name in ("Ann", "Bo")]
    pieces = [Evidence.make(one.answer) for one in readings]
    estimator = Calibrated(Counting(), Temperature(1.0))
    found = estimate_each(estimator, QUESTION, evidence=pieces, readings=readings, known=known)
    assert judged == ["Ann", "Bo"][known:]
    assert len(found) == len(judged)
