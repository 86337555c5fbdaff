"""`DatedToolCalls`: the asking day in calls of tools."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any

from langchain.agents.middleware.types import ToolCallRequest
from langchain_core.messages import ToolMessage
from langgraph.types import Command

from dateline import BadInput
from dateline.options import checked_arguments
from dateline.temporal.as_of import is_given, read_moment
from dateline.temporal.asking import asked_at, followed_day
from langchain_dateline.middleware.state import AsOfMiddleware

ARGUMENT = "as_of"


@checked_arguments
class DatedToolCalls(AsOfMiddleware):
    """Middleware that gives the asking day to tools that take `as_of`.

    A call without a day gets the one that the agent is asked for, and a call for a later day, too: no tool looks past it. An
    earlier day stays, relative ones counted from the asking day ("last year"), and so does what cannot be read, of which the tool
    tells the model. Retrievers and graphs of dateline inside a tool ask as of the day by themselves. Without an asking day nothing
    changes. Sub-agents that get the state, as those of Deep Agents do, get its day with it.

    Args:
        as_of: the asking moment; the state's `as_of` counts before it. `None`: the calls stay as they are.
        clock: tells what relative days mean.

    Raises:
        BadInput: for an unreadable date.

    Example:
        >>> from langchain.agents import create_agent
        >>> from dateline import Evidence, Interval
        >>> from dateline.testing import FixedSearch
        >>> from dateline.tools import Toolbox
        >>> from langchain_dateline import dateline_tools
        >>> from langchain_dateline.testing import ScriptedChatModel, calls_tool
        >>> news = Evidence.make("Ben leads Acme.", published=Interval.of_year(2021))
        >>> tools = dateline_tools(Toolbox(search=FixedSearch([news])))
        >>> model = ScriptedChatModel(replies=[calls_tool("search_as_of", query="Who leads Acme?"), "Nobody knows yet."])
        >>> agent = create_agent(model, tools, middleware=[DatedToolCalls()])
        >>> print(agent.invoke({"messages": "Who leads Acme?", "as_of": "2020"})["messages"][2].text)
        as of: 2020-12-31
        Nothing is found that was published by 2020-12-31.
    """

    def wrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], ToolMessage | Command[Any]]
    ) -> ToolMessage | Command[Any]:
        """Call the tool as of the day."""
        with self.asking(request):
            return handler(self.with_asking_day(request))

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[ToolMessage | Command[Any]]]
    ) -> ToolMessage | Command[Any]:
        """Wrap tool call asynchronously."""
        with self.asking(request):
            return await handler(self.with_asking_day(request))

    def asking(self, request: ToolCallRequest) -> AbstractContextManager[None]:
        """Let what the tool calls ask as of the day, too."""
        return asked_at(self._asked_at(request.state) if self._is_told(request) else None, clock=self._clock)

    def with_asking_day(self, request: ToolCallRequest) -> ToolCallRequest:
        """Return a call with the asking day, where its tool takes one."""
        given = request.tool_call["args"]
        if (
            not self._is_told(request)
            or request.tool is None
            or ARGUMENT not in request.tool.args
            or not isinstance(given, Mapping)
        ):
            return request
        asked, day = self._asked_at(request.state), given.get(ARGUMENT)
        try:
            told = read_moment(day, clock=lambda: asked, future_ok=True)
            as_the_tool_reads = read_moment(day, clock=self._clock, future_ok=True)
        except BadInput:
            return request
        if is_given(day) and told == as_the_tool_reads and told <= asked:
            return request
        call = request.tool_call.copy()
        call["args"] = {**given, ARGUMENT: _said(min(told, asked))}
        return request.override(tool_call=call)

    def _is_told(self, request: ToolCallRequest) -> bool:
        return any(map(is_given, (request.state.get(ARGUMENT), self._as_of, followed_day())))


def _said(moment: datetime) -> str:
    """Write a moment, or the day that it ends.

    A tool takes today for now.
    """
    ends = f"{moment:%H:%M:%S}" == "23:59:59" and not moment.utcoffset()
    return moment.date().isoformat() if ends else moment.isoformat()
