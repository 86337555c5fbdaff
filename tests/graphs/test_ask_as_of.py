"""The answer graph as a tool of somebody's agent."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from dateline import Evidence, Interval, SearchFailed
from dateline.certainty import Gate
from dateline.facts import FactStore, LocalUpdater, Policy
from dateline.facts.index import ExactIndex
from dateline.facts.ledger import MemoryLedger
from dateline.testing import FixedSearch
from dateline.text.lexical import LexicalEmbeddings
from dateline_graphs import AnswerOptions, AnswerReport, ask_as_of
from dateline_graphs.components import Components, default_components
from langchain_dateline.middleware import DatelineMiddleware
from langchain_dateline.testing import ScriptedChatModel, calls_tool

ASKED = "Who is the director of Acme?"
PIECES = [
    Evidence.make("Anna Berg is the director of Acme.", title="Berg", published=Interval.of_day(2015, 3, 2)),
    Evidence.make("Carl Dahl is the director of Acme.", title="Dahl", published=Interval.of_day(2021, 9, 14)),
]


def parts(**changes: Any) -> Components:
    options = AnswerOptions(reader="rules")
    made = default_components(search=FixedSearch(PIECES), options=options, embeddings=LexicalEmbeddings())
    return replace(made, clock=lambda: datetime(2024, 6, 1, tzinfo=UTC), **changes)


@pytest.mark.parametrize(("as_of", "answer"), [("", "Carl Dahl"), ("2018", "Anna Berg")])
async def test_an_agent_asks_as_of_a_date_and_reads_a_dated_sourced_answer(as_of: str, answer: str) -> None:
    replies = [calls_tool("ask_as_of", question=ASKED, as_of=as_of), "There."]
    agent = create_agent(ScriptedChatModel(replies=replies), [ask_as_of(parts())])
    state = await agent.ainvoke({"messages": [("user", ASKED)]})
    (told,) = [each for each in state["messages"] if isinstance(each, ToolMessage)]
    lines = str(told.content).splitlines()
    assert lines[0] == f"answer: {answer}"
    assert lines[1].startswith(f"as of: {as_of or '2024-06-01'}")
    assert {line.split(":")[0] for line in lines[2:4]} == {"certainty", "freshness"}
    assert any(answer in line and line.startswith("[1] 20") for line in lines)
    assert AnswerReport.model_validate(told.artifact).answer == answer


def test_a_guess_reaches_the_model_only_as_a_guess() -> None:
    told = ask_as_of(parts(gate=Gate(threshold=1.0))).invoke({"question": ASKED}).splitlines()
    assert told[:2] == ["answer: No answer in these documents is certain", "not sure: Carl Dahl"]


def test_the_model_is_told_what_went_wrong_and_the_agent_goes_on() -> None:
    tool = ask_as_of(parts())
    told = tool.invoke(
        {"name": "ask_as_of", "args": {"question": ASKED, "as_of": "soon"}, "id": "1", "type": "tool_call"}
    )
    assert told.status == "error"
    assert "soon" in told.content
    failing = ask_as_of(parts(search=FixedSearch(error=SearchFailed("The search is down."))))
    assert "The search is down." in failing.invoke({"question": ASKED})


def test_its_evidence_counts_for_the_freshness_of_the_agents_answer() -> None:
    replies = [calls_tool("ask_as_of", question=ASKED), "Carl Dahl is the director of Acme."]
    agent = create_agent(
        ScriptedChatModel(replies=replies), [ask_as_of(parts())], middleware=[DatelineMiddleware(as_of="2024-06-01")]
    )
    state = agent.invoke({"messages": [("user", ASKED)]})
    assert state["freshness"]["newest"] == "2021-09-14"
    (told,) = [each for each in state["messages"] if isinstance(each, ToolMessage)]
    assert str(told.content).startswith("answer: Carl Dahl"), "a report is not rewritten"


def test_edits_of_facts_that_wait_stop_the_agent_and_it_goes_on_where_it_was() -> None:
    store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())
    search = FixedSearch(PIECES)
    tool = ask_as_of(parts(search=search, updater=LocalUpdater(store, policy=Policy(interrupt_on=("add",)))))
    replies = [calls_tool("ask_as_of", question=ASKED), "Carl Dahl."]
    agent = create_agent(ScriptedChatModel(replies=replies), [tool], checkpointer=InMemorySaver())
    thread: Any = {"configurable": {"thread_id": "1"}}
    stopped = agent.invoke({"messages": [("user", ASKED)]}, thread)
    assert "may" in stopped["__interrupt__"][0].value["question"].casefold()
    asked = len(search.history)
    state = agent.invoke(Command(resume="approve"), thread)
    assert state["messages"][-1].content == "Carl Dahl."
    assert len(search.history) == asked, "nothing is searched for twice"
    assert store.search(ASKED)


def test_options_are_enough(changed_fact: Any) -> None:
    tool = ask_as_of(options=AnswerOptions(docs=str(changed_fact), reader="rules"), name="ask_notes")
    assert tool.name == "ask_notes"
    assert "Anna Berg" in tool.invoke({"question": "Who is the director of the Northern Observatory?", "as_of": "2018"})
