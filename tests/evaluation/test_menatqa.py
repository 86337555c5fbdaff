"""The MenatQA benchmark on a page and questions of our own."""

from pathlib import Path
from typing import Any

import pytest

from dateline import BadInput
from dateline_bench import rows
from dateline_bench.benchmarks import menatqa

PARAGRAPHS = [
    "The lighthouse of Westhaven was kept by Ada Quill from 1901 to 1912 . She lived in the tower .",
    "Bo Winter kept the lighthouse of Westhaven from 1913 to 1930 . He repaired the lamp .",
    "Westhaven lies on the northern coast . Its lighthouse is painted white .",
]


def row(**changes: Any) -> dict[str, Any]:
    return {
        "ID": 1,
        "type": "narrow",
        "time_scope": ["1901", "1912"],
        "question": "Who kept the lighthouse of Westhaven from 1901 to 1912?",
        "answer": "Ada Quill",
        "updated_question": "Who kept the lighthouse of Westhaven from 1904 to 1909?",
        "updated_answer": "Ada Quill",
        "annotated_para": PARAGRAPHS[0],
        "context": [{"title": "Westhaven Light", "text": text, "updated_text": ""} for text in PARAGRAPHS],
    } | changes


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_recall_is_reported_by_type_beside_its_baselines(tmp_path: Path) -> None:
    rows.write(tmp_path / "questions.jsonl.gz", [row(), row(type="counterfactual")])
    report = menatqa.run(tmp_path)
    assert report.n == 2
    assert {"time_scope_recall@1", "narrow_recall@1", "counterfactual_recall@1", "recall@1"} <= set(report.metrics)
    assert report.metrics["time_scope_recall@1"] == report.metrics["narrow_recall@1"] == 100
    assert set(report.baselines) == {"semantic", "bm25"}
    assert report.configuration["questions"]["recall@1"] == 4


def test_a_depth_that_takes_every_paragraph_is_not_counted(tmp_path: Path) -> None:
    rows.write(tmp_path / "questions.jsonl", [row()])
    assert "recall@3" not in menatqa.run(tmp_path).metrics


def test_rows_without_a_choice_are_left_out(tmp_path: Path) -> None:
    alone = row(context=row()["context"][:1])
    rows.write(tmp_path / "questions.jsonl", [row(), alone, row(annotated_para="Another page altogether .")])
    report = menatqa.run(tmp_path)
    assert (report.n, report.configuration["left_out"]) == (1, 2)
    rows.write(tmp_path / "questions.jsonl", [alone])
    with pytest.raises(BadInput, match="holds no question"):
        menatqa.run(tmp_path)


def test_the_evidence_is_the_part_of_a_cut_paragraph_with_the_answer() -> None:
    annotated = " ".join(PARAGRAPHS[:2])
    assert menatqa.gold_of(PARAGRAPHS, annotated=annotated, answer="Bo Winter") == {1}
    assert menatqa.gold_of(PARAGRAPHS, annotated=annotated, answer="somebody else") == {0, 1}


def test_a_limit_draws_that_many_rows(tmp_path: Path) -> None:
    rows.write(tmp_path / "questions.jsonl", [row(), row(), row()])
    assert menatqa.run(tmp_path, limit=2, seed=3).n == 2


def test_missing_fields_and_unknown_options_are_refused(tmp_path: Path) -> None:
    rows.write(tmp_path / "questions.jsonl", [{"question": "Who?"}])
    with pytest.raises(BadInput, match=r"^Line 1 of .* updated_question"):
        menatqa.run(tmp_path)
    with pytest.raises(BadInput, match="Unknown option 'speed'"):
        menatqa.run(tmp_path, speed="fast")
