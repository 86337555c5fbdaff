"""The same tools in agents of LangChain and LlamaIndex."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import ToolMessage

from dateline import Evidence, Interval
from dateline.facts import FactStore, LocalUpdater
from dateline.facts.index import ExactIndex
from dateline.facts.ledger import MemoryLedger
from dateline.testing import FixedSearch
from dateline.text.lexical import LexicalEmbeddings
from dateline.tools import TOOLS, Toolbox
from dateline_graphs import AnswerOptions, AnswerReport, toolbox
from dateline_graphs.components import default_components
from langchain_dateline import dateline_tools
from langchain_dateline.testing import ScriptedChatModel, calls_tool

ASKED = "Who is the director of Acme?"
PIECES = [
    Evidence.make("Anna Berg is the director of Acme.", title="Berg", published=Interval.of_day(2015, 3, 2)),
    Evidence.make("Carl Dahl is the director of Acme.", title="Dahl", published=Interval.of_day(2021, 9, 14)),
]


@pytest.fixture
def box() -> Toolbox:
    options = AnswerOptions(reader="rules")
    made = default_components(search=FixedSearch(PIECES), options=options, embeddings=LexicalEmbeddings())
    store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())
    clock = lambda: datetime(2024, 6, 1, tzinfo=UTC)  # noqa: E731
    return toolbox(components=replace(made, clock=clock, updater=LocalUpdater(store)))


def told_by(state: Any) -> list[ToolMessage]:
    return [each for each in state["messages"] if isinstance(each, ToolMessage)]


async def test_an_agent_of_langchain_uses_them_all(box: Toolbox) -> None:
    ada = {"subject": "Ada", "attribute": "residence"}
    replies = [
        calls_tool("ask_as_of", question=ASKED, as_of="2018"),
        calls_tool("search_as_of", query=ASKED),
        calls_tool("remember", **ada, value="Porto", since="2019"),
        calls_tool("history", **ada),
        calls_tool("ask_facts", question="Where does Ada live?"),
        calls_tool("what_changed", since="2019"),
        calls_tool("audit", question=ASKED, passages=[{"text": PIECES[0].text, "date": "2015"}]),
        calls_tool("resolve_time", text="last year"),
        "Done.",
    ]
    agent = create_agent(ScriptedChatModel(replies=replies), dateline_tools(box))
    told = told_by(await agent.ainvoke({"messages": [("user", ASKED)]}))
    assert [each.name for each in told] == [tool.name for tool in TOOLS]
    assert {each.status for each in told} == {"success"}
    assert AnswerReport.model_validate(told[0].artifact).answer == "Anna Berg"
    assert "Porto" in str(told[3].content)
    assert told[7].artifact["times"][0]["first_day"] == "2023-01-01"


@pytest.mark.parametrize(
    "arguments", [{"query": ASKED, "as_of": "soon"}, {"words": ASKED}, {"query": ASKED, "k": "many"}]
)
def test_bad_arguments_are_told_to_langchains_model_in_a_sentence(box: Toolbox, arguments: dict[str, Any]) -> None:
    replies = [calls_tool("search_as_of", **arguments), "Sorry."]
    (told,) = told_by(create_agent(ScriptedChatModel(replies=replies), dateline_tools(box)).invoke({"messages": ["x"]}))
    assert told.status == "error"
    assert len(str(told.content).splitlines()) == 1
    assert "validation" not in str(told.content)


def test_only_the_named_tools_are_made(box: Toolbox) -> None:
    assert [tool.name for tool in dateline_tools(box, only=["history", "remember"])] == ["history", "remember"]


async def test_llamaindex_has_them_as_function_tools(box: Toolbox) -> None:
    pytest.importorskip("llama_index.core")
    from llama_index.core.tools import FunctionTool

    from llama_index.tools.dateline import dateline_tools as function_tools

    tools = {tool.metadata.get_name(): tool for tool in function_tools(box)}
    assert list(tools) == [tool.name for tool in TOOLS]
    assert all(isinstance(tool, FunctionTool) for tool in tools.values())
    for tool, told in ((tools["ask_as_of"].call, "Anna Berg"), (tools["search_as_of"].call, "Berg")):
        named = {"question": ASKED} if told == "Anna Berg" else {"query": ASKED}
        assert told in tool(**named, as_of="2018").content
    output = await tools["ask_as_of"].acall(question=ASKED)
    assert output.raw_output.data["answer"] == "Carl Dahl"
    assert output.raw_output.report["answer"] == "Carl Dahl"


async def test_an_agent_of_llamaindex_is_told_what_was_wrong(box: Toolbox) -> None:
    pytest.importorskip("llama_index.core")
    from llama_index.core.agent.workflow import FunctionAgent, ToolCallResult
    from llama_index.core.llms import MockLLM
    from llama_index.core.llms.function_calling import FunctionCallingLLM

    from llama_index.tools.dateline import dateline_tools as function_tools

    calls = [("search_as_of", {"query": ASKED, "as_of": "soon"}), ("search_as_of", {"query": ASKED, "as_of": "2018"})]
    agent = FunctionAgent(tools=function_tools(box), llm=scripted(MockLLM, FunctionCallingLLM, calls), streaming=False)
    handler = agent.run(ASKED)
    outputs = [event.tool_output async for event in handler.stream_events() if isinstance(event, ToolCallResult)]
    await handler
    assert [output.is_error for output in outputs] == [True, False]
    assert "Cannot read 'soon' as a date" in outputs[0].content
    assert "Anna Berg" in outputs[1].content


def scripted(mock: Any, functions: Any, calls: list[tuple[str, dict[str, Any]]]) -> Any:
    """A model of LlamaIndex that calls tools in order, then answers."""
    from llama_index.core.base.llms.types import ChatMessage, ChatResponse, LLMMetadata
    from llama_index.core.llms.llm import ToolSelection

    waiting = list(calls)

    class Scripted(mock, functions):  # type: ignore[misc]
        @property
        def metadata(self) -> LLMMetadata:
            return LLMMetadata(is_function_calling_model=True)

        def _prepare_chat_with_tools(self, tools: Any, **kwargs: Any) -> dict[str, Any]:
            return {"messages": []}

        async def achat_with_tools(self, *args: Any, **kwargs: Any) -> ChatResponse:
            return ChatResponse(message=ChatMessage(role="assistant", content="Done."), raw={})

        def get_tool_calls_from_response(self, response: Any, **kwargs: Any) -> list[ToolSelection]:
            if not waiting:
                return []
            name, arguments = waiting.pop(0)
            return [ToolSelection(tool_id=str(len(waiting)), tool_name=name, tool_kwargs=arguments)]

    return Scripted()
