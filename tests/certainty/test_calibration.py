from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dateline import BadInput
from dateline.certainty import Isotonic, Temperature, auroc, expected_calibration_error, reliability_diagram
from dateline.softmax import log_odds, logistic


def overconfident(n: int = 4000, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Outcomes drawn from honest log-odds, reported at twice their size."""
    rng = np.random.default_rng(seed)
    logits = rng.normal(0.3, 1.2, n)
    correct = rng.random(n) < 1 / (1 + np.exp(-logits))
    return 1 / (1 + np.exp(-2 * logits)), correct


def test_temperature_recovers_how_overconfident_a_reader_is() -> None:
    p, y = overconfident()
    fitted = Temperature.fit(p, correct=y)
    assert fitted.value == pytest.approx(2.0, rel=0.15)
    assert expected_calibration_error(fitted.apply(p), correct=y) < expected_calibration_error(p, correct=y) / 2


def test_isotonic_calibrates_on_data_it_has_not_seen() -> None:
    p, y = overconfident()
    fitted = Isotonic.fit(p[:2000], correct=y[:2000])
    before = expected_calibration_error(p[2000:], correct=y[2000:])
    assert expected_calibration_error(fitted.apply(p[2000:]), correct=y[2000:]) < before / 1.5


@given(st.floats(-1e6, 1e6), st.floats(-12, 12))
def test_log_odds_and_probabilities_turn_into_each_other_without_overflow(far: float, near: float) -> None:
    assert 0 <= logistic(far) <= 1
    assert logistic(near) == pytest.approx(1 / (1 + math.exp(-near)), rel=1e-9)
    assert log_odds(logistic(near), least=1e-9) == pytest.approx(near, abs=1e-6)
    assert log_odds([-0.0, 1.0], least=0.25).tolist() == pytest.approx([-math.log(3), math.log(3)])


pairs = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=60)


@given(pairs)
def test_isotonic_never_falls_and_stays_a_probability(data: list[tuple[float, bool]]) -> None:
    p, y = zip(*data, strict=True)
    curve = Isotonic.fit(p, correct=y).apply(np.linspace(0, 1, 50))
    assert (np.diff(curve) >= -1e-9).all()
    assert ((curve >= 0) & (curve <= 1)).all()


@given(pairs)
def test_temperature_keeps_the_order_and_the_calibration_error_is_a_share(data: list[tuple[float, bool]]) -> None:
    p, y = zip(*data, strict=True)
    cooled = Temperature.fit(p, correct=y).apply(np.sort(p))
    assert (np.diff(cooled) >= 0).all()
    assert 0 <= expected_calibration_error(p, correct=y) <= 1
    assert sum(one.count for one in reliability_diagram(p, correct=y)) == len(p)


@given(pairs)
def test_auroc_is_the_share_of_rightly_ordered_pairs(data: list[tuple[float, bool]]) -> None:
    right = [p for p, y in data if y]
    wrong = [p for p, y in data if not y]
    expected = (
        sum((a > b) + 0.5 * (a == b) for a in right for b in wrong) / (len(right) * len(wrong))
        if right and wrong
        else 0.5
    )
    assert auroc([p for p, _ in data], correct=[y for _, y in data]) == pytest.approx(expected)


def test_a_perfect_forecast_has_no_calibration_error() -> None:
    assert expected_calibration_error([0.0, 1.0, 1.0], correct=[False, True, True]) == 0.0


@pytest.mark.parametrize("bad", [([], []), ([0.5], [True, False]), ([1.5], [True])])
def test_bad_pairs_are_refused(bad: tuple[list[float], list[bool]]) -> None:
    with pytest.raises(BadInput):
        expected_calibration_error(bad[0], correct=bad[1])


def test_bad_options_are_refused() -> None:
    with pytest.raises(BadInput):
        Temperature(0.0)
    with pytest.raises(BadInput):
        reliability_diagram([0.5], correct=[True], bins=0)
    with pytest.raises(BadInput):
        auroc([0.5, 0.1], correct=[True])


def test_auroc_counts_ties_half_and_is_a_half_without_both_outcomes() -> None:
    right = [True, True, False, False]
    assert auroc([0.9, 0.8, 0.2, 0.1], correct=right) == 1.0
    assert auroc([0.5, 0.5, 0.5, 0.5], correct=right) == 0.5
    assert auroc([0.9, 0.3, 0.3, 0.1], correct=right) == 0.875
    assert auroc([0.1], correct=[True]) == 0.5
