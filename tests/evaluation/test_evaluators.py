"""Evaluators of dated answers, called as LangSmith calls them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from langchain_core.documents import Document

from dateline import BadInput
from dateline.audit import Auditor
from dateline.text.lexical import LexicalEmbeddings
from langchain_dateline.evaluators import fresheval, freshness, staleness
from langchain_dateline.testing import ScriptedChatModel

ASKED = {"question": "Who is the director of Acme?", "as_of": "2024-06-01"}
DOCUMENTS = [
    {"text": "Anna Berg is the director of Acme.", "published": "2015-03-02"},
    {"text": "Carl Dahl is the director of Acme.", "published": "2024-05-02"},
]


def clock() -> datetime:
    return datetime(2024, 6, 1, tzinfo=UTC)


@pytest.mark.parametrize(("answer", "score"), [("It is Carl Dahl.", 1), ("It is Anna Berg.", 0)])
@pytest.mark.parametrize("golds", ["Carl Dahl", ["Carl Dahl", "C. Dahl"]])
def test_fresheval_scores_answers(answer: str, score: int, golds: Any) -> None:
    said = fresheval()(inputs=ASKED, outputs={"output": answer}, reference_outputs={"answer": golds})
    assert (said["key"], said["score"]) == ("fresheval_relaxed", score)
    assert said["comment"]


@pytest.mark.parametrize(("gold", "told", "score"), [(1998, "In 1998.", 1), (1998, 1998, 1), (0, "0", 1), (0, 7, 0)])
@pytest.mark.parametrize("name", ["answer", "answers"])
def test_numbers_are_answers(gold: int, told: Any, score: int, name: str) -> None:
    golds = {"answer": gold, "answers": [gold, "none at all"]}
    said = fresheval()(inputs=ASKED, outputs={"answer": told}, reference_outputs={name: golds[name]})
    assert said["score"] == score
    assert "empty" not in said["comment"]


def test_what_a_judge_cannot_decide_has_no_score() -> None:
    judge = fresheval(model=ScriptedChatModel(replies=["I like trains."]), mode="strict")
    said = judge(inputs=ASKED, outputs={"answer": "Carl Dahl"}, reference_outputs={"answer": "Carl Dahl"})
    assert (said["key"], said["score"]) == ("fresheval_strict", None)


@pytest.mark.parametrize(
    ("documents", "score"),
    [(DOCUMENTS, 1.0), (DOCUMENTS[:1], 0.0), ([{"text": "Undated."}], 0.0), ([], 0.0)],
)
def test_freshness_falls_with_the_age_of_the_newest_evidence(documents: list[Any], score: float) -> None:
    said = freshness(days=30)(inputs=ASKED, outputs={"documents": documents})
    assert said["score"] == pytest.approx(score, abs=0.01)


def test_evidence_of_long_after_the_asking_day_is_as_fresh_as_can_be() -> None:
    documents = [{"text": "x", "date": "2124-01-01"}]
    assert freshness(days=1)(inputs=ASKED, outputs={"documents": documents})["score"] == 1.0


def test_freshness_halves_with_each_further_span() -> None:
    scores = [
        freshness(days=10)(inputs=ASKED, outputs={"documents": [{"text": "x", "date": day}]})["score"]
        for day in ("2024-05-22", "2024-05-12", "2024-05-02")
    ]
    assert scores == [1.0, 0.5, 0.25]


@pytest.mark.parametrize("kind", [dict, Document])
def test_staleness_is_the_share_that_is_out_of_date(kind: Any) -> None:
    documents = [
        each if kind is dict else Document(each["text"], metadata={"published": each["published"]})
        for each in DOCUMENTS
    ]
    stale = staleness(auditor=Auditor(embeddings=LexicalEmbeddings()))
    assert stale(inputs=ASKED, outputs={"context": documents})["score"] == 0.5
    assert stale(inputs={**ASKED, "as_of": "2020"}, outputs={"context": documents})["score"] == 0.5, "one was later"
    assert stale(inputs=ASKED, outputs={"context": documents[1:]})["score"] == 0.0


def test_langsmith_takes_them_as_they_are() -> None:
    langsmith = pytest.importorskip("langsmith")
    from langsmith.evaluation import run_evaluator

    now = clock()
    run = langsmith.schemas.Run(
        id=uuid4(), name="app", run_type="chain", start_time=now, trace_id=uuid4(), dotted_order="1",
        inputs=ASKED, outputs={"answer": "Carl Dahl", "documents": DOCUMENTS},
    )  # fmt: skip
    example = langsmith.schemas.Example(
        id=uuid4(), dataset_id=uuid4(), inputs=ASKED, outputs={"answer": "Carl Dahl"}, created_at=now
    )
    scores = {}
    for evaluator in (fresheval(), freshness(), staleness(auditor=Auditor(embeddings=LexicalEmbeddings()))):
        with langsmith.tracing_context(enabled=False):
            said = run_evaluator(evaluator).evaluate_run(run, example)
        scores[said.key] = said.score
    assert scores == {"fresheval_relaxed": 1, "freshness": 1.0, "staleness": 0.5}


@pytest.mark.parametrize(
    ("evaluator", "given", "told"),
    [
        (fresheval(), {"inputs": {}, "outputs": {}}, "The inputs hold no question"),
        (fresheval(), {"inputs": ASKED, "outputs": {}}, "hold no right answer"),
        (freshness(), {"inputs": {"as_of": "soon"}, "outputs": {}}, "Cannot read 'soon'"),
    ],
)
def test_what_is_missing_is_named_in_a_sentence(evaluator: Any, given: Any, told: str) -> None:
    with pytest.raises(BadInput, match=told):
        evaluator(**given)


def test_days_must_be_above_nothing() -> None:
    with pytest.raises(BadInput, match="above 0"):
        freshness(days=0)
