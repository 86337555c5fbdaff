"""`dateline evaluate multihop`: rows of four data sets, the final answer of a text, and a run over files with a real model."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dateline import BadInput, Evidence
from dateline.dynamic import Bm25Search, DynamicGenerator, MethodName, method
from dateline.dynamic.hyperparameters import TABLE_9, PaperDataset
from dateline.dynamic.triggers import Never
from dateline.evaluation.metrics import exact_match
from dateline.testing import tiny_causal_model
from dateline_bench.benchmarks import multihop
from dateline_bench.reasoned import ReasonedQuestion, answered, final_answer, overlap, summary, yes_or_no
from dateline_bench.reasoned.answer_log import AnswerLog
from dateline_bench.reasoned.demonstrations import EXAMPLES, demonstrations
from dateline_bench.reasoned.one_hop import one_hop
from dateline_bench.reasoned.questions import load
from dateline_bench.reasoned.shared_steps import SharingGenerator

pytest.importorskip("torch")
pytest.importorskip("transformers")

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
        ("The answer is Tarn. It lies in Lenz.", "Tarn"),
        ("The final answer is: Tarn", "Tarn"),
        ("The answer is not told. So the answer is Tarn.", "Tarn"),
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
    assert exact_match("The Ninth Lantern", golds=["ninth lantern!"]) == 1
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
    without = {name: value for name, value in again.metrics.items() if "seconds" not in name}
    assert without.items() <= report.baselines["sr-rag"].items()


def test_table_9_is_taken_by_name_and_options_go_before_it(folder: Path) -> None:
    settings = multihop.settings_of({"settings": "llama2-7b-chat"}, dataset="iirc")
    row = TABLE_9["llama2-7b-chat"]["iirc"]
    assert settings.method == "dragin-published"
    assert (settings.max_new_tokens, settings.thresholds["dragin-published"], settings.n) == row
    own = multihop.settings_of({"settings": "llama2-7b-chat", "threshold": "0.5", "n": "7"}, dataset="iirc")
    assert (own.thresholds["dragin-published"], own.n, own.max_new_tokens) == (0.5, 7, row.generate_length)
    assert (settings.n, settings.fl_n) == (35, 25)  # the closest 25 tokens are FL-RAG's, whatever dragin's query has
    assert own.fl_n == 7


def test_without_demonstrations_the_instruction_names_none_and_still_asks_for_the_closing_words() -> None:
    _, tokenizer = tiny_causal_model("llama")
    for hops, count, named in (("many", "0", False), ("many", "2", True), ("1", "2", True), ("1", "0", False)):
        layout = multihop._layout({"hops": hops, "demonstrations": count}, tokenizer=tokenizer, dataset="iirc")
        text = layout.prompt("Who?", documents=(), as_of=None).text
        assert ("the examples above" in text) is named
        assert ("So the answer is" in text) is (named or hops == "many")


def test_only_a_plain_prompt_ends_an_answer_at_an_empty_line(tmp_path: Path) -> None:
    made, tokenizer = tiny_causal_model("llama")
    tokenizer.chat_template = "{% for message in messages %}{{ message['content'] }}{% endfor %}"
    for part in (made, tokenizer):
        part.save_pretrained(tmp_path)
    seen = {}
    for layout in ("plain", "chat"):
        options = {"model": str(tmp_path), "layout": layout}
        settings = multihop.settings_of(options, dataset="iirc")
        generator = multihop._generator(options, settings, passages=[Evidence.make("Tarn is a town.")], dataset="iirc")
        seen[layout] = set(generator.options.stop_at)
    assert seen["plain"] - seen["chat"] == {"\n\n"}
    assert "\nQuestion:" in seen["chat"]


def test_yes_and_no_are_measured_by_accuracy(tmp_path: Path, model: str) -> None:
    rows = [{"qid": str(n), "question": f"Is {place} a town?", "answer": True} for n, place in enumerate(PLACES[:2])]
    written(tmp_path / "questions.jsonl", rows)
    written(tmp_path / "passages.jsonl", [{"title": place, "text": f"{place} is a town."} for place in PLACES])
    options = {"model": model, "method": "sr-rag", "beside": "", "demonstrations": "0", "max_new_tokens": "4"}
    report = multihop.run(tmp_path, **options)
    assert "accuracy" in report.metrics
    assert "EM" not in report.metrics


def test_a_text_without_a_final_answer_is_continued_behind_the_closing_words(model: str) -> None:
    from dateline.dynamic.queries import QuestionQuery
    from dateline.dynamic.triggers import Once

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


# -- one step, and runs that are cut off -----------------------------------------------------------

PAGES = [
    (
        "Harbour of Glass (film)",
        "Harbour of Glass is a 1961 drama film directed by Agnes Molde and starring Otto Arnau.",
    ),
    ("The Ninth Lantern", "The Ninth Lantern is a film written by Ines Caldera and directed by Jan van Bremel, 1958."),
    ("Petra Hallam", "Petra Hallam( born 3 May 1977) is a composer."),
    ("Luis Toral", "Luis Toral (born May 14, 1980 in Casa Alta, Quilmar) is a painter."),
    ("Karl Senn", "Karl Senn (born in Velden) was a mayor, and no film was directed by him."),
    ("John Lenz", "John Lenz (born 4 June 1950) is a judge."),
    ("John Lenz", "John Lenz (born 5 June 1951) is a farmer."),
]


def test_questions_of_one_step_are_read_off_paragraphs_that_are_alone_with_their_title() -> None:
    asked = one_hop([Evidence.make(text, title=title) for title, text in PAGES])
    assert {(each.text, each.golds[0]) for each in asked} <= {
        ("Who directed the film Harbour of Glass?", "Agnes Molde"),
        ("Who directed the film The Ninth Lantern?", "Jan van Bremel"),
        ("When was Petra Hallam born?", "3 May 1977"),
        ("When was Luis Toral born?", "14 May 1980"),
        ("Where was Luis Toral born?", "Casa Alta"),
        ("Where was Karl Senn born?", "Velden"),
    }
    assert len(asked) == len({each.page for each in asked}) == 5
    assert {each.page: each.golds for each in asked}["Petra Hallam"] == ("3 May 1977", "May 3, 1977")
    again = one_hop([Evidence.make(text, title=title) for title, text in PAGES], seed=1)
    assert {each.page for each in again} == {each.page for each in asked}


@pytest.fixture
def one_step(tmp_path: Path) -> Path:
    written(tmp_path / "passages.jsonl", [{"title": title, "text": text} for title, text in PAGES])
    return tmp_path


def test_all_methods_are_measured_on_questions_of_one_step_and_a_run_goes_on_where_it_was_cut_off(
    one_step: Path, model: str
) -> None:
    options = {
        "model": model, "hops": "1", "max_new_tokens": "8", "n": "4", "method": "dragin-first", "beside": "all",
        "threshold": "0.2,dragin:0.3,dragin-sentence:0.3,dragin-published:1", "items": str(one_step / "items.jsonl"),
    }  # fmt: skip
    first = multihop.run(one_step, limit=1, **options)
    lines = (one_step / "items.jsonl").read_text().splitlines()
    assert len(lines) == 1 + 9
    assert first.metrics["threshold"] == 0.2
    assert first.baselines["dragin"]["threshold"] == 0.3
    more = multihop.run(one_step, limit=2, **options)
    assert (one_step / "items.jsonl").read_text().splitlines()[: len(lines)] == lines
    assert len((one_step / "items.jsonl").read_text().splitlines()) == 1 + 9 * 2
    assert list(more.baselines) == [
        "wo-rag", "sr-rag", "fl-rag", "fs-rag", "flare", "dragin", "dragin-published", "dragin-sentence",
    ]  # fmt: skip
    for row in more.baselines.values():
        assert {"holds", "page_found", "page_in_front", "retrievals", "read_tokens", "core_seconds"} <= set(row)
    assert more.baselines["sr-rag"]["retrievals"] == 1
    assert more.baselines["sr-rag"]["page_in_front"] == more.baselines["sr-rag"]["page_found"] > 0
    whole = (one_step / "items.jsonl").read_bytes()
    (one_step / "items.jsonl").write_bytes(whole[:-10])  # killed while it wrote
    assert multihop.run(one_step, limit=2, **options).metrics["EM"] == more.metrics["EM"]
    assert len((one_step / "items.jsonl").read_text().splitlines()) == 1 + 9 * 2
    with pytest.raises(BadInput, match="other settings"):
        multihop.run(one_step, **{**options, "max_new_tokens": "9"})
    (one_step / "items.jsonl").write_bytes(b'{"settings": {}}\n')
    with pytest.raises(BadInput, match="other settings"):
        multihop.run(one_step, **options)
    with pytest.raises(BadInput, match="other settings"):
        multihop.run(one_step, **{**options, "threshold": options["threshold"].replace("dragin:0.3", "dragin:0.4")})


@pytest.mark.parametrize(
    "content", [b"buy milk", b"buy milk\nsell eggs", b"[1]\n", b"\xff\xfe", b'{"settings": {"seed": 2}}\n{"method": "a']
)
def test_a_file_of_another_kind_or_of_other_settings_is_refused_and_stays(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "todo.txt"
    file.write_bytes(content)
    with pytest.raises(BadInput, match="name another file"):
        AnswerLog(file, settings={"seed": 1})
    assert file.read_bytes() == content


@pytest.mark.parametrize("content", [b"", b'{"settings": {"se', b'{"settings": {"seed": 1}}\n{"method": "a'])
def test_a_run_killed_in_its_first_lines_goes_on(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "items.jsonl"
    file.write_bytes(content)
    AnswerLog(file, settings={"seed": 1}).keep_threshold("dragin", threshold=0.5)
    assert AnswerLog(file, settings={"seed": 1}).threshold("dragin") == 0.5
    assert file.read_bytes().count(b"\n") == 2


def test_a_calibrated_threshold_is_kept_and_calibration_tells_how_far_it_is(one_step: Path, model: str) -> None:
    told: list[tuple[str, int, int]] = []
    options = {"model": model, "hops": "1", "max_new_tokens": "6", "sample": "2", "beside": "", "items": ""}
    options["items"] = str(one_step / "items.jsonl")
    first = multihop.run(one_step, limit=1, progress=lambda *seen: told.append(seen), **options)
    assert [each for each in told if each[0] == "calibrate dragin"] == [
        ("calibrate dragin", done, 6) for done in range(1, 7)
    ]
    told.clear()
    again = multihop.run(one_step, limit=2, progress=lambda *seen: told.append(seen), **options)
    assert again.metrics["threshold"] == first.metrics["threshold"]
    assert {each[0] for each in told} == {"dragin"}


def test_nothing_is_drawn_over_what_is_printed_while_a_model_loads(one_step: Path, model: str, capfd: Any) -> None:
    multihop.run(one_step, limit=1, model=model, hops="1", method="wo-rag", beside="", max_new_tokens="2")
    assert "Loading weights" not in capfd.readouterr().err


@pytest.mark.parametrize("name", ["wo-rag", "sr-rag", "fl-rag", "fs-rag", "flare", "dragin-sentence", "dragin-first"])
def test_methods_that_share_their_steps_write_and_count_what_they_do_alone(name: MethodName) -> None:
    made, tokenizer = tiny_causal_model("llama")
    given: dict[str, Any] = {
        "tokenizer": tokenizer, "retriever": Bm25Search(text for _, text in PAGES), "trigger": Never(),
        "max_new_tokens": 16,
    }  # fmt: skip
    alone, shared = DynamicGenerator(made, **given), SharingGenerator(made, **given)
    shared.generate(PAGES[0][1])
    trigger, query = method(name, n=5, threshold=0.1)
    for _ in range(2):
        one, other = (
            each.with_options(trigger=trigger, query=query).generate("Who directed Harbour of Glass?")
            for each in (alone, shared)
        )
        assert (one.text, [each.query for each in one.retrievals]) == (
            other.text, [each.query for each in other.retrievals],
        )  # fmt: skip
        assert one.cost.model_dump(exclude={"seconds"}) == other.cost.model_dump(exclude={"seconds"})
    shared.forget()


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
        ({"hops": "2"}, "1 or many"),
        ({"threshold": "guess:0.3"}, "guess"),
    ],
)
def test_odd_options_are_refused_in_one_sentence(folder: Path, options: dict[str, str], named: str) -> None:
    with pytest.raises(BadInput, match=named):
        multihop.run(folder, **options)
