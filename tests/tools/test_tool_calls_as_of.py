"""The asking day reaches the tools of an agent, and those of its sub-agents."""

from __future__ import annotations

from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.tools import ToolRuntime, tool
from langchain_core.documents import Document
from langchain_core.messages import ToolMessage
from langchain_core.tools import create_retriever_tool
from langchain_core.vectorstores import InMemoryVectorStore

from dateline import Evidence, Interval
from dateline.testing import FixedSearch
from dateline.text.lexical import LexicalEmbeddings
from dateline.tools import Toolbox
from langchain_dateline import TemporalRetriever, dateline_tools
from langchain_dateline.middleware import DatedToolCalls, DatelineMiddleware
from langchain_dateline.testing import ScriptedChatModel, calls_tool

ASKED = "Who is the director of Acme?"
PIECES = [
    Evidence.make("Anna Berg is the director of Acme.", published=Interval.of_day(2015, 3, 2)),
    Evidence.make("Carl Dahl is the director of Acme.", published=Interval.of_day(2021, 9, 14)),
]
YEARS = range(2005, 2025)
TOOLS = dateline_tools(Toolbox(search=FixedSearch(PIECES)), only=["search_as_of"])


def searching(**arguments: Any) -> ScriptedChatModel:
    return ScriptedChatModel(replies=[calls_tool("search_as_of", query=ASKED, **arguments), "There."])


def told_by(state: Any) -> str:
    return next(str(each.content) for each in state["messages"] if isinstance(each, ToolMessage))


@pytest.mark.parametrize("kind", [DatedToolCalls, DatelineMiddleware])
@pytest.mark.parametrize(
    ("given", "as_of"),
    [
        ({}, "2018-12-31"),
        ({"as_of": "2016"}, "2016-12-31"),
        ({"as_of": "2023"}, "2018-12-31"),
        ({"as_of": ""}, "2018-12-31"),
        ({"as_of": "now"}, "2018-12-31"),
        ({"as_of": "last year"}, "2017-12-31"),
    ],
)
async def test_a_call_is_made_as_of_the_asking_day_or_an_earlier_one(kind: Any, given: Any, as_of: str) -> None:
    asked: Any = {"messages": [("user", ASKED)], "as_of": "2018"}
    agents = [create_agent(searching(**given), TOOLS, middleware=[kind()]) for _ in range(2)]
    for state in (agents[0].invoke(asked), await agents[1].ainvoke(asked)):
        (message,) = (each for each in state["messages"] if isinstance(each, ToolMessage))
        assert message.artifact["as_of"].startswith(as_of)
        assert "Carl Dahl" not in told_by(state)


def test_a_period_that_goes_on_behind_the_asking_day_ends_with_it() -> None:
    agent = create_agent(searching(as_of="2018"), TOOLS, middleware=[DatedToolCalls(as_of="2018-06-01")])
    assert told_by(agent.invoke({"messages": [("user", ASKED)]})).startswith("as of: 2018-06-01")


def test_without_an_asking_day_calls_stay_as_they_are() -> None:
    agent = create_agent(searching(as_of="2022"), TOOLS, middleware=[DatedToolCalls()])
    assert told_by(agent.invoke({"messages": [("user", ASKED)]})).startswith("as of: 2022-12-31")


def test_what_cannot_be_read_is_told_to_the_model() -> None:
    agent = create_agent(searching(as_of="soon"), TOOLS, middleware=[DatedToolCalls(as_of="2018")])
    assert "Cannot read 'soon'" in told_by(agent.invoke({"messages": [("user", ASKED)]}))


def test_tools_without_a_day_are_called_as_before() -> None:
    @tool
    def add(a: int, b: int) -> str:
        """Add."""
        return str(a + b)

    model = ScriptedChatModel(replies=[calls_tool("add", a=1, b=2), "3"])
    agent = create_agent(model, [add], middleware=[DatelineMiddleware(as_of="2018")])
    assert told_by(agent.invoke({"messages": [("user", "1 + 2?")]})) == "3"


async def test_a_retriever_inside_a_tool_asks_as_of_the_day_too() -> None:
    store = InMemoryVectorStore(LexicalEmbeddings())
    store.add_documents([Document(f"P{year} is the director of Acme.", metadata={"date": f"{year}"}) for year in YEARS])
    retriever = TemporalRetriever(retriever=store, k=2)
    found = create_retriever_tool(retriever, "search_notes", "Find.", response_format="content_and_artifact")
    for kind in (DatedToolCalls, DatelineMiddleware):
        replies = [calls_tool("search_notes", query=ASKED), "There."]
        agents = [create_agent(ScriptedChatModel(replies=replies), [found], middleware=[kind()]) for _ in range(2)]
        asked: Any = {"messages": [("user", ASKED)], "as_of": "2012"}
        for state in (agents[0].invoke(asked), await agents[1].ainvoke(asked)):
            assert "P2012" in told_by(state)
            assert "P2013" not in told_by(state)
    assert "P2024" in str(found.invoke(ASKED)), "behind the calls it is now again"


async def test_a_sub_agent_that_gets_the_state_gets_the_day() -> None:
    inner = create_agent(searching(), TOOLS, middleware=[DatelineMiddleware()])

    @tool
    async def task(description: str, runtime: ToolRuntime) -> str:
        """Let a sub-agent do it."""
        state = {name: value for name, value in runtime.state.items() if name != "messages"}
        return told_by(await inner.ainvoke({**state, "messages": [("user", description)]}))

    model = ScriptedChatModel(replies=[calls_tool("task", description=ASKED), "Anna Berg."])
    agent = create_agent(model, [task], middleware=[DatelineMiddleware()])
    state = await agent.ainvoke({"messages": [("user", ASKED)], "as_of": "2018"})  # type: ignore[typeddict-unknown-key]
    assert "as known on Dec 31, 2018" in told_by(state)
    assert "Anna Berg" in told_by(state)
    assert "Carl Dahl" not in told_by(state)


def test_what_a_search_finds_counts_for_the_freshness_of_the_answer() -> None:
    agent = create_agent(searching(), TOOLS, middleware=[DatelineMiddleware()])
    state = agent.invoke({"messages": [("user", ASKED)], "as_of": "2022"})  # type: ignore[typeddict-unknown-key]
    assert state["freshness"]["newest"] == "2021-09-14"
    assert "Carl Dahl" in told_by(state)
