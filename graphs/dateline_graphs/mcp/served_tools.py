"""The tools under a server's configuration: names in place of live parts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Any
from urllib.parse import quote

from pydantic import Field

from dateline import BadInput
from dateline.facts import ReviewQueue
from dateline.flow import Flow, arun, call
from dateline.tools import TOOLS, AgentTool, Toolbox, ToolResult
from dateline_graphs.answer import answer_graph
from dateline_graphs.components import Components
from dateline_graphs.kit import Entrance
from dateline_graphs.mcp.reports import ReportShelf
from dateline_graphs.server.components import Access, PartKind, told_by_name
from dateline_graphs.server.config import ServerConfig
from dateline_graphs.server.options import AnswerRequest, UpdateFactsRequest
from dateline_graphs.state import AnswerInput
from dateline_graphs.tool import GraphAnswerer, with_facts

_CALLER: ContextVar[str] = ContextVar("dateline_mcp_caller", default="")

_LEFT_OUT: dict[PartKind, str] = {"store": "the library alone", "model": "the local reader"}
"""What it means where a name that may be left out is left out."""


class _AskRequest(AnswerRequest):
    """Request that looks things up in a store and teaches none."""

    memory: str = Field(default="", description="Name of the fact store that is looked into, too. Empty: none.")


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
        ['search_as_of', 'remember', 'history', 'ask_facts', 'what_changed', 'audit', 'resolve_time']
    """

    def __init__(self, config: ServerConfig) -> None:
        self.reports = ReportShelf()
        self._access = Access(config, identity=_CALLER.get)
        admit = self._access.admission(AnswerInput)
        entrance = Entrance(_AskRequest, self._components, admit, self._guard)
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
            for kind in (kinds := self._choices(tool)):
                names = self._access.names(kind)
                optional = kind == "model" or (kind == "store" and "library" in kinds)
                if kind == "model" or len(names) > 1:
                    told = f"Name of a {kind}. Empty: {_LEFT_OUT[kind]}." if optional else f"Name of a {kind}."
                    properties[kind] = {"type": "string", "enum": list(names), "description": told}
                    required += [] if optional else [kind]
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
        with told_by_name("store", self._access.meant_store(names.get("store", ""))):
            toolbox = yield from call(self._toolbox, names, user)
            return (yield from call(tool.run, toolbox, given))

    def _choices(self, tool: AgentTool) -> tuple[PartKind, ...]:
        """Return the kinds of parts that a call of a tool names."""
        library, store, model = (bool(self._access.names(kind)) for kind in ("library", "store", "model"))
        if tool.name == "resolve_time":
            return ()
        if tool.needs == ("facts",):
            return ("store",) if store else ()
        answers = "answerer" in tool.needs
        if not library:
            return ("store",) if store and not answers else ()
        kinds: dict[PartKind, bool] = {"library": True, "model": answers and model, "store": store}
        return tuple(kind for kind, there in kinds.items() if there)

    def _toolbox(self, names: Mapping[PartKind, str], user: str) -> Toolbox:
        channel = f"mcp/{quote(user, safe='')}"
        if "library" in names:
            memory = self._access.meant_store(names.get("store", ""))
            request = _AskRequest(library=names["library"], model=names.get("model", ""), memory=memory)
            parts = self._components(request)
            answerer = GraphAnswerer(self._graph, request)
            return Toolbox(answerer=answerer, search=parts.search, ranker=parts.ranker, channel=channel)
        facts = self._queue(names["store"]) if "store" in names else None
        return Toolbox(facts=facts, channel=channel)

    def _components(self, request: _AskRequest | None) -> Components:
        """Make components of a library and the store beside it."""
        asked = request or _AskRequest()
        parts = self._access.components(asked)
        return with_facts(parts, self._queue(asked.memory).store) if asked.memory else parts

    def _guard(self, request: _AskRequest | None) -> AbstractContextManager[None]:
        return told_by_name("store", self._access.meant_store(request.memory if request else ""))

    def _queue(self, store: str) -> ReviewQueue:
        return self._access.updater(UpdateFactsRequest(store=store)).review_queue


@contextmanager
def _asked_by(user: str) -> Iterator[None]:
    token = _CALLER.set(user)
    try:
        yield
    finally:
        _CALLER.reset(token)
