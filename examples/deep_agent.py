"""A deep agent whose researcher knows the day that the agent was asked for.

    pip install -e . deepagents    # in the clone
    python examples/deep_agent.py

`before` gives its researcher a search tool. Asked for an earlier day, the agent knows the day, but its researcher starts with an empty
chat and looks things up as of today. `after` adds one middleware to each, the lines marked `# dateline`: the day is part of the state,
which Deep Agents hands on, and no tool looks past it. The skill file of `examples/skills/dateline` can be given to it with `skills=`.
"""

from __future__ import annotations

from typing import Any

from deepagents import SubAgent, create_deep_agent
from langchain_core.messages import BaseMessage, ToolMessage
from langgraph.graph.state import CompiledStateGraph
from notes import CORPUS

from dateline_graphs import AnswerOptions, toolbox
from langchain_dateline import dateline_tools
from langchain_dateline.middleware import DatelineMiddleware
from langchain_dateline.testing import AnsweringChatModel, ScriptedChatModel, calls_tool

QUESTION = "Who is the Prime Minister of the United Kingdom?"
ABOUT = "Looks up facts in the notes."


def chief() -> ScriptedChatModel:
    """Hands the question to its researcher. Yours: init_chat_model("openai:gpt-4o-mini")."""
    return ScriptedChatModel(replies=[calls_tool("task", description=QUESTION, subagent_type="researcher"), "Done."])


def researcher(*middleware: Any) -> SubAgent:
    """Looks up what it is told to, and repeats what it finds."""
    tools = dateline_tools(toolbox(AnswerOptions(docs=str(CORPUS))), only=["ask_as_of"])
    model = LookingUp(respond=lambda messages: str(messages[-1].text).splitlines()[0])
    return SubAgent(
        name="researcher", description=ABOUT, system_prompt=ABOUT, model=model, tools=tools, middleware=[*middleware]
    )


class LookingUp(AnsweringChatModel):
    """Asks the tool once, then repeats its answer."""

    def _reply(self, messages: list[BaseMessage], stop: list[str] | None) -> Any:
        if not isinstance(messages[-1], ToolMessage):
            return calls_tool("ask_as_of", question=QUESTION)
        return super()._reply(messages, stop)


def before() -> CompiledStateGraph[Any, Any, Any, Any]:
    """The plain deep agent."""
    return create_deep_agent(chief(), subagents=[researcher()])


def after() -> CompiledStateGraph[Any, Any, Any, Any]:
    """The same, with a day."""
    return create_deep_agent(
        chief(),
        subagents=[researcher(DatelineMiddleware())],  # dateline
        middleware=[DatelineMiddleware()],  # dateline
    )


def main() -> None:
    """Ask both."""
    print(QUESTION)
    for name, make in (("before", before), ("after", after)):
        for day in ("2009-06-01", "2019-01-15"):
            state = make().invoke({"messages": [("user", f"As of {day}: {QUESTION}")], "as_of": day})
            found = next(each for each in state["messages"] if isinstance(each, ToolMessage))
            print(f"{name}, as of {day}: the researcher says {found.text!r}")


if __name__ == "__main__":
    main()
