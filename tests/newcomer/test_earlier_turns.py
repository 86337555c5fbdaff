"""A thread that is asked as of an earlier day than before: the model is not shown what the later turn found."""

from __future__ import annotations

import json
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver

from dateline import Evidence
from dateline.testing import FixedSearch
from dateline_graphs import AnswerOptions, ask_as_of, default_components
from langchain_dateline.middleware import DatedToolResults, DatelineMiddleware
from langchain_dateline.testing import ScriptedChatModel, calls_tool

NOTES = [{"text": "Ana leads the choir.", "date": "2019-02-03"}, {"text": "Tom leads the choir.", "date": "2023-02-03"}]
THREAD: Any = {"configurable": {"thread_id": "1"}}


@tool
def web_search(query: str) -> str:
    """Search the web."""
    return json.dumps(NOTES)


def shown(model: ScriptedChatModel) -> list[str]:
    """What the tools said in the last request."""
    return [str(message.text) for message in model.history[-1] if message.type == "tool"]


@pytest.mark.parametrize("middleware", [DatelineMiddleware, DatedToolResults])
async def test_a_later_turns_findings_are_left_out_of_the_request_and_stay_in_the_state(middleware: Any) -> None:
    model = ScriptedChatModel(replies=[calls_tool("web_search", query="choir"), "Tom.", "Ana.", "Tom."])
    agent = create_agent(model, [web_search], middleware=[middleware()], checkpointer=InMemorySaver())
    before = await agent.ainvoke({"messages": "Who leads?", "as_of": "2024"}, THREAD)
    assert "Tom leads" in shown(model)[0]
    after = agent.invoke({"messages": "And in 2020?", "as_of": "2020"}, THREAD)
    assert "Ana leads" in shown(model)[0]
    assert "Tom leads" not in shown(model)[0]
    assert "Left out: 1 result was published after 2020-12-31." in shown(model)[0]
    assert after["messages"][2] == before["messages"][2]
    agent.invoke({"messages": "And now?", "as_of": "2024"}, THREAD)
    assert "Tom leads" in shown(model)[0]


def test_an_answer_that_rests_on_later_evidence_is_left_out_whole() -> None:
    pieces = [Evidence.make(note["text"], published=note["date"]) for note in NOTES]
    asking = ask_as_of(default_components(search=FixedSearch(pieces), options=AnswerOptions()))
    model = ScriptedChatModel(replies=[calls_tool("ask_as_of", question="Who leads the choir?"), "Tom.", "Ana."])
    agent = create_agent(model, [asking], middleware=[DatelineMiddleware()], checkpointer=InMemorySaver())
    agent.invoke({"messages": "Who leads the choir?", "as_of": "2024"}, THREAD)
    assert "Tom" in shown(model)[0]
    agent.invoke({"messages": "And in 2020?", "as_of": "2020"}, THREAD)
    assert shown(model) == ["Left out: an answer that rests on what was published after 2020-12-31."]


def test_a_turn_that_gives_no_day_is_asked_now_and_not_as_of_the_turn_before() -> None:
    model = ScriptedChatModel(replies=[calls_tool("web_search", query="choir"), "Ana.", "Tom."])
    agent = create_agent(model, [web_search], middleware=[DatelineMiddleware()], checkpointer=InMemorySaver())
    state = agent.invoke({"messages": "Who leads?", "as_of": "2020"}, THREAD)
    assert "2019-02-03" in state["freshness"]["statement"]
    agent.invoke({"messages": "And now?"}, THREAD)
    assert "2020-12-31" not in str(model.history[-1][0].text)


def test_a_passage_that_says_it_has_no_date_warns_of_none(caplog: pytest.LogCaptureFixture) -> None:
    from langchain_core.documents import Document

    from dateline.documents import evidence_of, unread_dates
    from langchain_dateline import ReaderChatModel, dated_context

    unread_dates._WARNED.clear()
    context = dated_context([Document("Ana leads the choir.")])
    ReaderChatModel().invoke(f"Context:\n{context}\n\nQuestion: Who leads the choir?")
    evidence_of({"text": "Ana leads.", "date": "n/a"})
    assert not caplog.messages
    evidence_of({"text": "Ana leads.", "date": "soonish"})
    assert "soonish" in caplog.text
