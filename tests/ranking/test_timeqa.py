"""The TimeQA benchmark on a page and questions of our own."""

from pathlib import Path

import pytest

from dateline import BadInput
from dateline_bench import rows
from dateline_bench.benchmarks import timeqa

PASSAGES = [
    {"id": 7, "title": "Westhaven Light", "text": "The lighthouse was kept by Ada Quill from 1901 to 1912 ."},
    {"id": 8, "title": "Westhaven Light", "text": "Bo Winter kept the lighthouse from 1913 to 1930 ."},
    {"id": 9, "title": "Rye bread", "text": "Rye bread is baked at dawn ."},
]
QUESTIONS = [
    {"question": "Who kept Westhaven Light in 1905?", "kind": "perturbed", "answers": ["Ada Quill"], "gold": [7]},
    {"question": "Who kept Westhaven Light from 1913 to 1930?", "kind": "key", "answers": ["Bo Winter"], "gold": [8]},
]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows.write(tmp_path / "passages.jsonl", PASSAGES)
    rows.write(tmp_path / "questions.jsonl.gz", QUESTIONS)
    return tmp_path


def test_it_reports_recall_beside_its_baselines(folder: Path) -> None:
    report = timeqa.run(folder)
    assert report.n == 2
    assert report.metrics["perturbed_AR@1"] == report.metrics["key_ER@1"] == 100
    assert set(report.baselines) == {"bm25", "embeddings", "fusion", "mrag_years"}
    assert all(0 <= value <= 100 for value in report.metrics.values())


def test_a_limit_draws_that_many_questions(folder: Path) -> None:
    assert timeqa.run(folder, limit=1, seed=3).n == 1


def test_missing_files_and_unknown_options_are_refused(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(BadInput, match="passages"):
        timeqa.run(tmp_path / "nowhere")
    with pytest.raises(BadInput, match="Unknown option 'speed'"):
        timeqa.run(folder, speed="fast")
