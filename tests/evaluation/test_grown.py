"""`dateline evaluate grown` over three months grown by templates."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from dateline import BadInput
from dateline.evaluation.metrics import holds_answer
from dateline.evolution import SentenceLabeller
from dateline.text.lexical import LexicalEmbeddings
from dateline_bench.benchmarks import grown
from dateline_bench.growing.articles import load_snapshot
from dateline_bench.growing.benchmark_folder import BenchmarkFolder
from dateline_bench.growing.certainty_rows import labelled_rows
from dateline_bench.growing.grown import GrownQuestion
from dateline_bench.growing.growth import Growth
from dateline_bench.growing.steps import read_steps
from dateline_bench.growing.template_maker import TemplateMaker
from dateline_bench.notes.answers import NoteAnswer
from dateline_bench.rows import read
from dateline_cli.main import main
from langchain_dateline.testing import ScriptedChatModel

SNAPSHOTS = Path(__file__).parents[2] / "examples" / "snapshots"


def grow(folder: Path, snapshots: Path) -> Path:
    benchmark = BenchmarkFolder(
        folder, growth=Growth(TemplateMaker(), labeller=SentenceLabeller(), embeddings=LexicalEmbeddings())
    )
    first, *later = sorted(snapshots.iterdir())
    benchmark.start(load_snapshot(first))
    for each in later:
        benchmark.update(load_snapshot(each))
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return grow(tmp_path_factory.mktemp("benchmark") / "grown", SNAPSHOTS)


def item(*, gone: bool = False, **changed: Any) -> grown.GrownItem:
    made: Mapping[str, Any] = {
        "id": "1",
        "article": "elwin",
        "title": "Port Elwin",
        "type": "Changed",
        "born": "2024-02",
        "question": "How much does a ticket cost?",
        "answer": "14 euros",
        "previous_answer": "12 euros",
        "evidence": ("A ticket costs 14 euros.",),
        "indices": (0,),
        "made_by": "template",
    }
    return grown.GrownItem("2024-02", GrownQuestion.model_validate({**made, **changed}), gone)


def said(answer: str, *, reliable: float = 0.9, label: str = "reliable") -> NoteAnswer:
    return NoteAnswer(answer, label, reliable, "adopt", ())


NEW: Mapping[str, Any] = {"type": "New", "previous_answer": ""}


def test_each_type_is_scored_beside_plain_rag_and_the_text_of_before(folder: Path, tmp_path: Path) -> None:
    out, answers = tmp_path / "out.json", tmp_path / "answers.jsonl"
    month = folder / "2024-03"
    assert main(["evaluate", "grown", str(month), "--json", str(out), "--items", str(answers)]) == 0
    report = json.loads(out.read_text(encoding="utf-8"))
    (step,) = read_steps(month)
    written = list(read(answers))
    assert [one["id"] for one in written] == [one.id for one in (*step.questions, *step.gone)]
    assert report["n"] == len(written) == sum(report["configuration"]["questions"].values())
    ours, old = report["metrics"], report["baselines"]["old text"]
    assert {f"{score}_{type}" for score in ("F1", "EM") for type in ("Unchanged", "New", "Changed", "All")} <= set(ours)
    assert (ours["previous_answer_given"], old["previous_answer_given"]) == (0.0, 100.0)
    assert ours["F1_Changed"] > 50 > old["F1_Changed"]
    assert set(report["baselines"]) == {"plain RAG", "old text"}


def test_every_month_but_the_first_is_asked(folder: Path) -> None:
    every = grown.run(folder)
    months = [grown.run(folder / month) for month in ("2024-02", "2024-03")]
    assert every.configuration["months"] == ["2024-02", "2024-03"]
    assert every.n == sum(each.n for each in months)


def test_the_same_seed_draws_the_same_questions(folder: Path, tmp_path: Path) -> None:
    drawn = []
    for name in ("first.jsonl", "second.jsonl"):
        assert grown.run(folder, limit=4, seed=3, items=str(tmp_path / name)).n == 4
        drawn.append([(one["month"], one["id"]) for one in read(tmp_path / name)])
    assert drawn[0] == drawn[1]


def test_an_article_that_is_gone_leaves_questions_that_nothing_answers(folder: Path) -> None:
    second, third = read_steps(folder)
    assert not second.gone
    assert {one.article for one in third.gone} == {"northern-observatory"}
    assert {piece.source for piece in third.old_documents} > {piece.source for piece in third.documents} - {
        "elwin-lighthouse"
    }
    pairs = [(item(), said("14 euros")), (item(gone=True), said("9", label="uncertain")), (item(gone=True), said("9"))]
    figures = grown.figures_of(pairs)
    assert figures["withheld_unanswered"] == 50.0
    assert figures["F1_All"] == 100.0


def test_the_text_of_before_answers_no_new_question() -> None:
    pairs = [(item(**NEW), said("", label="uncertain")), (item(), said("12 euros"))]
    assert grown.figures_of(pairs, old=True)["withheld_unanswered"] == 100.0
    assert "withheld_unanswered" not in grown.figures_of(pairs)


@pytest.mark.parametrize(("answer", "previous"), [("12 euros", True), ("14 euros", False), ("", False), ("9", False)])
def test_a_previous_answer_is_nearer_to_what_was_than_to_what_is(answer: str, previous: bool) -> None:
    assert item().is_previous(answer) is previous


def test_only_a_question_that_has_just_changed_can_be_answered_as_before() -> None:
    carried_on = (item(type="Unchanged"), said("12 euros"))
    assert "previous_answer_given" not in grown.figures_of([carried_on])
    assert grown.figures_of([carried_on, (item(), said("12 euros"))])["previous_answer_given"] == 100.0


def test_certainty_tells_right_from_wrong_answers_where_there_are_both() -> None:
    pairs = [(item(), said("14 euros", reliable=0.9)), (item(), said("9", reliable=0.2))]
    assert grown.figures_of(pairs)["auroc"] == 100.0
    assert "auroc" not in grown.figures_of(pairs[:1])


def test_what_there_is_nothing_of_is_left_out() -> None:
    figures = grown.figures_of([(item(**NEW), said("14 euros"))])
    assert set(figures) == {"F1_New", "EM_New", "F1_All", "EM_All"}


def test_months_without_a_year_are_asked_undated(tmp_path: Path) -> None:
    for month in ("2024-01", "2024-02"):
        shutil.copytree(SNAPSHOTS / month, tmp_path / "snapshots" / month.removeprefix("2024-"))
    folder = grow(tmp_path / "grown", tmp_path / "snapshots")
    (step,) = read_steps(folder)
    assert {piece.published for piece in (*step.documents, *step.old_documents)} == {None}
    assert grown.run(folder).metrics["F1_Changed"] > 50
    assert not any("as_of" in row for row in labelled_rows([step], embeddings=LexicalEmbeddings()))


def test_a_chat_model_may_answer(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = ScriptedChatModel(replies=["Nils Aker"])
    monkeypatch.setattr("dateline_graphs.components.chat_model", lambda name: model)
    report = grown.run(folder / "2024-03", model="scripted:one")
    assert report.configuration["model"] == "scripted:one"
    assert model.history
    assert report.metrics["F1_Changed"] == 50.0


def test_rows_hold_what_states_the_answer_or_what_lacks_it(folder: Path) -> None:
    steps = read_steps(folder)
    asked = {(step.month, one.question): (step, one) for step in steps for one in step.questions}
    rows = list(labelled_rows(steps, embeddings=LexicalEmbeddings()))
    assert {row["label"] for row in rows} == {"reliable", "misleading", "uncertain"}
    for row in rows:
        step, question = asked[row["as_of"], row["question"]]
        text, published = row["document"]["text"], row["document"]["published"]
        if row["label"] == "reliable":
            assert question.type == "Unchanged"
            assert all(sentence in text for sentence in question.evidence)
            assert published == step.month
        else:
            assert question.type == {"misleading": "Changed", "uncertain": "New"}[row["label"]]
            assert not holds_answer(text, golds=[question.answer])
            assert published < step.month


@pytest.mark.parametrize(
    ("place", "options", "told"),
    [
        ("2024-01", {}, "before it"),
        (".", {"pages": "all"}, "pages"),
        (".", {"model": "gpt"}, "'gpt'"),
    ],
)
def test_what_cannot_be_asked_is_told(folder: Path, place: str, options: dict[str, Any], told: str) -> None:
    with pytest.raises(BadInput, match=told):
        grown.run(folder / place, **options)
