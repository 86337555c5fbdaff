"""Tools for agents, of no framework: answers, memory, times."""

from dateline.tools.catalogue import TOOLS, tool_named, tools_of
from dateline.tools.tool import AgentTool, Answerer, Toolbox, ToolResult

__all__ = ["TOOLS", "AgentTool", "Answerer", "ToolResult", "Toolbox", "tool_named", "tools_of"]
