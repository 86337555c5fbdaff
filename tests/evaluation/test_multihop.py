"""`dateline evaluate multihop`: rows of four data sets, the final answer of a text, and a run over files with a real model."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dateline import BadInput
from dateline.dynamic.hyperparameters import TABLE_9, PaperDataset
from dateline_bench.benchmarks import multihop
from dateline_bench.reasoned import ReasonedQuestion, answered, exact, final_answer, overlap, summary, yes_or_no
from dateline_bench.reasoned.demonstrations import EXAMPLES, demonstrations
from dateline_bench.reasoned.questions import load

PLACES = ["Ostrow", "Kirkhope", "Lenz", "Arnau", "Tarn", "Fassano", "Velden", "Quilmar"]


def two_wiki(count: int = 6) -> list[dict[str, Any]]:
    return [
        {
            "_id": f"q{number}",
            "question": f"Where was the mayor of {place} born?",
            "answer": "Fredrikstad",
            "evidences": [],
            "context": [[place, [f"{place} is run by Agnes Molde. ", "It has a mill."]], ["Agnes Molde", ["Born."]]],
        }
        for number, place in enumerate(PLACES[:count])
    ]


def written(path: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


# -- the final answer -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Agnes Molde was born in Tarn. So the answer is Tarn.", "Tarn"),
        ("so the final answer is: 3 May 1977.\nQuestion: What else?", "3 May 1977"),
        ("So the answer is J. R. Pell. She also wrote.", "J. R. Pell"),
        ("So the answer is 12,310. So the answer is 5.", "12,310"),
        ("So the answer is", ""),
        ("It was Tarn.", None),
    ],
)
def test_the_final_answer_is_what_follows_the_closing_words(text: str, answer: str | None) -> None:
    assert final_answer(text) == answer


@given(st.text(max_size=200))
def test_whatever_a_model_writes_is_read(text: str) -> None:
    answer = final_answer(text)
    assert answer is None or answer in text
    behind = final_answer(f"So the answer is {text}")
    assert behind is not None
    assert 0 <= overlap(behind, golds=["no", text]).f1 <= 1


@given(st.lists(st.sampled_from("abcde"), min_size=1, max_size=5), st.lists(st.sampled_from("bcdef"), max_size=5))
def test_overlap_is_one_for_equal_answers_and_f1_lies_between_precision_and_recall(
    ours: list[str], theirs: list[str]
) -> None:
    same = overlap(" ".join(["x", *ours]), golds=[" ".join(["x", *ours])])
    assert same == (1.0, 1.0, 1.0)
    found = overlap(" ".join(["x", *ours]), golds=[" ".join(["x", *theirs])])
    rounding = 1e-12
    assert min(found.precision, found.recall) - rounding <= found.f1 <= max(found.precision, found.recall) + rounding


def test_yes_has_nothing_in_common_with_a_longer_answer() -> None:
    assert overlap("yes", golds=["yes it was Tarn"]).f1 == 0
    assert overlap("Agnes Molde", golds=["Molde", "Agnes Molde, Lenz"]) == pytest.approx((0.8, 1.0, 2 / 3))
    assert exact("The Ninth Lantern", golds=["ninth lantern!"]) == 1
    assert [yes_or_no(text) for text in ("Yes, it is", "no", "True", "maybe yes", "")] == [
        "yes",
        "no",
        "yes",
        None,
        None,
    ]


# -- rows -------------------------------------------------------------------------------------


def test_each_data_set_is_known_by_its_rows(tmp_path: Path) -> None:
    rows: dict[PaperDataset, dict[str, Any]] = {
        "2wikimultihopqa": two_wiki(1)[0],
        "hotpotqa": {"_id": "h", "question": "Who?", "answer": "Tarn", "level": "hard", "supporting_facts": []},
        "strategyqa": {"qid": "s", "question": "Is it?", "answer": False},
        "iirc": {"qid": "i", "question": "How long?", "answer": {"type": "value", "answer_value": "15", "answer_unit": "years"}},
    }  # fmt: skip
    for name, row in rows.items():
        dataset, asked = load(written(tmp_path / f"{name}.jsonl", [row]))
        assert (dataset, len(asked)) == (name, 1)
        assert asked[0].closed == (name == "strategyqa")
    assert load(tmp_path / "strategyqa.jsonl")[1][0].golds == ("no",)
    assert load(tmp_path / "iirc.jsonl")[1][0].golds == ("15", "15 years")


def test_a_passage_of_iirc_gives_its_questions_and_those_without_an_answer_are_left_out(tmp_path: Path) -> None:
    answers: list[dict[str, Any]] = [
        {"type": "none"},
        {"type": "binary", "answer_value": "yes"},
        {"type": "span", "answer_spans": [{"text": "Tarn"}, {"text": "Lenz "}]},
    ]
    passage = {"title": "Lenz", "questions": [{"question": f"What {n}?", "answer": a} for n, a in enumerate(answers)]}
    _, asked = load(written(tmp_path / "questions.jsonl", [passage]))
    assert [one.golds for one in asked] == [("yes",), ("Tarn, Lenz",)]
    assert len({one.id for one in asked}) == 2


@pytest.mark.parametrize(
    "row",
    [{"question": "", "answer": "x"}, {"question": "Who?", "answer": 3}, {"question": "Who?"}, {"text": "no question"}],
)
def test_a_row_of_another_shape_is_refused(tmp_path: Path, row: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match=r"Row 2 .*hotpotqa|Cannot tell"):
        load(written(tmp_path / "one.jsonl", [{"question": "Who?", "answer": "Tarn"}, row]))
    with pytest.raises(BadInput):
        load(written(tmp_path / "two.jsonl", [row]))


def test_there_are_as_many_demonstrations_as_in_the_paper_and_all_close_with_an_answer() -> None:
    assert {name: len(each) for name, each in EXAMPLES.items()} == {
        "2wikimultihopqa": 6, "hotpotqa": 8, "strategyqa": 8, "iirc": 8,
    }  # fmt: skip
    for name in get_args(PaperDataset):
        for example in demonstrations(name).split("\n\n"):
            assert final_answer(example)
        assert demonstrations(name, count=2).count("Question:") == 2
        assert not demonstrations(name, count=0)
    for _, _, answer in EXAMPLES["strategyqa"]:
        assert yes_or_no(answer) == answer


# -- a run ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A random model on disk, as `AutoModelForCausalLM` loads it."""
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    from dateline.testing import tiny_causal_model

    folder = tmp_path_factory.mktemp("model")
    made, tokenizer = tiny_causal_model("llama")
    made.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    written(tmp_path / "questions.jsonl", two_wiki())
    return tmp_path


