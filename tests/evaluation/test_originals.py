"""Public originals become the files that the benchmarks read; the fixtures follow the published formats."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from dateline import BadInput
from dateline_bench.benchmark import convertible
from dateline_bench.originals import realtimeqa, timeqa
from dateline_bench.rows import read, write


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    paras = [
        "Northern Observatory",
        "The Northern Observatory is an observatory on a hill above the harbour of a small town .",
        "Directors .",
        "Anna Berg led the Northern Observatory from 1998 until 2004 , when Carl Dahl took over from her .",
        "External links .",
    ]
    span = {"para": 3, "from": 0, "end": 9, "answer": "Anna Berg"}
    questions = [
        ["Who led the Northern Observatory from 1998 to 2004?", [span]],
        ["Who led the Northern Observatory from 1950 to 1951?", [{"para": 3, "from": 0, "end": 0, "answer": ""}]],
    ]
    page = {"index": "/wiki/N#P1", "type": "P1", "link": "/wiki/N", "paras": paras, "questions": questions}
    folder = tmp_path / "dataset"
    folder.mkdir()
    (folder / "human_annotated_test.json").write_text(json.dumps([page]), encoding="utf-8")
    return folder


def test_sentences_are_packed_into_passages_and_the_annotated_one_is_gold(pages: Path, tmp_path: Path) -> None:
    written = timeqa.build(pages, tmp_path / "out")
    passages, questions = (list(read(path)) for path in written)
    assert [passage["id"] for passage in passages] == list(range(len(passages)))
    key = questions[0]
    assert key["kind"] == "key"
    (gold,) = key["gold"]
    assert "Anna Berg led" in passages[gold]["text"]
    assert all(len(passage["text"].split()) <= timeqa.MOST_WORDS for passage in passages)
    assert key["answers"] == ["Anna Berg"]


def test_a_perturbed_question_asks_for_a_moment_inside_the_annotated_range(pages: Path, tmp_path: Path) -> None:
    _, questions = (list(read(path)) for path in timeqa.build(pages, tmp_path / "out"))
    perturbed = [question for question in questions if question["kind"] == "perturbed"]
    assert len(perturbed) == 1
    assert "from 1998 to 2004" not in perturbed[0]["question"]
    year = int(perturbed[0]["constraint"][-4:])
    assert 1999 <= year <= 2003


def test_building_twice_gives_the_same_files(pages: Path, tmp_path: Path) -> None:
    first = [list(read(path)) for path in timeqa.build(pages, tmp_path / "a")]
    second = [list(read(path)) for path in timeqa.build(pages, tmp_path / "b")]
    assert first == second


def test_another_format_is_refused_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "human_annotated_x.json").write_text('[{"link": "x"}]', encoding="utf-8")
    with pytest.raises(BadInput, match="not in the format"):
        timeqa.build(tmp_path, tmp_path / "out")
    with pytest.raises(BadInput, match="holds no"):
        realtimeqa.build(tmp_path, tmp_path / "out")


def test_questions_and_search_results_of_a_week_are_joined(tmp_path: Path) -> None:
    question = {
        "question_id": "20300101_0",
        "question_date": "2030/01/01",
        "question_sentence": "Which harbour froze?",
        "choices": ["North", "South"],
        "answer": ["1"],
    }
    result = {"url": "u", "title": "t", "text": "x" * 5000, "publish_date": "2029/12/30", "authors": []}
    write(tmp_path / "past" / "20300101_qa.jsonl", [question, {**question, "question_id": "unsearched"}])
    write(
        tmp_path / "past" / "20300101_gcs.jsonl",
        [{"question_id": "20300101_0", "search_time": "2030/01/01/10:00", "search_result": [result]}],
    )
    ((path, count),) = realtimeqa.build(tmp_path / "past", tmp_path / "out").items()
    (row,) = read(path)
    assert count == 1
    assert row["answer"] == "South"
    assert len(row["results"][0]["text"]) == realtimeqa.MOST_CHARACTERS


def test_the_page_names_the_originals_that_are_converted() -> None:
    page = (Path(__file__).parents[2] / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    told = re.search(r"`dateline data build NAME SRC OUT` converts the public originals of(.+?);", page, re.S)
    assert told is not None
    assert sorted(re.findall(r"`(\w+)`", told[1])) == convertible()
