"""The protocol over HTTP, behind the same gate as the graphs."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from dateline_graphs.mcp.protocol import mcp_server
from dateline_graphs.mcp.served_tools import ServedTools
from dateline_graphs.server.config import ServerConfig
from dateline_graphs.server.request_gate import REFUSED, RequestGate
from dateline_graphs.server.tokens import UserTokens

PATH = "/mcp"


class _Endpoint:
    """ASGI application of the protocol's one path."""

    def __init__(self, manager: StreamableHTTPSessionManager) -> None:
        self._manager = manager

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        await self._manager.handle_request(scope, receive, send)


def http_app(config: ServerConfig, *, tokens: UserTokens | None = None) -> Starlette:
    """Make the application: `/mcp` for who shows a token, `/ok` for everyone.

    No request depends on an earlier one, so that several servers may stand behind a proxy; reports are each server's own.

    Args:
        config: the parts, users and host names.
        tokens: say who asks; by default those of the configuration and the environment.
    """
    known = tokens or UserTokens(config)
    server = mcp_server(ServedTools(config), identify=lambda request: known.identity(request.headers) or "")
    manager = StreamableHTTPSessionManager(server, json_response=True, stateless=True)

    async def ok(request: Request) -> Response:
        return JSONResponse({"ok": True})

    async def refused(request: Request) -> Response:
        if known.identity(request.headers) is not None:
            return JSONResponse({"detail": "Not found."}, status_code=404)
        return JSONResponse({"detail": known.refusal}, status_code=401, headers={"WWW-Authenticate": "Bearer"})

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with manager.run():
            yield

    gate = Middleware(RequestGate, tokens=known, served=(PATH.strip("/"),), hosts=config.server.hosts)
    methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
    routes = [Route("/ok", ok), Route(REFUSED, refused, methods=methods), Route(PATH, _Endpoint(manager))]
    return Starlette(routes=routes, middleware=[gate], lifespan=lifespan)
