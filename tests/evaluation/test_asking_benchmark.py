"""The benchmark of questions to a store."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dateline.errors import BadInput
from dateline_bench import benchmark
from dateline_bench.benchmarks.asking import load

ROOT = Path(__file__).parents[2]
WORLD = {
    "many": ["language"],
    "facts": [
        ["Ada Berg", "employer", "Tolvex", "2020-01-01"],
        ["Ada Berg", "language", "Danish", "2010-01-01"],
        ["Ada Berg", "language", "Polish", "2010-01-01"],
    ],
    "questions": [
        {"question": "Who is Ada Berg's employer?", "answer": ["Tolvex"], "kind": "one"},
        {"question": "Which languages does Ada Berg speak?", "answer": ["Polish", "Danish"], "kind": "one"},
        {"question": "Where does Karl Otto live?", "answer": [], "kind": "none"},
    ],
}


def write(folder: Path, *worlds: object) -> Path:
    (folder / "worlds.jsonl").write_text("\n".join(map(json.dumps, worlds)))
    return folder


def test_all_values_are_asked_for_and_none_where_nothing_answers(tmp_path: Path) -> None:
    report = benchmark.load("asking").run(write(tmp_path, WORLD))
    assert report.n == 3
    assert report.metrics == {"right": 100.0, "right_one": 100.0, "right_none": 100.0, "wrong": 0.0}
    assert report.baselines["the nearest fact"]["right_none"] == 0.0


def test_a_folder_without_worlds_and_a_world_without_facts_or_questions_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"no NAME\.jsonl"):
        load(tmp_path)
    for empty in ("facts", "questions"):
        with pytest.raises(BadInput, match=rf"Line 1 .* {empty}"):
            load(write(tmp_path, {**WORLD, empty: []}))


def test_a_world_of_which_nothing_is_true_yet_answers_nothing(tmp_path: Path) -> None:
    later = {**WORLD, "facts": [["Ada Berg", "employer", "Tolvex", "2030-01-01"]], "questions": WORLD["questions"][2:]}
    report = benchmark.load("asking").run(write(tmp_path, later))
    assert report.metrics["right_none"] == report.baselines["the nearest fact"]["right_none"] == 100.0


@pytest.mark.parametrize("folder", ["training/worlds", "benchmarks/asking"])
def test_the_answers_that_ship_are_values_or_subjects_of_their_world(folder: str) -> None:
    for world in load(ROOT / folder):
        said = {name for subject, _, value, _ in world.facts for name in (subject, value)}
        assert all(set(each.answer) <= said and bool(each.answer) != (each.kind == "none") for each in world.questions)
