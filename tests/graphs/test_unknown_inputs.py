"""A field or value that no graph reads is refused, and not dropped or misread in silence."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypedDict

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command

from dateline import BadInput, Evidence, Interval
from dateline.facts import ExactIndex, FactStore, LocalUpdater, MemoryLedger
from dateline.reading import ExtractiveReader
from dateline.reading.strategies import LocalStages, SelfMrag
from dateline.testing import FixedSearch
from dateline.text.lexical import LexicalEmbeddings
from dateline_bench.grow_graph import grow_graph
from dateline_graphs import (
    AnswerOptions,
    answer_graph,
    as_node,
    default_components,
    generate_graph,
    self_mrag_graph,
    update_facts_graph,
)

NOTES = [
    Evidence.make("Ana Bell is the director of Acme.", published=Interval.of_year(2015)),
    Evidence.make("Tom Reyes is the director of Acme.", published=Interval.of_year(2021)),
]
ASKED = {"question": "Who is the director of Acme?", "as_of": "2018"}
GRAPHS: dict[str, Callable[[], StateGraph[Any, Any, Any, Any]]] = {
    "answer": answer_graph,
    "self-mrag": self_mrag_graph,
    "generate": generate_graph,
    "update facts": update_facts_graph,
    "grow": grow_graph,
}


def answering() -> StateGraph[Any, Any, Any, Any]:
    parts = default_components(search=FixedSearch(NOTES), options=AnswerOptions(), embeddings=LexicalEmbeddings())
    return answer_graph(parts)


@pytest.mark.parametrize("name", GRAPHS)
def test_a_field_that_a_graph_does_not_have_is_refused(name: str) -> None:
    with pytest.raises(BadInput, match="The graph's input has no 'colour'; it takes "):
        GRAPHS[name]().compile().invoke({"colour": "red"})


@pytest.mark.parametrize("name", ["answer", "self-mrag", "generate"])
def test_a_misspelt_day_is_refused_with_the_right_name(name: str) -> None:
    graph = GRAPHS[name]().compile()
    wrong = {"question": "Who leads Acme?", "asof": "2018"}
    told = "has no 'asof'; did you mean as_of"
    with pytest.raises(BadInput, match=told):
        graph.invoke(wrong)
    with pytest.raises(BadInput, match=told):
        asyncio.run(graph.ainvoke(wrong))
    with pytest.raises(BadInput, match=told):
        list(graph.stream(wrong))


WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("answer", {"choices": "Ana Bell"}, r"^choices must be a list of texts such as .*, not 'Ana Bell'\."),
    ("answer", {"choices": [1, 2]}, r"^choices must be a list of texts"),
    ("answer", {"choices": ["a", None]}, r"^choices must be a list of texts"),
    ("answer", {"choices": 5}, r"^choices must be a list of texts"),
    ("answer", {"history": 5}, r"^A chat history is a list of turns"),
    ("answer", {"messages": 5, "question": None}, r"^messages must be a list of messages, not 5\."),
    ("answer", {"question": ["Who?"]}, r"^question must be a text such as .*, not \['Who\?'\]\."),
    ("generate", {"question": {"a": 1}}, r"^question must be a text"),
    ("self-mrag", {"question": 7}, r"^question must be a text"),
    ("self-mrag", {"choices": "Ana Bell"}, r"^choices must be a list of texts"),
    ("self-mrag", {"evidence": 5}, r"^Passages are a list of documents, not 5"),
    ("self-mrag", {"evidence": "notes"}, r"^Passages are a list of documents, not 'notes'; load_documents\(FOLDER\)"),
    ("update facts", {"documents": "notes", "question": None}, r"^Passages are a list of documents, not 'notes'"),
    ("update facts", {"documents": 5, "question": None}, r"^Passages are a list of documents, not 5"),
]


@pytest.mark.parametrize(("name", "wrong", "told"), WRONG)
def test_a_value_of_another_type_is_refused_in_one_sentence(name: str, wrong: dict[str, Any], told: str) -> None:
    graph = GRAPHS[name]().compile()
    given = {
        name: value for name, value in {**ASKED, **wrong}.items() if name in graph.get_input_jsonschema()["properties"]
    }
    with pytest.raises(BadInput, match=told):
        graph.invoke(given)
    with pytest.raises(BadInput, match=told):
        asyncio.run(graph.ainvoke(given))


@pytest.mark.parametrize("name", ["answer", "self-mrag", "generate"])
def test_a_context_of_another_kind_is_refused_in_one_sentence(name: str) -> None:
    with pytest.raises(BadInput, match=r"^context must be \w+Options\(\.\.\.\), not 'notes'\."):
        GRAPHS[name]().compile().invoke(ASKED, context="notes")


def test_a_context_of_another_kind_is_refused_where_the_parts_are_given() -> None:
    with pytest.raises(BadInput, match=r"^context must be AnswerOptions"):
        answering().compile().invoke(ASKED, context="notes")


def test_a_value_of_another_type_is_refused_where_a_command_goes_to_the_first_node() -> None:
    graph = answering().compile(checkpointer=InMemorySaver())
    thread: Any = {"configurable": {"thread_id": "1"}}
    graph.invoke(ASKED, thread)
    with pytest.raises(BadInput, match=r"^choices must be a list of texts"):
        graph.invoke(Command(update={"choices": "Ana Bell"}, goto="decompose"), thread)


def test_a_thread_goes_on_behind_a_refused_input() -> None:
    graph = answering().compile(checkpointer=InMemorySaver())
    thread: Any = {"configurable": {"thread_id": "1"}}
    with pytest.raises(BadInput, match="has no 'date'; did you mean as_of"):
        graph.invoke({"question": ASKED["question"], "date": "2018"}, thread)
    assert graph.get_state(thread).values.get("report") is None
    assert graph.invoke(ASKED, thread)["report"]["answer"] == "Ana Bell"
    assert graph.invoke(Command(update={"as_of": "2022"}, goto="decompose"), thread)["report"]["answer"] == "Tom Reyes"


class Outer(TypedDict, total=False):
    question: str
    as_of: str
    colour: str
    report: dict[str, Any]


@pytest.mark.parametrize("form", ["node", "as_node", "call"])
def test_as_a_part_of_another_graph_it_takes_what_it_knows_of_the_state(form: str) -> None:
    inner = answering().compile()
    nodes: dict[str, Any] = {
        "node": inner,
        "as_node": as_node(
            inner, inputs={"question": "question", "as_of": "as_of"}, outputs={"report": "report"}, state=Outer
        ),
        "call": lambda state: {"report": inner.invoke(state)["report"]},
    }
    outer = StateGraph(Outer)
    outer.add_node("ask", nodes[form])
    outer.add_edge(START, "ask")
    outer.add_edge("ask", END)
    graph = outer.compile(checkpointer=InMemorySaver())
    thread: Any = {"configurable": {"thread_id": "1"}}
    assert graph.invoke({**ASKED, "colour": "red"}, thread)["report"]["answer"] == "Ana Bell"
    assert asyncio.run(graph.ainvoke({**ASKED, "colour": "red"}, thread))["report"]["answer"] == "Ana Bell"


def test_as_a_part_of_another_graph_it_refuses_a_misspelt_day() -> None:
    class Misspelt(TypedDict, total=False):
        question: str
        asof: str
        report: dict[str, Any]

    outer = StateGraph(Misspelt)
    outer.add_node("ask", answering().compile())
    outer.add_edge(START, "ask")
    with pytest.raises(BadInput, match="holds 'asof', which nothing reads; did you mean as_of"):
        outer.compile().invoke({"question": ASKED["question"], "asof": "2018"})


def test_a_graph_that_is_asked_nothing_leaves_the_outer_state_its_fields() -> None:
    class Outer(TypedDict, total=False):
        documents: list[Any]
        asof: str

    store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())
    outer = StateGraph(Outer)
    outer.add_node("learn", update_facts_graph(LocalUpdater(store)).compile())
    outer.add_edge(START, "learn")
    told = {"text": "Ana Bell is the mayor of Oslo.", "published": "2020-01-01"}
    outer.compile().invoke({"documents": [told], "asof": "2024"})
    assert [each.fact.text for each in store.at("2021")] == [told["text"]]


@pytest.mark.parametrize("checkpointer", [None, True])
def test_as_a_part_of_another_graph_a_turn_without_a_day_is_asked_now(checkpointer: bool | None) -> None:
    inner = answering().compile(checkpointer=checkpointer)
    outer = StateGraph(Outer)
    outer.add_node(
        "ask",
        as_node(inner, inputs={"question": "question", "as_of": "as_of"}, outputs={"report": "report"}, state=Outer),
    )
    outer.add_edge(START, "ask")
    graph = outer.compile(checkpointer=InMemorySaver())
    thread: Any = {"configurable": {"thread_id": "two turns"}}
    assert graph.invoke({**ASKED}, thread)["report"]["answer"] == "Ana Bell"
    assert graph.invoke({**ASKED, "as_of": None}, thread)["report"]["answer"] == "Tom Reyes"


def test_a_turn_without_a_day_is_asked_now_whatever_the_turn_before_was() -> None:
    graph = answering().compile(checkpointer=InMemorySaver())
    thread: Any = {"configurable": {"thread_id": "two turns"}}
    first = graph.invoke(ASKED, thread)["report"]["asked"]["as_of"]
    second = graph.invoke({"question": ASKED["question"]}, thread)["report"]["asked"]["as_of"]
    assert first[:4] == "2018"
    assert second[:4] > "2024"


def test_a_turn_has_no_choices_of_the_turn_before() -> None:
    graph = answering().compile(checkpointer=InMemorySaver())
    thread: Any = {"configurable": {"thread_id": "two turns"}}
    assert graph.invoke({**ASKED, "choices": ["Ana Bell", "Eva Holm"]}, thread)["report"]["answer"] == "Ana Bell"
    assert graph.invoke({**ASKED, "as_of": "2022"}, thread)["report"]["answer"] == "Tom Reyes"


def test_a_turn_leans_on_no_history_of_the_turn_before() -> None:
    graph = answering().compile(checkpointer=InMemorySaver())
    thread: Any = {"configurable": {"thread_id": "two turns"}}
    said: Any = [{"role": "user", "content": ASKED["question"]}, {"role": "assistant", "content": "Tom Reyes"}]
    first = graph.invoke({"question": "And in 2016?", "history": said}, thread)["report"]["asked"]
    second = graph.invoke({"question": "And in 2016?"}, thread)["report"]["asked"]
    assert (first["said"], first["question"]) == ("And in 2016?", "Who is the director of Acme in 2016?")
    assert (second["said"], second["question"]) == ("", "And in 2016?")


def test_a_turn_asks_no_message_that_a_failed_turn_left() -> None:
    graph = answering().compile(checkpointer=InMemorySaver())
    thread: Any = {"configurable": {"thread_id": "two turns"}}
    with pytest.raises(BadInput, match="20xx"):
        graph.invoke({"messages": [{"role": "user", "content": "Who founded Acme?"}], "as_of": "20xx"}, thread)
    asked = graph.invoke(ASKED, thread)["report"]["asked"]
    assert (asked["said"], asked["question"]) == ("", ASKED["question"])
    assert graph.invoke({"messages": [{"role": "user", "content": "Who leads it?"}]}, thread)["report"]["asked"]["said"]


def test_a_turn_reads_no_passages_of_the_turn_before() -> None:
    graph = self_mrag_graph(SelfMrag(LocalStages(ExtractiveReader()))).compile(checkpointer=InMemorySaver())
    thread: Any = {"configurable": {"thread_id": "two turns"}}
    assert graph.invoke({**ASKED, "evidence": NOTES}, thread)["reading"]["answer"] == "Ana Bell"
    assert graph.invoke(ASKED, thread)["reading"]["answer"] == ""
