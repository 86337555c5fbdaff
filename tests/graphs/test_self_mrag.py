"""The Self-MRAG graph: what it does with each passage, in which order, and with whom it can be combined."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from langchain_core.messages import BaseMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from typing_extensions import TypedDict

from dateline import BadInput, Evidence, Interval, ModelFailed, Reading, Step
from dateline.reading import ChatReader, ExtractiveReader
from dateline.reading.strategies import ChatStages, LocalStages, SelfMrag
from dateline.temporal import decompose
from dateline.testing import FixedSearch
from dateline_graphs import AnswerOptions, AnswerReport, SelfMragOptions, answer_graph, components, self_mrag_graph
from dateline_graphs.components import components_for, default_components
from dateline_graphs.passages import read_passages
from langchain_dateline.testing import AnsweringChatModel, ScriptedChatModel

NOW = datetime(2024, 5, 1, tzinfo=UTC)
ASKED: Any = {
    "question": "Who led the choir in 2020?",
    "as_of": "2024-05",
    "evidence": [
        {"text": "Tom Reyes has led the choir since 2019.", "title": "Reyes", "published": "2023-02-03"},
        {"text": "The choir sings in the old hall.", "title": "Hall"},
        {"text": "Ana Bell led the choir from 2011 to 2018.", "title": "Bell", "published": "3 February 2019"},
        {"text": "Mia Lund leads the choir.", "title": "Lund", "published": "2025"},
    ],
}


def respond(messages: Sequence[BaseMessage]) -> str:
    system, user = (str(message.content) for message in messages[:2])
    if "Decide whether" in system:
        return "reasoning: So it is.\nanswer: " + ("yes" if "Reyes" in user or "Bell" in user else "no")
    if "one to three sentences" in system:
        return "answer: Tom Reyes since 2019." if "Reyes" in user else "answer: Ana Bell from 2011 to 2018."
    return "reasoning: 2020 is after 2019.\nanswer: Tom Reyes\nevidence: E2"


def graph(answer: Any = respond) -> Any:
    reader = SelfMrag(ChatStages(AnsweringChatModel(respond=answer)))
    return self_mrag_graph(reader, clock=lambda: NOW)


def test_each_passage_is_checked_and_read_alone_then_all_together() -> None:
    result = graph().compile().invoke(ASKED)
    assert [each["relevant"] for each in result["relevance"]] == [True, False, True]
    assert [each["text"] for each in result["summaries"]] == ["Tom Reyes since 2019.", "Ana Bell from 2011 to 2018."]
    reading = Reading.model_validate(result["reading"])
    assert (reading.answer, len(reading.evidence_ids)) == ("Tom Reyes", 1)
    steps = [Step.model_validate(step) for step in result["steps"]]
    assert [step.name for step in steps] == ["prepare", *["check"] * 3, "select", *["read"] * 2, "combine"]
    assert sum(step.cost.model_calls for step in steps) == 6
    assert "3 of 4 passages" in steps[0].summary
    assert json.loads(json.dumps(result)) == result


async def test_the_async_run_gives_the_same_and_streams_its_steps() -> None:
    compiled = graph().compile()
    result = await compiled.ainvoke(ASKED)
    assert result["reading"] == compiled.invoke(ASKED)["reading"]
    names = [step["name"] async for step in compiled.astream(ASKED, stream_mode="custom")]
    assert (names[0], names[-1], len(names)) == ("prepare", "combine", 8)


@pytest.mark.parametrize("form", [dict, Evidence])
def test_two_passages_that_were_given_one_id_are_both_read(form: Any) -> None:
    given = [{"id": "p", "text": "Ben Hall leads the choir."}, {"id": "p", "text": "The choir sings in the old hall."}]
    local = self_mrag_graph(SelfMrag(LocalStages(ExtractiveReader())), clock=lambda: NOW).compile()
    result = local.invoke({"question": "Who leads the choir?", "evidence": [form(**each) for each in given]})
    assert result["reading"]["answer"] == "Ben Hall"
    ids = [each["evidence_id"] for each in result["relevance"]]
    assert (ids[0], len(set(ids))) == ("p", 2)


def test_the_graph_answers_as_the_reader_does() -> None:
    result = graph().compile().invoke(ASKED)
    reader = SelfMrag(ChatStages(AnsweringChatModel(respond=respond)))
    question = decompose(ASKED["question"], as_of=Interval.parse("2024-05").last_moment())
    read = reader.read(question, evidence=read_passages(ASKED["evidence"])).reading
    assert Reading.model_validate(result["reading"]) == read


def test_without_options_the_local_reader_answers() -> None:
    result = self_mrag_graph(clock=lambda: NOW).compile().invoke(ASKED)
    assert result["reading"]["answer"] == "Tom Reyes"
    assert all(each["reading"] for each in result["relevance"])
    fewer = self_mrag_graph().compile().invoke(ASKED, context=SelfMragOptions(k=1))
    assert len(fewer["relevance"]) == 1


def test_one_passage_that_fails_does_not_lose_the_others() -> None:
    def fails(messages: Sequence[BaseMessage]) -> str:
        if "Bell" in str(messages[1].content):
            raise RuntimeError("filtered")
        return respond(messages).replace("E2", "E1")

    result = graph(fails).compile().invoke(ASKED)
    assert result["reading"]["answer"] == "Tom Reyes"
    assert "filtered" in result["reading"]["reasoning"]


def test_a_model_that_always_fails_fails_the_run_and_is_not_taken_for_silence() -> None:
    def fails(messages: Sequence[BaseMessage]) -> str:
        raise RuntimeError("down")

    with pytest.raises(ModelFailed, match="down"):
        graph(fails).compile().invoke(ASKED)


def test_without_passages_or_relevant_ones_there_is_no_answer() -> None:
    assert graph().compile().invoke({"question": ASKED["question"]})["reading"]["no_answer"] == 1.0
    result = graph(lambda _: "answer: no").compile().invoke(ASKED)
    assert result["reading"]["answer"] == ""
    assert result["summaries"] == []


def test_a_thread_asked_again_starts_afresh() -> None:
    compiled = graph().compile(checkpointer=InMemorySaver())
    config: Any = {"configurable": {"thread_id": "1"}}
    compiled.invoke(ASKED, config)
    again = compiled.invoke({**ASKED, "evidence": ASKED["evidence"][:1]}, config)
    assert len(again["relevance"]) == len(again["summaries"]) == 1


def test_a_run_that_was_stopped_between_the_stages_goes_on_where_it_was() -> None:
    calls: list[str] = []

    def counted(messages: Sequence[BaseMessage]) -> str:
        calls.append(str(messages[0].content)[:40])
        return respond(messages)

    compiled = graph(counted).compile(checkpointer=InMemorySaver(), interrupt_after=["select"])
    config: Any = {"configurable": {"thread_id": "1"}}
    compiled.invoke(ASKED, config)
    assert len(calls) == 3
    assert compiled.invoke(None, config)["reading"]["answer"] == "Tom Reyes"
    assert len(calls) == 6


def test_it_is_a_node_of_somebody_elses_graph() -> None:
    class State(TypedDict, total=False):
        question: str
        as_of: str
        evidence: list[Any]
        reading: dict[str, Any]

    outer = StateGraph(State)
    outer.add_node("read", graph().compile())
    outer.add_edge(START, "read")
    outer.add_edge("read", END)
    assert outer.compile().invoke(ASKED)["reading"]["answer"] == "Tom Reyes"


@pytest.mark.parametrize(
    "wrong",
    [
        {"question": " "},
        {**ASKED, "as_of": "soon"},
        {**ASKED, "evidence": [{"title": "x"}]},
        {**ASKED, "evidence": [3]},
        {**ASKED, "evidence": [{"text": "x", "published": "one of these days"}]},
    ],
)
def test_input_that_cannot_be_understood_is_refused_in_one_sentence(wrong: Any) -> None:
    with pytest.raises(BadInput):
        graph().compile().invoke(wrong)


@pytest.mark.parametrize("options", [{"passages": 0}, {"tries": 9}, {"token_budget": 1}])
def test_bad_options_are_refused_while_building(options: Any) -> None:
    with pytest.raises(BadInput):
        SelfMragOptions(**options)


# -- in the answer graph ----------------------------------------------------------------------


def test_the_answer_graph_reads_by_the_strategy_of_its_options(tmp_path: Any) -> None:
    (tmp_path / "choir.md").write_text("---\ndate: 2023-02-03\n---\nTom Reyes has led the choir since 2019.\n")
    local = components_for(AnswerOptions(docs=str(tmp_path), strategy="self_mrag", k=3)).reader
    assert isinstance(local, SelfMrag)
    assert local.passages == 3
    assert not isinstance(components_for(AnswerOptions(docs=str(tmp_path))).reader, SelfMrag)
    with pytest.raises(BadInput, match="give a model"):
        components_for(AnswerOptions(docs=str(tmp_path), strategy="direct"))
    with pytest.raises(BadInput, match="strategy must be one of fresh_prompt, direct"):
        AnswerOptions(strategy="guess")  # type: ignore[arg-type]


def test_a_chat_model_follows_the_strategy_too(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "choir.md").write_text("---\ndate: 2023-02-03\n---\nTom Reyes has led the choir since 2019.\n")
    monkeypatch.setattr(components, "chat_model", lambda name: ScriptedChatModel(replies=["answer: Tom Reyes"]))
    chosen = AnswerOptions(docs=str(tmp_path), model="test:scripted", strategy="self_mrag")
    assert isinstance(components_for(chosen).reader, SelfMrag)
    assert isinstance(components_for(AnswerOptions(docs=str(tmp_path), model="test:scripted")).reader, ChatReader)


def test_a_report_tells_what_became_of_the_passages() -> None:
    pieces = read_passages(ASKED["evidence"])
    from dataclasses import replace

    base = default_components(search=FixedSearch(pieces), options=AnswerOptions())
    live = replace(base, reader=SelfMrag(LocalStages(ExtractiveReader())), clock=lambda: NOW)
    result = answer_graph(live).compile().invoke({"question": ASKED["question"]})
    assert AnswerReport.model_validate(result["report"]).answer == "Tom Reyes"
