"""The tools for assistants, by the Model Context Protocol."""

from typing import TYPE_CHECKING

from dateline.lazy import lazy_exports
from dateline_graphs.mcp.reports import ReportShelf
from dateline_graphs.mcp.served_tools import ServedTools

if TYPE_CHECKING:
    from dateline_graphs.mcp.http import http_app
    from dateline_graphs.mcp.protocol import mcp_server, serve_stdio

__getattr__ = lazy_exports(
    "dateline_graphs.mcp",
    http_app="dateline_graphs.mcp.http",
    mcp_server="dateline_graphs.mcp.protocol",
    serve_stdio="dateline_graphs.mcp.protocol",
)
__all__ = ["ReportShelf", "ServedTools", "http_app", "mcp_server", "serve_stdio"]
