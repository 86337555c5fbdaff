"""The tools as LangChain tools, for agents and models that call tools."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Annotated, Any, Literal, Self

from langchain_core.tools import BaseTool, ToolException
from langgraph.prebuilt import InjectedState
from pydantic import BaseModel, Field, InstanceOf, create_model

from dateline import DatelineError
from dateline.evidence.sanitize import inert
from dateline.options import BaseOptions, refusal
from dateline.temporal import asked_at
from dateline.temporal.as_of import AsOf, if_given
from dateline.temporal.run_day import FIELD, day_in
from dateline.tools import AgentTool, Toolbox, ToolResult, tools_of

STATE = "dateline_state"
"""The argument in which a tool is given the state of the graph around it."""


class DatelineTool(BaseTool):
    """Tool of dateline's for LangChain; made by `dateline_tools`.

    The content is short text for the model, the artifact JSON for programs: of `ask_as_of` the whole report. What goes
    wrong (an unreadable date, a search that fails) is told to the model in a sentence, and does not end the agent.

    A call that names no day asks as of the `as_of` in the state of the graph whose `ToolNode` runs it, else of that in the run's
    config, else of the `asked_at` around.

    Example:
        >>> from dateline import Evidence
        >>> from dateline.testing import FixedSearch
        >>> search, *_ = dateline_tools(Toolbox(search=FixedSearch([Evidence.make("Ben leads Acme.")])))
        >>> print(search.invoke({"query": "Who leads Acme?", "as_of": "2024"}))
        as of: 2024-12-31
        [1] undated | Ben leads Acme.
    """

    response_format: Literal["content", "content_and_artifact"] = "content_and_artifact"
    handle_tool_error: Any = True
    handle_validation_error: Any = Field(default_factory=lambda: _refused)
    tool: InstanceOf[AgentTool] = Field(exclude=True, description="What it does.")
    toolbox: InstanceOf[Toolbox] = Field(exclude=True, description="What it works with.")

    @classmethod
    def of(cls, tool: AgentTool, *, toolbox: Toolbox, name: str = "", description: str = "") -> Self:
        """Make it of a tool, under its own name or another."""
        told = description or tool.description
        taken = _with_state(tool.arguments)
        return cls(name=name or tool.name, description=told, args_schema=taken, tool=tool, toolbox=toolbox)

    def _run(self, **arguments: Any) -> tuple[str, Any]:
        with self._called(arguments.pop(STATE, None)):
            return _shown(self.tool.run(self.toolbox, arguments))

    async def _arun(self, **arguments: Any) -> tuple[str, Any]:
        with self._called(arguments.pop(STATE, None)):
            return _shown(await self.tool.arun(self.toolbox, arguments))

    @contextmanager
    def _called(self, state: Any) -> Iterator[None]:
        """Ask as of the state's day; tell the model of errors."""
        try:
            with asked_at(if_given(_day_of(state)), clock=self.toolbox.clock):
                yield
        except DatelineError as problem:
            raise ToolException(inert(str(problem))) from problem


def dateline_tools(toolbox: Toolbox, *, only: Collection[str] = ()) -> list[DatelineTool]:
    """Make LangChain tools of what a toolbox has: `create_agent(model, tools=dateline_tools(box))`.

    Args:
        toolbox: the live parts; `dateline_graphs.toolbox` makes one of documents and a fact store.
        only: names of tools; empty: every one whose part is there.

    Raises:
        BadInput: for an unknown name, or a tool whose part is missing.
    """
    return [DatelineTool.of(tool, toolbox=toolbox) for tool in tools_of(toolbox, only=only)]


@cache
def _with_state(arguments: type[BaseOptions]) -> type[BaseModel]:
    """Return a tool's arguments with the graph's state.

    LangGraph's `ToolNode` gives it, and no model sees it.
    """
    field: Any = (Annotated[Any, InjectedState], None)
    return create_model(arguments.__name__, __base__=arguments, __doc__=arguments.__doc__, **{STATE: field})


def _day_of(state: Any) -> AsOf:
    """Return the day in a graph's state, a mapping or an object."""
    return day_in(state) if isinstance(state, Mapping) else getattr(state, FIELD, None)


def _shown(result: ToolResult) -> tuple[str, Any]:
    return result.text, result.report or result.data


def _refused(cause: Any) -> str:
    return inert(str(refusal(cause, BaseOptions)))
