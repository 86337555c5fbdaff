"""Files at fault are refused in one sentence that names them."""

import json
from pathlib import Path
from typing import Any

import pytest

from dateline import BadInput
from dateline_bench import benchmark

_PAIR = {"premise": "a", "hypothesis": "b", "label": "neutral"}
_PASSAGE = {"id": 0, "title": "Tower", "text": "The tower was built in 1990."}
_ANSWER = {"answer": "Ada", "from": "2020-01-01", "to": None}
_TALK = {
    "session_1": [{"dia_id": "D1:1", "text": "Hi.", "speaker": "Ada"}],
    "session_1_date_time": "1:05 pm on 8 May, 2023",
}
_MENATQA = {
    "question": "Who led it in 2001?",
    "updated_question": "Who led it in 2002?",
    "type": "narrow",
    "answer": "Ada",
    "annotated_para": "Ada led it.",
    "context": [{"text": "Ada led it."}],
}


def rows(*given: Any) -> bytes:
    return "\n".join(json.dumps(one) for one in given).encode()


@pytest.mark.parametrize(
    ("name", "files"),
    [
        ("situatedqa", {"temporal.jsonl": rows({"question": "who won", "edited_question": "who won in 2001"})}),
        ("menatqa", {"questions.jsonl": rows(_MENATQA)}),
        ("timeqa", {"passages.jsonl": rows(_PASSAGE | {"text": 5}), "questions.jsonl": rows({})}),
        ("timeqa", {"passages.jsonl": rows(_PASSAGE), "questions.jsonl": rows({"question": "Who?"})}),
        ("timeqa", {"passages.jsonl": rows(_PASSAGE), "questions.jsonl": b""}),
        ("clark", {"stream.jsonl": rows({"date": "2020-01-01", "text": "x"}), "items.jsonl": rows(
            {"question": "Who?", "choices": ["Ada"], "answers": None})}),
        ("clark", {"stream.jsonl": rows({"date": "2020-01-01", "text": "x"}), "items.jsonl": rows(
            {"question": "Who?", "choices": ["Ada"], "answers": [_ANSWER | {"from": "May"}]})}),
        ("locomo", {"one.json": rows({"qa": [], "conversation": {
            "session_1": [{"dia_id": "D1:1", "text": "Hi.", "speaker": "Ada"}], "session_1_date_time": "8 May"}})}),
        ("locomo", {"one.json": rows({"conversation": _TALK, "qa": []})}),
        ("locomo", {"one.json": rows({"conversation": _TALK, "qa": [
            {"question": "Who?", "adversarial_answer": "Ada", "evidence": ["D1:1"], "category": 5}]})}),
        ("pat_questions", {
            f"{month}/PAT-singlehop.json": rows({"Q1": {"question": "Who?"}}) for month in ("Dec2021", "Dec2023")}),
        ("pat_questions", {f"{month}/PAT-singlehop.json": rows({}) for month in ("Dec2021", "Dec2023")}),
        ("evergreen", {"dev.csv": "English,is_evergreen\nWho is it? \xe9,1".encode("latin-1")}),
        ("nli", {"SICK_test.txt": "sentence_A\tsentence_B\tentailment_judgment\n\xe9\tb\tNEUTRAL".encode("latin-1")}),
        ("nli", {"small/mnli/test.jsonl": b""}),
        ("nli", {"small/mnli/test.jsonl": rows(_PAIR, {"premise": "a"})}),
        ("serpapi", {"deep.json": b"[" * 100_000}),
        ("tempeval3", {"one.tml": b'<?xml version="1.0" encoding="none-such"?><TimeML><TEXT>x</TEXT></TimeML>'}),
        ("effects", {"empty.jsonl": b""}),
        ("onsets", {"empty.jsonl": b""}),
        ("asking", {"empty.jsonl": b""}),
        ("grown", {f"2024-0{month}/{file}.jsonl": content for month in (1, 2) for file, content in (
            ("articles", b""), ("qa", rows({"elwin": [{"question": "Who?"}]})))}),
        ("grown", {f"2024-0{month}/qa.jsonl": b"" for month in (1, 2)}),
    ],
)  # fmt: skip
def test_a_file_at_fault_is_refused_in_one_sentence_that_names_it(
    tmp_path: Path, name: str, files: dict[str, bytes]
) -> None:
    for path, content in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(content)
    with pytest.raises(BadInput) as told:
        benchmark.load(name).run(tmp_path)
    assert str(tmp_path) in str(told.value)
    assert "\n" not in str(told.value)
