"""The graphs inside a person's own graph, whose state has other names: mapped in and out, streamed, stopped, resumed."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command
from pydantic import BaseModel
from typing_extensions import TypedDict

from dateline import BadInput, Candidate, Evidence, Interval, Reading
from dateline.facts import ExactIndex, FactStore, LocalUpdater, MemoryLedger, Policy
from dateline.testing import FixedSearch, ReadingEstimator, ScriptedReader
from dateline.text.lexical import LexicalEmbeddings
from dateline_bench.grow_graph import GrowOptions, grow_graph
from dateline_graphs import (
    AnswerOptions,
    SelfMragOptions,
    answer_graph,
    as_node,
    generate_graph,
    self_mrag_graph,
    update_facts_graph,
)
from dateline_graphs.components import Components, default_components

CONFIG: Any = {"configurable": {"thread_id": "t"}}
NOTES = Path(__file__).parent.parent.parent / "examples" / "corpus"
ANNA = {"text": "Anna Berg is the director of the Northern Observatory.", "published": "2015-03-02"}
CARL = {"text": "Carl Dahl is the director of the Northern Observatory.", "published": "2021-09-14"}


class Desk(TypedDict, total=False):
    """The state of an app that knows nothing of dateline."""

    request: str
    day: str | None
    reply: str
    freshness: str
    passages: list[dict[str, str]]
    news: list[dict[str, str]]
    changed: list[str]
    old: list[dict[str, str]]
    month: str
    questions: list[dict[str, Any]]
    greeting: str


class Parcel(BaseModel):
    """What another graph gives; it refers to itself."""

    weight: float
    within: Parcel | None = None


class Post(TypedDict, total=False):
    """The state of another graph."""

    parcel: Parcel
    rest: dict[str, Any]


def parts() -> Components:
    piece = Evidence.make(ANNA["text"], published=Interval.parse("2015-03-02"))
    reading = Reading(
        answer="Anna Berg", candidates=(Candidate(answer="Anna Berg", probability=0.9),), evidence_ids=(piece.id,)
    )
    local = default_components(search=FixedSearch([piece]), options=AnswerOptions(), embeddings=LexicalEmbeddings())
    return replace(local, reader=ScriptedReader([reading]), estimator=ReadingEstimator())


def app(node: Any, *, greeted: bool = False) -> StateGraph[Desk]:
    graph = StateGraph(Desk)
    graph.add_node("greet", lambda state: {"greeting": "Good morning."} if greeted else {})
    graph.add_node("dateline", node)
    graph.add_edge(START, "greet")
    graph.add_edge("greet", "dateline")
    graph.add_edge("dateline", END)
    return graph


def answering(**options: Any) -> Any:
    given = {"inputs": {"question": "request", "as_of": "day"}, "outputs": {"reply": "report.answer"}, **options}
    return as_node(answer_graph(None if "context" in options else parts()).compile(name="dateline"), **given)


ASKED: Desk = {"request": "Who is the director of the Northern Observatory?", "day": "2018", "greeting": "Hello."}


def test_the_answer_graph_answers_under_the_names_of_the_app() -> None:
    before = dict(ASKED)
    result = app(answering(), greeted=True).compile().invoke(ASKED)
    assert result == {**ASKED, "reply": "Anna Berg", "greeting": "Good morning."}
    assert before == ASKED


async def test_the_async_twin_gives_the_same() -> None:
    graph = app(answering()).compile()
    assert await graph.ainvoke(ASKED) == graph.invoke(ASKED)


def test_options_are_the_node_s_own_and_need_no_context_of_the_app() -> None:
    node = answering(context=AnswerOptions(docs=str(NOTES), reader="rules"))
    asked: Desk = {"request": "Who is the pope?", "day": "2010"}
    assert app(node).compile().invoke(asked)["reply"] == "Benedict XVI"


def test_functions_map_whatever_fields_cannot() -> None:
    node = answering(
        inputs=lambda state: {"question": state["request"].strip("!"), "as_of": "2018"},
        outputs=lambda result: {"reply": f"It is {result['report']['answer']}."},
    )
    assert app(node).compile().invoke({"request": "Who is the director?!"})["reply"] == "It is Anna Berg."


@pytest.mark.parametrize("day", [None, "missing"])
def test_a_field_that_is_not_filled_in_is_left_to_the_graph(day: str | None) -> None:
    asked: Desk = {"request": ASKED["request"]} if day else {"request": ASKED["request"], "day": None}
    assert app(answering()).compile().invoke(asked)["reply"] == "Anna Berg"


def test_the_steps_inside_stream_through_the_app() -> None:
    graph = app(answering()).compile()
    streamed = [part for _, part in graph.stream(ASKED, stream_mode="custom", subgraphs=True)]
    assert next(part["name"] for part in streamed) == "decompose"  # type: ignore[index]
    assert "gate" in {part["name"] for part in streamed}  # type: ignore[index]


def test_the_app_is_drawn_with_the_nodes_inside() -> None:
    drawn = app(answering()).compile().get_graph(xray=True)
    assert any(name.endswith("decompose") for name in drawn.nodes)


def test_an_input_that_the_graph_does_not_have_is_refused_at_once() -> None:
    with pytest.raises(BadInput, match="no input 'query'; did you mean question"):
        answering(inputs={"query": "request"})
    with pytest.raises(BadInput, match="no input 'colour'; choose among as_of, choices, history, messages, question"):
        answering(inputs={"colour": "request"})


@pytest.mark.parametrize(
    ("path", "fix"),
    [
        ("report.anser", "did you mean report.answer?"),
        ("report.certainty.relible", "did you mean report.certainty.reliable?"),
        ("report.reading.announced.sinc", "did you mean report.reading.announced.since?"),
        ("report.xyz", "choose among answer, asked, "),
    ],
)
def test_a_misspelt_output_inside_a_report_is_refused_when_the_node_is_made(path: str, fix: str) -> None:
    with pytest.raises(BadInput, match=re.escape(f"no output {path!r}; {fix}")):
        answering(outputs={"reply": path})


@pytest.mark.parametrize(
    ("graph", "path", "meant"),
    [
        (self_mrag_graph(), "reading.anwser", "reading.answer"),
        (generate_graph(), "generation.txt", "generation.text"),
        (update_facts_graph(), "report.sumary", "report.summary"),
    ],
)
def test_so_is_one_of_every_other_graph(graph: Any, path: str, meant: str) -> None:
    with pytest.raises(BadInput, match=re.escape(f"did you mean {meant}?")):
        as_node(graph.compile(), inputs={}, outputs={"reply": path})


def test_a_path_into_what_a_graph_of_ones_own_tells_is_checked_and_into_the_rest_is_not() -> None:
    def sent(state: Post) -> Post:
        return {"rest": {"note": "Fragile."}}

    post = StateGraph(Post)
    post.add_node("send", sent)
    post.add_edge(START, "send")
    post.add_edge("send", END)
    graph = post.compile()
    with pytest.raises(BadInput, match=r"did you mean parcel\.weight"):
        as_node(graph, inputs={}, outputs={"reply": "parcel.wieght"})
    assert app(as_node(graph, inputs={}, outputs={"reply": "rest.note"})).compile().invoke({})["reply"] == "Fragile."
    with pytest.raises(BadInput, match=r"gave no 'rest\.nte'; it gave rest with note"):
        app(as_node(graph, inputs={}, outputs={"reply": "rest.nte"})).compile().invoke({})


def test_a_path_through_a_field_that_may_be_null_gives_none_where_it_is() -> None:
    node = answering(outputs={"reply": "report.answer", "freshness": "report.reading.announced.answer"})
    result = app(node).compile().invoke(ASKED)
    assert (result["reply"], result["freshness"]) == ("Anna Berg", None)


def test_an_output_that_the_graph_does_not_have_is_refused_at_once() -> None:
    with pytest.raises(BadInput, match="no output 'answer'; choose among messages, report, steps"):
        answering(outputs={"reply": "answer"})


def test_approval_inside_stops_the_app_and_resuming_the_app_lands_the_edit() -> None:
    store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())
    updater = LocalUpdater(store, policy=Policy(interrupt_on=("make_false",)))
    node = as_node(
        update_facts_graph(updater).compile(name="learn"),
        inputs={"documents": "news"},
        outputs={"changed": "report.summary"},
    )
    graph = app(node).compile(checkpointer=InMemorySaver())
    stopped = graph.invoke({"news": [ANNA, CARL]}, CONFIG)
    (question,) = stopped["__interrupt__"]
    assert question.value["edits"][0]["fact"] == ANNA["text"]
    assert "changed" not in stopped
    assert len(store.at(Interval.parse("2022"))) == 2

    done = graph.invoke(Command(resume="approve"), CONFIG)
    assert [found.fact.text for found in store.at(Interval.parse("2022"))] == [CARL["text"]]
    assert len(done["changed"]) == 3
    assert len(store.at(Interval.parse("2018"))) == 1


def test_self_mrag_reads_the_passages_of_the_app() -> None:
    passages = [
        {"text": "Ana Bell led the choir from 2011 to 2018.", "published": "2019-02-03"},
        {"text": "Tom Reyes has led the choir since 2019.", "published": "2023-02-03"},
    ]
    node = as_node(
        self_mrag_graph().compile(name="read"),
        inputs={"question": "request", "as_of": "day", "evidence": "passages"},
        outputs={"reply": "reading.answer"},
        context=SelfMragOptions(),
    )
    asked: Desk = {"request": "Who led the choir in 2020?", "day": "2024-05-01", "passages": passages}
    assert app(node).compile().invoke(asked)["reply"] == "Tom Reyes"


def test_the_grow_graph_makes_the_questions_of_the_app() -> None:
    node = as_node(
        grow_graph().compile(name="grow"),
        inputs={"articles": "news", "before": "old", "month": "month"},
        outputs={"questions": "report.questions"},
        context=GrowOptions(),
    )
    asked: Desk = {
        "month": "2024-02",
        "old": [{"title": "Port Elwin", "text": "The mayor of Port Elwin is Greta Holm."}],
        "news": [{"title": "Port Elwin", "text": "The mayor of Port Elwin is Nils Aker."}],
    }
    (question,) = app(node).compile().invoke(asked)["questions"]
    assert (question["type"], question["answer"]) == ("Changed", "Nils Aker")


def test_a_graph_whose_fields_are_the_app_s_own_needs_no_mapping() -> None:
    class Asking(TypedDict, total=False):
        question: str
        as_of: str
        report: dict[str, Any]

    graph = StateGraph(Asking)
    graph.add_node("dateline", answer_graph(parts()).compile())
    graph.add_edge(START, "dateline")
    graph.add_edge("dateline", END)
    asked: Asking = {"question": "Who is the director?", "as_of": "2018"}
    assert graph.compile().invoke(asked)["report"]["answer"] == "Anna Berg"
