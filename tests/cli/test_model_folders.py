"""A model in a folder, wherever a command takes a chat model; this one writes nonsense."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from dateline.testing import tiny_causal_model
from dateline_cli.main import main

QUESTION = "Who is the director of the Northern Observatory?"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("models") / "nonsense"
    made = tiny_causal_model(max_position_embeddings=16_384)
    made.tokenizer.chat_template = "{% for m in messages %}<s>{{ m.role }}: {{ m.content }}</s>{% endfor %}<s>"
    made.model.generation_config.max_new_tokens = 12
    made.model.save_pretrained(folder)
    made.tokenizer.save_pretrained(folder)
    return str(folder)


def test_ask_reads_with_it_and_says_what_that_cost(
    model: str, changed_fact: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ask", QUESTION, "--docs", str(changed_fact), "--as-of", "2022", "--model", model, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["cost"]["model_calls"] >= 1
    assert report["cost"]["input_tokens"] > 100


def test_facts_believe_nothing_of_what_it_says(
    model: str, changed_fact: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = str(tmp_path / "facts")
    assert main(["facts", "remember", store, "Northern Observatory", "director", "Anna Berg"]) == 0
    assert main(["facts", "add", store, str(changed_fact), "--model", model]) == 0
    capsys.readouterr()
    assert main(["facts", "at", store, "--json"]) == 0
    (fact,) = json.loads(capsys.readouterr().out)
    assert "Anna Berg" in json.dumps(fact)


def test_evaluate_measures_it(
    model: str, changed_fact: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    questions = tmp_path / "questions"
    questions.mkdir()
    header = "id,split,question,effective_year,next_review,false_premise,num_hops,fact_type,source,answer_0"
    row = f"1,TEST,{QUESTION},before 2022,,FALSE,one-hop,slow-changing,,Carl Dahl"
    (questions / "FreshQA_v06012024.csv").write_text(f"{header}\n{row}\n", encoding="utf-8")
    given = {"model": model, "docs": str(changed_fact), "as_of": "2024-06-01", "self_ask": "no"}
    options = [part for name, value in given.items() for part in ("--option", f"{name}={value}")]
    assert main(["evaluate", "freshqa", str(questions), *options]) == 0, capsys.readouterr().err
    assert "n = 1" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["nowhere/at/all", "openai:", "missing.gguf"])
def test_a_model_that_is_not_there_is_one_sentence(
    name: str, changed_fact: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ask", QUESTION, "--docs", str(changed_fact), "--model", name]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "GGUF file" in said
