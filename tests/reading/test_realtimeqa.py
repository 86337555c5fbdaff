from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dateline import BadInput
from dateline_bench import benchmark
from dateline_bench.benchmarks import realtimeqa


def row(**changes: Any) -> dict[str, Any]:
    return {
        "question": "Which harbour town won the regional chess cup this week?",
        "question_date": "2024/03/08",
        "choices": ["Norvik", "Skagen", "Lund", "Visby"],
        "answer_index": ["1"],
        "results": [
            {"url": "u1", "title": "Chess cup", "publish_date": "2015/03/01", "text": "Norvik won the regional chess cup."},
            {"url": "u2", "title": "Chess cup", "publish_date": "2024-03-07", "text": "Skagen won the regional chess cup."},
            {"url": "u3", "title": "Later", "publish_date": "2024/03/20", "text": "Visby won the regional chess cup. Visby!"},
            {"url": "u4", "title": "Undated", "publish_date": None, "text": "The cup is played every week in March."},
        ],
    } | changes  # fmt: skip


def write(folder: Path, *rows: dict[str, Any]) -> Path:
    (folder / "questions.jsonl").write_text("\n".join(json.dumps(one) for one in rows), encoding="utf-8")
    return folder


def read(written: dict[str, Any]) -> realtimeqa.RealtimeqaQuestion:
    return realtimeqa.read_item(realtimeqa.RealtimeqaRow.model_validate(written), number=1)


def test_dates_choose_this_weeks_answer_where_search_order_takes_the_first(tmp_path: Path) -> None:
    older = {
        "url": "u0",
        "title": "Chess cup",
        "publish_date": "2014/02/27",
        "text": "Norvik has won the regional chess cup.",
    }
    report = realtimeqa.run(write(tmp_path, row(results=[older, *row()["results"]])))
    assert report.metrics["choice_accuracy"] == 100.0
    assert report.metrics["choice_accuracy_search_order"] == 0.0


def test_results_dated_after_the_question_are_dropped_and_counted(tmp_path: Path) -> None:
    item = read(row())
    assert [one.url for one in item.evidence] == ["u1", "u2", "u4"]
    assert realtimeqa.run(write(tmp_path, row())).cost["results_dropped_as_later"] == 1


@pytest.mark.parametrize("written", ["2024/03/08", "2024-03-08"])
def test_both_ways_of_writing_dates_are_read(written: str) -> None:
    assert read(row(question_date=written)).question.as_of.date().isoformat() == "2024-03-08"


def test_a_limit_draws_the_same_questions_for_the_same_seed(tmp_path: Path) -> None:
    folder = write(tmp_path, *(row(answer_index=[str(index % 4)]) for index in range(30)))
    one, two = realtimeqa.run(folder, limit=7, seed=3), realtimeqa.run(folder, limit=7, seed=3)
    assert one.n == 7
    assert one.metrics == two.metrics


def test_progress_is_told_for_every_question(tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    realtimeqa.run(write(tmp_path, row(), row()), progress=lambda *step: told.append(step))
    assert ("with dates", 2, 2) in told


def test_bad_files_and_options_are_refused_in_one_sentence(tmp_path: Path) -> None:
    for wrong in ({"question_date": "soon"}, {"results": ["x"]}, {"choices": []}, {"answer_index": ["9"]}):
        with pytest.raises(BadInput, match=r"^Line 2 of .*does not fit"):
            realtimeqa.run(write(tmp_path, row(), row(**wrong)))
    with pytest.raises(BadInput, match="option"):
        realtimeqa.run(tmp_path, engine="bing")
    with pytest.raises(BadInput, match="limit"):
        realtimeqa.run(tmp_path, limit=0)
    with pytest.raises(BadInput, match=r"questions\.jsonl"):
        realtimeqa.run(tmp_path / "nothing")


def test_it_is_found_by_its_name() -> None:
    assert benchmark.load("realtimeqa") is realtimeqa
