"""The asking day travels with a run of LangGraph: in its config, in its state, and out of the block in which it began."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from operator import itemgetter
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, tool
from langchain_core.vectorstores import InMemoryVectorStore
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt import ToolNode, tools_condition
from pydantic import BaseModel

from dateline import Evidence, Interval
from dateline.temporal import asked_at
from dateline.testing import FixedSearch
from dateline.text.lexical import LexicalEmbeddings
from dateline.tools import Toolbox
from dateline_graphs import AnswerOptions, answer_graph, ask_as_of, default_components
from langchain_dateline import AskedAt, TemporalReranker, TemporalRetriever, dateline_tools
from langchain_dateline.middleware import DatedToolCalls, DatelineMiddleware
from langchain_dateline.testing import ScriptedChatModel, calls_tool

LEADERS = (("Ana Bell", 2012), ("Ben Hall", 2016), ("Carl Dahl", 2020))
COMPONENTS = default_components(
    search=FixedSearch(
        [
            Evidence.make(f"{who} became director of Acme in {year}.", published=Interval.of_year(year))
            for who, year in LEADERS
        ]
    ),
    options=AnswerOptions(),
)
ASK = ask_as_of(COMPONENTS)
QUESTION = "Who is the director of Acme?"
ASKED = {"messages": [("user", QUESTION)]}


def retriever() -> TemporalRetriever:
    store = InMemoryVectorStore(LexicalEmbeddings())
    store.add_documents([Document(f"{who} leads Acme.", metadata={"date": str(year)}) for who, year in LEADERS])
    return TemporalRetriever(retriever=store, reranker=TemporalReranker(embeddings=LexicalEmbeddings()), k=1)


RETRIEVER = retriever()


@tool
def search_notes(query: str) -> str:
    """Search the notes."""
    return RETRIEVER.invoke(query)[0].page_content


class Dated(MessagesState):
    as_of: str


class Model(BaseModel):
    messages: list[Any]
    as_of: str = ""


def agent(called: BaseTool = search_notes, *, state: type = MessagesState, **node: Any) -> Any:
    """A tool-calling graph of somebody's own, that ends with what the tool said."""
    argument = "query" if called is search_notes else "question"
    model = ScriptedChatModel(replies=[calls_tool(called.name, **{argument: QUESTION})])
    graph = StateGraph(state)
    graph.add_node("model", lambda state: {"messages": [model.invoke(state["messages"])]})
    graph.add_node("tools", ToolNode([called], **node))
    graph.add_edge(START, "model")
    graph.add_conditional_edges("model", tools_condition)
    graph.add_edge("tools", END)
    return graph.compile()


def said(found: Any) -> str:
    """The first name in a text, in documents, or in what the last step of a run said."""
    if isinstance(found, list) and isinstance(found[-1], dict):
        (found,) = found[-1].values()
    if isinstance(found, dict | Model):
        found = dict(found)["messages"][-1].content
    text = str(found)
    return min((who for who, _ in LEADERS if who in text), key=text.index)


def of_day(day: str | int, **more: Any) -> dict[str, Any]:
    return {"configurable": {"as_of": day, **more}}


@pytest.mark.parametrize("called", [search_notes, ASK], ids=["a retriever in a tool", "ask_as_of"])
async def test_the_day_in_the_config_of_a_run_reaches_what_its_tools_ask(called: BaseTool) -> None:
    app = agent(called)
    assert said(app.invoke(ASKED, of_day("2014"))) == "Ana Bell"
    assert said(await app.ainvoke(ASKED, of_day("2018"))) == "Ben Hall"
    assert said(app.invoke(ASKED)) == "Carl Dahl"


def test_every_piece_follows_the_config_of_its_run() -> None:
    graph = answer_graph(COMPONENTS).compile()
    assert graph.invoke({"question": QUESTION}, of_day(2014))["report"]["answer"] == "Ana Bell"
    assert said(RETRIEVER.invoke(QUESTION, of_day("2014"))) == "Ana Bell"
    assert said((itemgetter("question") | RETRIEVER).invoke({"question": QUESTION}, of_day("2018"))) == "Ben Hall"
    assert said(ASK.invoke({"question": QUESTION}, of_day("2018"))) == "Ben Hall"


def test_what_a_call_says_counts_before_the_config_and_the_config_before_a_block() -> None:
    chain = AskedAt(chain=itemgetter("question") | RETRIEVER)
    assert said(chain.invoke({"question": QUESTION, "as_of": "2014"}, of_day("2018"))) == "Ana Bell"
    assert said(ASK.invoke({"question": QUESTION, "as_of": "2014"}, of_day("2018"))) == "Ana Bell"
    with asked_at("2014"):
        assert said(agent().invoke(ASKED, of_day("2018"))) == "Ben Hall"
        assert said(agent().invoke(ASKED)) == "Ana Bell"


def test_a_block_inside_a_run_counts_before_the_config_that_is_handed_on() -> None:
    def node(state: Any, config: RunnableConfig) -> Any:
        with asked_at("2014"):
            return {"messages": [("ai", str(RETRIEVER.invoke(QUESTION, config)))]}

    graph = StateGraph(MessagesState)
    graph.add_node("node", node)
    graph.add_edge(START, "node")
    assert said(graph.compile().invoke(ASKED, of_day("2018"))) == "Ana Bell"
    with asked_at("2018"):
        assert said(graph.compile().invoke(ASKED)) == "Ana Bell"