def test_a_method_is_measured_beside_its_baselines(folder: Path, model: str) -> None:
    given = {"model": model, "demonstrations": "1", "max_new_tokens": "8", "n": "4"}
    report = multihop.run(folder, limit=3, seed=1, rate="1.0", beside="wo-rag,sr-rag,entropy", **given)
    assert report.n == 3
    assert report.configuration["dataset"] == "2wikimultihopqa"
    assert report.configuration["calibrated_on"] == "3 other questions"
    assert report.metrics["threshold"] >= 0
    assert report.baselines["entropy"]["threshold"] >= 0
    assert list(report.baselines) == ["wo-rag", "sr-rag", "entropy"]
    for row in (report.metrics, *report.baselines.values()):
        assert {"EM", "F1", "precision", "recall", "retrievals", "generated_tokens", "sentences", "seconds"} <= set(row)
    assert report.baselines["wo-rag"]["retrievals"] == 0
    assert report.baselines["sr-rag"]["retrievals"] == 1
    again = multihop.run(folder, limit=3, seed=1, method="sr-rag", beside="", **given)
    without = {name: value for name, value in again.metrics.items() if name != "seconds"}
    assert without.items() <= report.baselines["sr-rag"].items()


def test_table_9_is_taken_by_name_and_options_go_before_it(folder: Path) -> None:
    settings = multihop.settings_of({"settings": "llama2-7b-chat"}, dataset="iirc")
    row = TABLE_9["llama2-7b-chat"]["iirc"]
    assert settings.method == "dragin-published"
    assert (settings.max_new_tokens, settings.thresholds["dragin-published"], settings.n) == row
    own = multihop.settings_of({"settings": "llama2-7b-chat", "threshold": "0.5", "n": "7"}, dataset="iirc")
    assert (own.thresholds["dragin-published"], own.n, own.max_new_tokens) == (0.5, 7, row.generate_length)


def test_yes_and_no_are_measured_by_accuracy(tmp_path: Path, model: str) -> None:
    rows = [{"qid": str(n), "question": f"Is {place} a town?", "answer": True} for n, place in enumerate(PLACES[:2])]
    written(tmp_path / "questions.jsonl", rows)
    written(tmp_path / "passages.jsonl", [{"title": place, "text": f"{place} is a town."} for place in PLACES])
    options = {"model": model, "method": "sr-rag", "beside": "", "demonstrations": "0", "max_new_tokens": "4"}
    report = multihop.run(tmp_path, **options)
    assert "accuracy" in report.metrics
    assert "EM" not in report.metrics


def test_a_text_without_a_final_answer_is_continued_behind_the_closing_words(model: str) -> None:
    from dateline.dynamic import Bm25Search, DynamicGenerator
    from dateline.dynamic.queries import QuestionQuery
    from dateline.dynamic.triggers import Once
    from dateline.testing import tiny_causal_model

    made, tokenizer = tiny_causal_model("llama")
    generator = DynamicGenerator(
        made, tokenizer=tokenizer, retriever=Bm25Search(["Tarn is a town."]), trigger=Once(), query=QuestionQuery(),
        max_new_tokens=5,
    )  # fmt: skip
    told = answered(ReasonedQuestion("1", "Where is Tarn?", ("north",)), generator=generator)
    assert told.prompted
    assert told.generation.documents
    assert told.generated > told.generation.cost.output_tokens == 5
    assert summary([told])["prompted"] == 100


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"colour": "blue"}, "colour"),
        ({}, "model="),
        ({"model": "no/such/folder"}, "no/such/folder"),
        ({"method": "guess"}, "guess"),
        ({"method": "dragin-published"}, "threshold="),
        ({"beside": "nothing"}, "nothing"),
        ({"settings": "gpt"}, "llama2-13b-chat"),
        ({"n": "few"}, "few"),
        ({"threshold": "high"}, "high"),
        ({"dataset": "trivia"}, "hotpotqa"),
        ({"passages": "no/such/file"}, "no/such/file"),
    ],
)
def test_odd_options_are_refused_in_one_sentence(folder: Path, options: dict[str, str], named: str) -> None:
    with pytest.raises(BadInput, match=named):
        multihop.run(folder, **options)
