"""How fast the answer to a question changes."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dateline.errors import BadInput
from dateline.temporal import Pace, how_fast
from dateline.temporal.pace import BUCKETS, features
from dateline_bench.benchmarks import evergreen


@pytest.mark.parametrize(
    ("slower", "faster"),
    [
        ("Who painted the ceiling of the chapel?", "Who chairs the chapel's board?"),
        ("Who chairs the board?", "What is the newest version of the firmware?"),
        ("Who is the mayor of Utrecht?", "What is the weather in Utrecht right now?"),
        ("When was the harbour built?", "How many ships are in the harbour today?"),
        ("Who won the election in 1987?", "Who won the latest election?"),
    ],
)
def test_what_sounds_faster_goes_out_of_date_sooner(slower: str, faster: str) -> None:
    assert how_fast(slower).outdated(days=30) < how_fast(faster).outdated(days=30)


@pytest.mark.parametrize(
    ("question", "speed"),
    [
        ("Who wrote the opera?", "never"),
        ("Who is the finance minister of Latvia?", "years"),
        ("What is the latest version of the compiler?", "months"),
        ("What is the share price of the airline right now?", "hours"),
    ],
)
def test_clear_cases_have_their_speed(question: str, speed: str) -> None:
    assert how_fast(question).speed == speed


@given(st.text(max_size=300))
def test_any_text_has_chances_that_add_up_to_one(text: str) -> None:
    pace = how_fast(text)
    assert sum(pace) == pytest.approx(1.0)
    assert all(0 <= chance <= 1 for chance in pace)
    assert all(0 <= bucket < BUCKETS for bucket in features(text))


@given(st.lists(st.floats(0.01, 1.0), min_size=5, max_size=5), st.floats(0.05, 0.95))
def test_an_answer_is_kept_until_the_risk_and_no_longer(weights: list[float], risk: float) -> None:
    pace = Pace(*(weight / sum(weights) for weight in weights))
    kept = pace.lifetime(risk=risk)
    if kept is None:
        assert 1 - pace.never <= risk
        assert pace.outdated(days=1e6) <= risk + 1e-9
    else:
        days = kept / timedelta(days=1)
        assert pace.outdated(days=days) <= risk + 1e-6
        assert pace.outdated(days=1.01 * days + 1e-6) >= risk - 1e-6


def test_nothing_is_outdated_at_once_and_what_never_changes_never_is() -> None:
    assert how_fast("Who is on duty?").outdated(days=0) == 0.0
    assert Pace(1.0, 0.0, 0.0, 0.0, 0.0).outdated(days=1e9) == 0.0
    assert Pace(1.0, 0.0, 0.0, 0.0, 0.0).lifetime() is None


def test_what_is_known_to_change_has_no_chance_to_stay() -> None:
    assert Pace(0.8, 0.1, 0.1, 0.0, 0.0).changing == (0.0, 0.5, 0.5, 0.0, 0.0)
    assert Pace(1.0, 0.0, 0.0, 0.0, 0.0).changing.speed == "years"


def test_a_risk_outside_0_to_1_is_refused() -> None:
    with pytest.raises(BadInput, match="between 0 and 1, not 2"):
        how_fast("Who leads it?").lifetime(risk=2)


# -- the benchmark --------------------------------------------------------------------------------


def test_columns_are_found_by_name_in_any_order_and_files_are_read_together(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(
        ",is_evergreen,en_Answer,English,German\n0,1,Ole,Who built the ark?,Wer baute die Arche?\n1,,x,Who?,Wer?\n",
        encoding="utf-8",
    )
    (tmp_path / "b.csv").write_text(
        "english,IS_EVERGREEN\nWhat is the weather like right now?,0\n", encoding="utf-8-sig"
    )
    report = evergreen.run(tmp_path)
    assert report.n == 2
    assert report.metrics["auroc"] == 100.0
    assert "auroc_german" not in report.metrics  # of one class alone nothing can be said
    assert report.configuration["languages"]["German"] == {"n": 1, "evergreen": 1, "not": 0}
    assert report.baselines["the commoner label"]["accuracy"] == 50.0


def test_a_folder_without_labels_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no labelled question"):
        evergreen.run(tmp_path)
    (tmp_path / "a.csv").write_text("English\nWho?\n", encoding="utf-8")
    with pytest.raises(BadInput, match="no column is_evergreen"):
        evergreen.run(tmp_path)