@pytest.mark.parametrize("config", [None, {"configurable": {"thread_id": "1"}}], ids=["no thread", "a thread"])
def test_a_stream_that_began_in_a_block_keeps_its_day_outside(config: Any) -> None:
    app = agent()
    with asked_at("2014"):
        pieces = app.stream(ASKED, config, stream_mode="updates")
        next(pieces)
    assert said(list(pieces)) == "Ana Bell"


def answers(app: CompiledStateGraph[Any, Any, Any, Any], day: str) -> Iterator[Any]:
    with asked_at(day):
        yield from app.stream(ASKED, stream_mode="updates")


def test_generators_that_take_turns_keep_their_days_and_leave_none_behind(caplog: pytest.LogCaptureFixture) -> None:
    app = agent()
    first, second = answers(app, "2014"), answers(app, "2018")
    next(first), next(second)
    with caplog.at_level(logging.WARNING):
        assert [said(list(first)), said(list(second))] == ["Ana Bell", "Ben Hall"]
    assert "left before one that was opened later" in caplog.text
    assert "as_of" in caplog.text
    assert said(app.invoke(ASKED)) == "Carl Dahl"


def test_a_generator_that_gives_its_run_the_day_in_the_config_changes_nothing_around() -> None:
    app = agent()
    pieces = app.stream(ASKED, of_day("2014"), stream_mode="updates")
    next(pieces)
    assert said(app.invoke(ASKED)) == "Carl Dahl"
    assert said(list(pieces)) == "Ana Bell"


@pytest.mark.parametrize("day", ["soon", "2199"])
def test_a_day_in_the_config_that_cannot_be_asked_for_is_refused(day: str) -> None:
    with pytest.raises(Exception, match=day):
        RETRIEVER.invoke(QUESTION, of_day(day))
    with pytest.raises(Exception, match=day):
        answer_graph(COMPONENTS).compile().invoke({"question": QUESTION}, of_day(day))


def test_a_misspelt_day_in_the_config_is_refused_and_never_means_now() -> None:
    with pytest.raises(Exception, match="did you mean as_of"):
        RETRIEVER.invoke(QUESTION, {"configurable": {"asOf": "2014"}})


async def test_the_tool_takes_the_day_from_the_state_of_the_graph_around_it() -> None:
    app = agent(ASK, state=Dated)
    assert said(app.invoke({**ASKED, "as_of": "2014"})) == "Ana Bell"
    assert said(await app.ainvoke({**ASKED, "as_of": "2018"})) == "Ben Hall"
    assert said(app.invoke({**ASKED, "as_of": "2014"}, of_day("2018"))) == "Ana Bell"
    assert said(app.invoke(ASKED, of_day("2018"))) == "Ben Hall"
    called = calls_tool(ASK.name, question=QUESTION)
    asked = Model(messages=[called], as_of="2014")
    node = StateGraph(Model)
    node.add_node("tools", ToolNode([ASK]))
    node.add_edge(START, "tools")
    assert said(node.compile().invoke(asked)) == "Ana Bell"


def test_the_model_is_told_nothing_of_the_state() -> None:
    assert set(ASK.args) == {"question", "as_of"}
    schema: Any = ASK.tool_call_schema
    assert set(schema.model_json_schema()["properties"]) == {"question", "as_of"}


def test_the_day_that_the_model_names_counts_before_the_states() -> None:
    model = ScriptedChatModel(replies=[calls_tool(ASK.name, question=QUESTION, as_of="2014")])
    graph = StateGraph(Dated)
    graph.add_node("model", lambda state: {"messages": [model.invoke(state["messages"])]})
    graph.add_node("tools", ToolNode([ASK]))
    graph.add_edge(START, "model")
    graph.add_edge("model", "tools")
    assert said(graph.compile().invoke({**ASKED, "as_of": "2018"})) == "Ana Bell"


def test_middleware_follows_the_config_too() -> None:
    from langchain.agents import create_agent

    model = ScriptedChatModel(replies=[calls_tool(ASK.name, question=QUESTION), "So it is."])
    made = create_agent(model, [ASK], middleware=[DatelineMiddleware()])
    state = made.invoke(ASKED, of_day("2014"))
    assert said(state["messages"][-2]) == "Ana Bell"
    assert "2014-12-31" in model.history[0][0].text
    wrapped = agent(state=Dated, wrap_tool_call=DatedToolCalls().wrap_tool_call)
    assert said(wrapped.invoke({**ASKED, "as_of": "2014"}, of_day("2018"))) == "Ana Bell"


@pytest.mark.parametrize("name", ["search_as_of", "resolve_time"])
def test_every_tool_that_takes_a_day_follows_the_run(name: str) -> None:
    (called,) = dateline_tools(Toolbox(search=COMPONENTS.search), only=[name])
    asked = {next(iter(called.args)): QUESTION}
    assert called.invoke(asked, of_day("2014")) == called.invoke({**asked, "as_of": "2014"})
    found = called.invoke(calls_tool(name, **asked).tool_calls[0], of_day("2014")).artifact
    assert found["as_of"][:10] == "2014-12-31"
