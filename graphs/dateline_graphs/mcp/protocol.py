"""The protocol: tools and reports, for whoever a connection says is asking."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from importlib.metadata import version
from typing import Any

from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.lowlevel.helper_types import ReadResourceContents
from mcp.server.stdio import stdio_server
from pydantic import AnyUrl

from dateline import DatelineError
from dateline.evidence.sanitize import inert
from dateline.secrets import without_secrets
from dateline.tools import ToolResult
from dateline.visible import logger
from dateline_graphs.mcp.reports import BEGIN
from dateline_graphs.mcp.served_tools import ServedTools
from dateline_graphs.report import AnswerReport

LOGGER = logger(__name__)
PAGE = ".html"
INSTRUCTIONS = (
    "Dated answers, dated search, and a memory in which nothing is overwritten. Give a day in as_of for the state of that "
    "day; leave it out for today. Let resolve_time count days. Say the date and the sources with an answer, and call an "
    "answer that is not trusted a guess."
)

Identify = Callable[[Any], str]
"""Tells who asks, from the HTTP request, or from nothing where there is none."""


def mcp_server(served: ServedTools, *, identify: Identify) -> Server[Any, Any]:
    """Make the server of the protocol.

    Args:
        served: the tools and reports.
        identify: tells who asks.
    """
    server: Server[Any, Any] = Server("dateline", version=version("dateline"), instructions=INSTRUCTIONS)

    def user() -> str:
        return identify(server.request_context.request)

    async def list_tools() -> list[types.Tool]:
        return [
            types.Tool(
                name=tool.name,
                description=tool.description,
                inputSchema=served.schema(tool, user=user()),
                annotations=types.ToolAnnotations(
                    readOnlyHint=not tool.writes, destructiveHint=False, openWorldHint=False
                ),
            )
            for tool in served.tools(user())
        ]

    async def call_tool(name: str, arguments: dict[str, Any]) -> types.CallToolResult:
        try:
            return _result(await served.call(name, arguments, user=user()))
        except DatelineError as problem:
            return _refusal(inert(str(problem)))
        except Exception as cause:
            LOGGER.error("The tool %r failed: %s", name, without_secrets(repr(cause)))
            return _refusal(f"The tool {name} failed; the server's log says why.")

    async def list_resources() -> list[types.Resource]:
        return [
            types.Resource(
                uri=AnyUrl(kept.uri),
                name=f"report {kept.uri.removeprefix(BEGIN)[:8]}",
                title=inert(str(kept.report["asked"]["question"]), limit=160),
                description=f"The answer of {kept.report['asked']['as_of'][:10]} with all evidence; {PAGE} for a page.",
                mimeType="application/json",
            )
            for kept in served.reports.of(user())
        ]

    async def list_resource_templates() -> list[types.ResourceTemplate]:
        about = {"": ("application/json", "as JSON"), PAGE: ("text/html", "as a page")}
        return [
            types.ResourceTemplate(
                uriTemplate=f"{BEGIN}{{id}}{ending}", name="report", description=f"A report {told}.", mimeType=kind
            )
            for ending, (kind, told) in about.items()
        ]

    async def read_resource(uri: AnyUrl) -> Iterable[ReadResourceContents]:
        address = str(uri)
        report = served.reports.read(address.removesuffix(PAGE), owner=user())
        if address.endswith(PAGE):
            from dateline_graphs.page import render

            return [ReadResourceContents(render(AnswerReport.model_validate(report)), "text/html")]
        return [ReadResourceContents(json.dumps(report), "application/json")]

    untyped: Any = server  # the SDK's decorators carry no types
    untyped.list_tools()(list_tools)
    untyped.call_tool(validate_input=False)(call_tool)
    untyped.list_resources()(list_resources)
    untyped.list_resource_templates()(list_resource_templates)
    untyped.read_resource()(read_resource)
    return server


async def serve_stdio(served: ServedTools, *, user: str) -> None:
    """Serve one client over standard input and output, until it ends."""
    server = mcp_server(served, identify=lambda _: user)
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


def _result(result: ToolResult) -> types.CallToolResult:
    text = types.TextContent(type="text", text=result.text)
    return types.CallToolResult(content=[text], structuredContent=result.data)


def _refusal(told: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=told)], isError=True)
