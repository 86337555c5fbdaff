"""The answer graph inside a chat: messages come in, an answer goes out, and a second question leans on the first."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph

from dateline import BadInput, Evidence, Interval
from dateline.certainty import Gate
from dateline.testing import FixedSearch
from dateline_graphs import AnswerOptions, Components, answer_graph, default_components
from dateline_graphs.server.components import characters

NOTES = [
    Evidence.make("Anna Berg was named director of the observatory.", published=Interval.parse("2015-03-02")),
    Evidence.make("Carl Dahl was named director of the observatory.", published=Interval.parse("2021-09-14")),
]
QUESTION = "Who is the director of the observatory?"


def components() -> Components:
    made = default_components(search=FixedSearch(NOTES), options=AnswerOptions())
    # What is trusted is not the matter here.
    return replace(made, clock=lambda: datetime(2024, 6, 1, tzinfo=UTC), gate=Gate(threshold=0.1))


def ask(messages: list[Any], **more: Any) -> dict[str, Any]:
    return answer_graph(components()).compile().invoke({"messages": messages, **more})


@pytest.mark.parametrize("said", [HumanMessage(QUESTION), {"role": "user", "content": QUESTION}, ("user", QUESTION)])
def test_messages_come_in_and_the_answer_goes_out_as_a_message(said: Any) -> None:
    given = ask([said])
    assert given["messages"][-1].text == "Carl Dahl"
    assert given["messages"][-1].type == "ai"
    assert given["messages"][-1].response_metadata["freshness"]["newest"] == "2021-09-14"
    assert given["report"]["answer"] == "Carl Dahl"


def test_what_is_not_trusted_is_said_to_be_a_guess() -> None:
    graph = answer_graph(replace(components(), gate=Gate())).compile()
    given = graph.invoke({"messages": [HumanMessage("When was the telescope repaired?")]})
    assert given["messages"][-1].text.startswith("No answer in these documents")


@pytest.mark.xfail(
    strict=True, reason="the holder of another office is taken for this one's, and trusted (docs/reading.md)"
)
def test_the_holder_of_another_office_is_not_trusted() -> None:
    graph = answer_graph(replace(components(), gate=Gate())).compile()
    given = graph.invoke({"messages": [HumanMessage("Who is the gardener of the observatory?")]})
    assert given["messages"][-1].text.startswith("No answer in these documents")


def test_earlier_messages_are_the_chat_that_the_question_leans_on() -> None:
    given = ask([HumanMessage(QUESTION), AIMessage("Carl Dahl"), HumanMessage("And in 2016?")])
    assert given["report"]["asked"]["question"] == "Who is the director of the observatory in 2016?"
    assert given["messages"][-1].text == "Anna Berg"


def test_a_thread_goes_on_with_its_next_message() -> None:
    graph = answer_graph(components()).compile(checkpointer=InMemorySaver())
    thread: Any = {"configurable": {"thread_id": "1"}}
    graph.invoke({"messages": [HumanMessage(QUESTION)]}, thread)
    given = graph.invoke({"messages": [HumanMessage("And in 2016?")]}, thread)
    texts = [message.text for message in given["messages"]]
    assert texts[:3] == [QUESTION, "Carl Dahl", "And in 2016?"]
    assert texts[3] == "Anna Berg"


def test_a_thread_that_goes_on_later_is_asked_then() -> None:
    year = [2018]
    parts = replace(components(), clock=lambda: datetime(year[0], 6, 1, tzinfo=UTC))
    graph = answer_graph(parts).compile(checkpointer=InMemorySaver())
    thread: Any = {"configurable": {"thread_id": "1"}}
    assert graph.invoke({"messages": [HumanMessage(QUESTION)]}, thread)["report"]["answer"] == "Anna Berg"
    year[0] = 2024
    given = graph.invoke({"messages": [HumanMessage(QUESTION)]}, thread)
    assert given["report"]["asked"]["as_of"][:4] == "2024"


def test_it_is_a_subgraph_of_a_chat_without_any_mapping() -> None:
    app = StateGraph(MessagesState)
    app.add_node("answer", answer_graph(components()).compile())
    app.add_edge(START, "answer")
    app.add_edge("answer", END)
    given = app.compile().invoke({"messages": [HumanMessage(QUESTION)]})
    assert [message.text for message in given["messages"]] == [QUESTION, "Carl Dahl"]


def test_a_question_beside_an_answered_chat_stands_for_itself() -> None:
    given = ask([HumanMessage("Hello"), AIMessage("Hello!")], question=QUESTION, as_of="2016")
    assert given["report"]["answer"] == "Anna Berg"


def test_without_messages_none_are_written() -> None:
    given = answer_graph(components()).compile().invoke({"question": QUESTION})
    assert given["messages"] == []
    assert next(step["name"] for step in given["steps"]) == "decompose"


def test_an_empty_message_is_an_empty_question() -> None:
    with pytest.raises(BadInput, match="question is empty"):
        ask([HumanMessage(" ")])


def test_the_limits_of_a_server_count_what_messages_say() -> None:
    assert characters([HumanMessage("x" * 500)]) > 500
