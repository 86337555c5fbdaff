"""The answer graph with instant parts: what it does, in which order, and what survives a kill."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver

from dateline import BadInput, Candidate, Evidence, Interval, Reading, SearchFailed
from dateline.certainty import Gate
from dateline.reading import ChatDecomposer, RuleJudge
from dateline.testing import FixedSearch, ReadingEstimator, ScriptedReader
from dateline_graphs import AnswerOptions, AnswerReport, Components, answer_graph
from dateline_graphs.batch import AnswerBatch, BatchQuestion
from dateline_graphs.components import default_components
from langchain_dateline.testing import ScriptedChatModel

NOW = datetime(2024, 6, 1, tzinfo=UTC)
QUESTION = "Who was the director of the Northern Observatory in 2016?"


def piece(text: str, day: str | None) -> Evidence:
    return Evidence.make(text, title=text[:20], published=None if day is None else Interval.parse(day))


PIECES = (
    piece("Anna Berg became director of the Northern Observatory in March 2015.", "2015-03-02"),
    piece("Carl Dahl became director of the Northern Observatory in 2021.", "2021-09-14"),
    piece("The Northern Observatory stands on a hill.", None),
)


def reading(answer: str, *, sure: bool) -> Reading:
    probability = 0.95 if sure else 0.2
    return Reading(
        answer=answer,
        probability=probability,
        no_answer=0.0 if sure else 0.7,
        evidence_ids=(PIECES[0].id,),
        candidates=(Candidate(answer=answer, probability=probability, evidence_ids=(PIECES[0].id,)),),
    )


@pytest.fixture
def make_parts() -> Callable[..., Components]:
    def make(search: FixedSearch, reader: ScriptedReader, **changes: Any) -> Components:
        return replace(
            default_components(search=search, options=AnswerOptions(k=changes.pop("k", 5))),
            reader=reader,
            estimator=ReadingEstimator(),
            clock=lambda: NOW,
            **changes,
        )

    return make


def test_a_question_becomes_a_dated_sourced_scored_answer(make_parts: Callable[..., Components]) -> None:
    parts = make_parts(FixedSearch(PIECES), ScriptedReader([reading("Anna Berg", sure=True)]))
    result = answer_graph(parts).compile().invoke({"question": QUESTION})
    report = AnswerReport.model_validate(result["report"])
    assert report.answer == "Anna Berg"
    assert report.asked.constraint is not None
    assert report.asked.constraint.interval == Interval.of_year(2016)
    assert report.asked.as_of == NOW.isoformat()
    assert [source.date for source in report.evidence] == [None, "2015-03-02", "2021-09-14"]
    assert [source.used for source in report.evidence] == [False, True, False]
    assert report.freshness.newest == "2015-03-02"
    assert report.cost.searches == 1
    assert report.cost.model_calls == 1


def test_an_uncertain_answer_is_read_again_beside_other_evidence_a_bounded_number_of_times(
    make_parts: Callable[..., Components],
) -> None:
    reader = ScriptedReader([reading("a hill", sure=False), reading("Anna Berg", sure=True)])
    parts = make_parts(FixedSearch(PIECES), reader, k=1)
    report = AnswerReport.model_validate(answer_graph(parts).compile().invoke({"question": QUESTION})["report"])
    first, second = ({piece.id for piece in shown} for _, shown in reader.history)
    assert first < second
    assert report.answer == "Anna Berg"
    assert report.rounds == 1


def test_the_more_certain_answer_is_kept_when_another_look_does_not_help(make_parts: Callable[..., Components]) -> None:
    unsure = reading("Anna Berg", sure=False)
    worse = Reading(answer="", probability=0.0, no_answer=1.0)
    parts = make_parts(FixedSearch(PIECES), ScriptedReader([unsure, worse]), k=1)
    report = AnswerReport.model_validate(answer_graph(parts).compile().invoke({"question": QUESTION})["report"])
    assert report.answer == "Anna Berg"
    assert report.rounds == 1


def test_the_state_is_plain_json_at_every_step(make_parts: Callable[..., Components]) -> None:
    parts = make_parts(FixedSearch(PIECES), ScriptedReader([reading("Anna Berg", sure=True)]))
    graph = answer_graph(parts).compile(checkpointer=InMemorySaver())
    config: Any = {"configurable": {"thread_id": "t"}}
    graph.invoke({"question": QUESTION}, config)
    for snapshot in graph.get_state_history(config):
        assert json.loads(json.dumps(snapshot.values)) == snapshot.values


def test_each_step_is_streamed_as_it_happens(make_parts: Callable[..., Components]) -> None:
    parts = make_parts(FixedSearch(PIECES), ScriptedReader([reading("Anna Berg", sure=True)]))
    events = list(answer_graph(parts).compile().stream({"question": QUESTION}, stream_mode=["custom", "updates"]))
    names = [event["name"] for mode, event in events if mode == "custom"]
    assert names == ["decompose", "search", "evidence", "rerank", "premises", "answer", "gate", "update_facts"]
    assert [next(iter(update)) for mode, update in events if mode == "updates"] == [*names, "finish"]


async def test_the_graph_runs_asynchronously(make_parts: Callable[..., Components]) -> None:
    parts = make_parts(FixedSearch(PIECES), ScriptedReader([reading("Anna Berg", sure=True)]))
    result = await answer_graph(parts).compile().ainvoke({"question": QUESTION})
    assert result["report"]["answer"] == "Anna Berg"


def test_a_second_question_on_the_same_thread_starts_afresh(make_parts: Callable[..., Components]) -> None:
    parts = make_parts(FixedSearch(PIECES), ScriptedReader([reading("Anna Berg", sure=True)]))
    graph = answer_graph(parts).compile(checkpointer=InMemorySaver())
    config: Any = {"configurable": {"thread_id": "t"}}
    first = graph.invoke({"question": QUESTION}, config)
    second = graph.invoke({"question": QUESTION}, config)
    assert len(first["report"]["steps"]) == len(second["report"]["steps"])
    assert second["report"]["cost"]["searches"] == 1


@pytest.mark.parametrize("node", ["evidence", "rerank", "gate", "update_facts", "finish"])
def test_a_run_killed_midway_resumes_without_searching_or_reading_twice(
    make_parts: Callable[..., Components], tmp_path: Path, node: str
) -> None:
    search, reader = FixedSearch(PIECES), ScriptedReader([reading("Anna Berg", sure=True)])
    parts = make_parts(search, reader)
    config: Any = {"configurable": {"thread_id": "t"}}
    with SqliteSaver.from_conn_string(str(tmp_path / "run.sqlite")) as saver:
        killed = answer_graph(parts).compile(checkpointer=saver, interrupt_before=[node])
        killed.invoke({"question": QUESTION}, config, durability="sync")
    with SqliteSaver.from_conn_string(str(tmp_path / "run.sqlite")) as saver:
        result = answer_graph(parts).compile(checkpointer=saver).invoke(None, config, durability="sync")
    assert result["report"]["answer"] == "Anna Berg"
    assert len(search.history) == 1
    assert len(reader.history) == 1


def test_a_premise_that_the_evidence_contradicts_is_told(make_parts: Callable[..., Components]) -> None:
    denial = piece("The Northern Observatory was never sold to Varn.", "2020-01-01")
    reader = ScriptedReader([reading("in 2019", sure=True)])
    parts = make_parts(FixedSearch([*PIECES, denial]), reader, judge=RuleJudge())
    question = {"question": "When was the Northern Observatory sold to Varn?"}
    report = AnswerReport.model_validate(answer_graph(parts).compile().invoke(question)["report"])
    assert [premise.standing for premise in report.premises] == ["fails"]
    assert "never sold" in report.problems[0]


def test_a_sub_question_waits_for_the_answer_that_it_needs(make_parts: Callable[..., Components]) -> None:
    reply = (
        '{"content": "Where was the director of the Northern Observatory born?", "relation": null, "start": null, '
        '"end": null, "ordinal": null, "parts": ["Who is the director of the Northern Observatory?", "Where was #1 born?"]}'
    )
    # The sub-question is taken apart by the same model, not by rules.
    hop = (
        '{"content": "Who is the director of the Northern Observatory?", "relation": null, "start": null, '
        '"end": null, "ordinal": null, "parts": []}'
    )
    search = FixedSearch(PIECES)
    reader = ScriptedReader([reading("Carl Dahl", sure=True), reading("Oslo", sure=True)])
    model = ScriptedChatModel(replies=[reply, hop])
    parts = make_parts(search, reader, decomposer=ChatDecomposer(model, always=True))
    question = {"question": "Where was the director of the Northern Observatory born?"}
    report = AnswerReport.model_validate(answer_graph(parts).compile().invoke(question)["report"])
    assert search.history[-1] == "Where was Carl Dahl born?"
    assert len(search.history) == 3
    assert report.answer == "Oslo"
    assert report.cost.model_calls == 4


def test_a_sub_question_without_an_answer_ends_the_hops_in_order(make_parts: Callable[..., Components]) -> None:
    reply = (
        '{"content": "Where was the director born?", "relation": null, "start": null, "end": null, "ordinal": null, '
        '"parts": ["Who is the director?", "Where was #1 born?"]}'
    )
    reader = ScriptedReader([Reading(answer="", no_answer=1.0)])
    search = FixedSearch(PIECES)
    parts = make_parts(search, reader, decomposer=ChatDecomposer(ScriptedChatModel(replies=[reply]), always=True))
    result = answer_graph(parts).compile().invoke({"question": "Where was the director born?"})
    assert result["report"]["answer"] == ""
    assert len(search.history) == 2


def test_a_failing_search_ends_in_a_report_that_says_so(make_parts: Callable[..., Components]) -> None:
    parts = make_parts(
        FixedSearch(error=SearchFailed("The engine is down.")), ScriptedReader([Reading(answer="", no_answer=1.0)])
    )
    report = AnswerReport.model_validate(answer_graph(parts).compile().invoke({"question": QUESTION})["report"])
    assert report.answer == ""
    assert report.problems == ("The engine is down.",)


@pytest.mark.parametrize("question", ["", "   "])
def test_an_empty_question_is_refused_in_one_sentence(make_parts: Callable[..., Components], question: str) -> None:
    parts = make_parts(FixedSearch(PIECES), ScriptedReader([reading("x", sure=True)]))
    with pytest.raises(BadInput, match="question is empty"):
        answer_graph(parts).compile().invoke({"question": question})


def test_a_question_under_another_name_is_refused_with_the_right_ones(make_parts: Callable[..., Components]) -> None:
    parts = make_parts(FixedSearch(PIECES), ScriptedReader([reading("x", sure=True)]))
    with pytest.raises(BadInput, match=r"has no 'query'; did you mean question\?"):
        answer_graph(parts).compile().invoke({"query": QUESTION})


def test_a_checkpoint_of_another_schema_is_refused_in_one_sentence(make_parts: Callable[..., Components]) -> None:
    parts = make_parts(FixedSearch(PIECES), ScriptedReader([reading("x", sure=True)]))
    graph = answer_graph(parts).compile(checkpointer=InMemorySaver(), interrupt_before=["rerank"])
    config: Any = {"configurable": {"thread_id": "t"}}
    graph.invoke({"question": QUESTION}, config)
    graph.update_state(config, {"schema_version": 0})
    with pytest.raises(BadInput, match="schema 0"):
        graph.invoke(None, config)


def test_an_asking_date_means_its_last_moment_but_never_the_future_of_this_year(
    make_parts: Callable[..., Components],
) -> None:
    parts = make_parts(FixedSearch(PIECES), ScriptedReader([reading("x", sure=True)]))
    graph = answer_graph(parts).compile()
    for given, meant in [("2019", "2019-12-31T23:59:59+00:00"), ("2024", NOW.isoformat()), ("", NOW.isoformat())]:
        report = graph.invoke({"question": QUESTION, "as_of": given})["report"]
        assert report["asked"]["as_of"] == meant


@pytest.mark.parametrize("as_of", ["2023-02-30", "2023-13", "soon"])
def test_an_impossible_asking_date_is_refused_in_one_sentence(
    make_parts: Callable[..., Components], as_of: str
) -> None:
    parts = make_parts(FixedSearch(PIECES), ScriptedReader([reading("x", sure=True)]))
    with pytest.raises(BadInput):
        answer_graph(parts).compile().invoke({"question": QUESTION, "as_of": as_of})


def test_the_options_refuse_what_they_cannot_do_while_they_are_made() -> None:
    with pytest.raises(BadInput, match="max_rounds"):
        AnswerOptions(max_rounds=99)
    with pytest.raises(BadInput, match="serpapi"):
        AnswerOptions(search="altavista")  # type: ignore[arg-type]


def test_a_batch_lets_an_answer_take_as_many_steps_as_one_question_may() -> None:
    notes = [*PIECES, *(piece(f"Note {number} of the Northern Observatory.", "2015-05-01") for number in range(24))]
    batch = AnswerBatch.__new__(AnswerBatch)
    batch.__setstate__({"options": AnswerOptions(k=2), "search": FixedSearch(notes)})
    unsure = ScriptedReader([reading("nobody", sure=False)])
    patient = Gate(max_rounds=9)
    batch._components = replace(batch._components, reader=unsure, estimator=ReadingEstimator(), gate=patient)
    (line,) = batch([BatchQuestion(1, {"question": QUESTION})])
    assert line["error"] == ""
    assert len(unsure.history) == 10


def test_each_piece_is_read_alone_where_that_is_asked_for(make_parts: Callable[..., Components]) -> None:
    readings = [reading("Carl Dahl", sure=False), reading("Anna Berg", sure=True), reading("nobody", sure=False)]
    reader = ScriptedReader(readings)
    result = (
        answer_graph(make_parts(FixedSearch(PIECES), reader, per_document=True))
        .compile()
        .invoke({"question": QUESTION})
    )
    assert result["report"]["answer"] == "Anna Berg"
    assert [len(evidence) for _, evidence in reader.history] == [1, 1, 1]
    assert result["report"]["cost"]["model_calls"] == 3


def test_options_set_budgets_and_abstention() -> None:
    gate = default_components(
        search=FixedSearch(PIECES),
        options=AnswerOptions(abstain=True, abstain_below=0.7, max_model_calls=4, max_seconds=2.5),
    ).gate
    assert (gate.abstain_below, gate.max_model_calls, gate.max_tokens, gate.max_seconds) == (0.7, 4, None, 2.5)
    with pytest.raises(BadInput, match="abstain_below"):
        AnswerOptions(abstain_below=1.5)
    with pytest.raises(BadInput, match=r"put a retriever into dateline\.search\.RetrieverSearch"):
        default_components(search=object(), options=AnswerOptions())  # type: ignore[arg-type]
