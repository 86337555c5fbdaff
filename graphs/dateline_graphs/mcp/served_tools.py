"""The tools under a server's configuration: names in place of live parts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any
from urllib.parse import quote

from dateline import BadInput
from dateline.flow import Flow, arun, call
from dateline.tools import TOOLS, AgentTool, Toolbox, ToolResult
from dateline_graphs.answer import answer_graph
from dateline_graphs.kit import Entrance
from dateline_graphs.mcp.reports import ReportShelf
from dateline_graphs.server.components import Access, PartKind
from dateline_graphs.server.config import ServerConfig
from dateline_graphs.server.options import AnswerRequest, UpdateFactsRequest
from dateline_graphs.state import AnswerInput
from dateline_graphs.tool import GraphAnswerer

_CALLER: ContextVar[str] = ContextVar("dateline_mcp_caller", default="")

_LEFT_OUT: dict[PartKind, str] = {"library": "the only one", "store": "the only one", "model": "the local reader"}


class ServedTools:
    """Tools for the users of one configuration.

    A client names libraries, stores and models; it cannot send a path, an address or a policy. Only tools are listed
    for which the user may name a part.

    Args:
        config: what there is, and who may name it.

    Example:
        >>> from dateline_graphs.server import ServerConfig
        >>> served = ServedTools(ServerConfig(stores={"facts": {"address": "facts"}}))
        >>> [tool.name for tool in served.tools("studio")]
        ['search_as_of', 'remember', 'history', 'what_changed', 'audit', 'resolve_time']
    """

    def __init__(self, config: ServerConfig) -> None:
        self.reports = ReportShelf()
        self._access = Access(config, identity=_CALLER.get)
        admit = self._access.admission(AnswerInput)
        entrance = Entrance(AnswerRequest, self._access.components, admit)
        self._graph = answer_graph(entrance=entrance).compile(name="ask_as_of")

    def tools(self, user: str) -> list[AgentTool]:
        """List the tools that a user may call."""
        with _asked_by(user):
            return [tool for tool in TOOLS if not tool.needs or self._choices(tool)]

    def schema(self, tool: AgentTool, *, user: str) -> dict[str, Any]:
        """Return the JSON schema of a tool's arguments, names included."""
        written = tool.arguments.model_json_schema()
        properties, required = dict(written["properties"]), list(written.get("required", ()))
        with _asked_by(user):
            for kind in self._choices(tool):
                names = self._access.names(kind)
                if kind == "model" or len(names) > 1:
                    told = f"Name of a {kind}. Empty: {_LEFT_OUT[kind]}." if kind == "model" else f"Name of a {kind}."
                    properties[kind] = {"type": "string", "enum": list(names), "description": told}
                    required += [] if kind == "model" else [kind]
        return {**written, "properties": properties, "required": required}

    async def call(self, name: str, arguments: Mapping[str, Any], *, user: str) -> ToolResult:
        """Call a tool for a user.

        A whole report is kept, and its address told.

        Raises:
            BadInput: for a tool, a name or an argument that the user may not give, in one sentence.
            DatelineError: when a part fails.
        """
        tool = next((each for each in self.tools(user) if each.name == name), None)
        if tool is None:
            known = ", ".join(each.name for each in self.tools(user))
            raise BadInput(f"There is no tool {name!r} for you; choose among {known}.")
        with _asked_by(user):
            result = await arun(self._called(tool, arguments, user))
        if result.report is None:
            return result
        uri = self.reports.keep(result.report, owner=user)
        return ToolResult(text=f"{result.text}\nreport: {uri}", data={**result.data, "report": uri})

    def _called(self, tool: AgentTool, arguments: Mapping[str, Any], user: str) -> Flow[ToolResult]:
        self._access.admission(tool.arguments)(arguments)
        kinds = self._choices(tool)
        names = {kind: str(arguments.get(kind) or "") for kind in kinds}
        given = {name: value for name, value in arguments.items() if name not in kinds}
        toolbox = yield from call(self._toolbox, names, user)
        return (yield from call(tool.run, toolbox, given))

    def _choices(self, tool: AgentTool) -> tuple[PartKind, ...]:
        """Return the kinds of parts that a call of a tool names."""
        if tool.name == "resolve_time":
            return ()
        if "facts" in tool.needs and "search" not in tool.needs:
            return ("store",) if self._access.names("store") else ()
        if self._access.names("library"):
            return ("library", "model") if "answerer" in tool.needs and self._access.names("model") else ("library",)
        return ("store",) if "answerer" not in tool.needs and self._access.names("store") else ()

    def _toolbox(self, names: Mapping[PartKind, str], user: str) -> Toolbox:
        channel = f"mcp/{quote(user, safe='')}"
        if "store" in names:
            updater = self._access.updater(UpdateFactsRequest(store=names["store"]))
            return Toolbox(facts=updater.review_queue, channel=channel)
        if "library" not in names:
            return Toolbox(channel=channel)
        request = AnswerRequest(library=names["library"], model=names.get("model", ""))
        parts = self._access.components(request)
        answerer = GraphAnswerer(self._graph, request)
        return Toolbox(answerer=answerer, search=parts.search, ranker=parts.ranker, channel=channel)


@contextmanager
def _asked_by(user: str) -> Iterator[None]:
    token = _CALLER.set(user)
    try:
        yield
    finally:
        _CALLER.reset(token)
