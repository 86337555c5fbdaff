"""The tools as LlamaIndex `FunctionTool`s."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from llama_index.core.tools import FunctionTool, ToolMetadata

from dateline.tools import AgentTool, Toolbox, ToolResult, tools_of


def dateline_tools(toolbox: Toolbox, *, only: Collection[str] = ()) -> list[FunctionTool]:
    """Make function tools of what a toolbox has: `FunctionAgent(tools=dateline_tools(box), llm=llm)`.

    The content of an output is short text for the model, its `raw_output` a `ToolResult` with the data.

    Args:
        toolbox: the live parts; `dateline_graphs.toolbox` makes one of documents and a fact store.
        only: names of tools; empty: every one whose part is there.

    Raises:
        BadInput: for an unknown name, or a tool whose part is missing; while running, for bad arguments, which an agent
            tells its model.

    Example:
        >>> from dateline import Evidence
        >>> from dateline.testing import FixedSearch
        >>> search, *_ = dateline_tools(Toolbox(search=FixedSearch([Evidence.make("Ben leads Acme.")])))
        >>> print(search(query="Who leads Acme?", as_of="2024").content)
        as of: 2024-12-31
        [1] undated | Ben leads Acme.
    """
    return [_function_tool(tool, toolbox) for tool in tools_of(toolbox, only=only)]


def _function_tool(tool: AgentTool, toolbox: Toolbox) -> FunctionTool:
    def run(**arguments: Any) -> ToolResult:
        return tool.run(toolbox, arguments)

    async def arun(**arguments: Any) -> ToolResult:
        return await tool.arun(toolbox, arguments)

    about = ToolMetadata(name=tool.name, description=tool.description, fn_schema=tool.arguments)
    return FunctionTool(fn=run, async_fn=arun, metadata=about)
