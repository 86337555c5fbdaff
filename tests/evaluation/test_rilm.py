from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from dateline import BadInput, Certainty
from dateline.certainty import Platt
from dateline.records import Reading
from dateline.temporal import decompose
from dateline_bench.benchmarks import rilm
from dateline_bench.benchmarks.rilm import half, recalibrated
from dateline_bench.rilm_tasks import RilmTask

NAMES = ["Ada Berg", "Carl Dahl", "Eva Falk", "Gus Holm", "Ida Jung", "Kai Lund"]


@pytest.fixture
def quiz(tmp_path: Path) -> Path:
    """Six made-up quiz questions, each with five results, the third of which answers."""
    rows = []
    for number, name in enumerate(NAMES):
        texts = [f"The harbour of town {number} was quiet in week {week}." for week in range(4)]
        texts.insert(2, f"{name} was elected mayor of town {number}.")
        results = [{"url": "", "title": "", "publish_date": "2023/03/01", "text": text} for text in texts]
        rows.append(
            {
                "question": f"Who was elected mayor of town {number}?",
                "question_date": "2023/03/02",
                "choices": [name, "Moa Nord", "Ola Prim", "Rut Sand"],
                "answer_index": ["0"],
                "results": results,
            }
        )
    (tmp_path / "questions.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return tmp_path


def test_the_papers_tables_are_measured_over_a_quiz(quiz: Path) -> None:
    report = rilm.run(quiz)
    assert report.n == len(NAMES)
    assert report.metrics["first_F1"] == 100
    assert 0 <= report.metrics["adopted_share"] <= 100
    assert {"auroc", "ece", "final_F1", "label_accuracy"} <= set(report.metrics)
    assert report.configuration["labels"] == {"reliable": len(NAMES)}
    assert report.metrics == rilm.run(quiz).metrics


def test_a_wrong_choice_earns_nothing_for_the_words_that_it_shares() -> None:
    task = RilmTask(
        decompose("Where is it?", as_of=datetime(2024, 1, 1, tzinfo=UTC)),
        golds=("New York City",),
        candidates=(),
        gold=frozenset(),
        group="",
        choices=("New York", "New York City"),
        right=frozenset({1}),
    )
    wrong, right = (Reading(answer=name, choice=place) for place, name in enumerate(task.choices))
    assert (task.f1(wrong), task.is_right(wrong)) == (0, False)
    assert (task.f1(right), task.is_right(right)) == (1, True)


def test_an_option_and_an_empty_folder_are_refused(quiz: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="has adopt and pages"):
        rilm.run(quiz, colour="blue")
    with pytest.raises(BadInput, match="all or validation"):
        rilm.run(quiz, pages="some")
    with pytest.raises(BadInput, match="Only TimeQA"):
        rilm.run(quiz, pages="validation")
    with pytest.raises(BadInput, match="adopt=label"):
        rilm.run(quiz, adopt="sometimes")
    with pytest.raises(BadInput, match="at least 1"):
        rilm.run(quiz, limit=0)
    with pytest.raises(BadInput, match=r"questions\.jsonl"):
        rilm.run(tmp_path / "elsewhere")


def test_the_halves_are_about_equal_and_stay_as_they_are() -> None:
    sides = [half(f"page {number}") for number in range(200)]
    assert 80 < sum(sides) < 120
    assert sides == [half(f"page {number}") for number in range(200)]


def test_calibrating_one_label_leaves_the_proportion_of_the_others() -> None:
    before = Certainty(reliable=0.5, misleading=0.1, uncertain=0.4)
    after = recalibrated(before, by=Platt(scale=1.0, shift=-1.0))
    assert after.reliable < before.reliable
    assert after.misleading / after.uncertain == pytest.approx(0.25)
    assert after.reliable + after.misleading + after.uncertain == pytest.approx(1)
    assert recalibrated(before, by=None) == before


def test_a_line_through_the_log_odds_mends_a_reader_that_is_always_too_sure() -> None:
    sure = [0.9, 0.8, 0.95, 0.85] * 25
    right = [True, False, False, False] * 25
    made = Platt.fit(sure, correct=right).apply(sure)
    assert made.mean() == pytest.approx(0.25, abs=0.02)
