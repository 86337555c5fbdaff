"""Gate before every route, against foreign hosts, foreign pages, hidden routes."""

from __future__ import annotations

import re
from collections.abc import Collection
from urllib.parse import quote

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from dateline_graphs.server.tokens import UserTokens

LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")
OPEN = ("/ok",)
"""Paths that need no token: whether the server is up."""

TOKEN_PATH = re.compile(r"/as/([^/]+)(/.*)?")
REFUSED = "/refused"
"""Where any other request goes; no route is there, so that it gets 401 without a token, else 404."""


class RequestGate:
    """Middleware around the whole server.

    A token in the path, `/as/TOKEN/threads`, becomes the header `Authorization`, since LangGraph Studio takes nothing
    but an address. No log sees it.

    Args:
        app: the server.
        tokens: say who asks.
        served: first parts of the paths that a client may reach.
        hosts: names that the server is called by, beside this machine's own.
    """

    def __init__(
        self, app: ASGIApp, *, tokens: UserTokens, served: Collection[str], hosts: Collection[str] = ()
    ) -> None:
        self._app, self._tokens, self._served = app, tokens, served
        self._hosts = {*LOCAL_HOSTS, *map(str.lower, hosts)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with a refusal, or send the request on."""
        if scope["type"] == "lifespan":
            return await self._app(scope, receive, send)
        scope = _with_token_of_path(scope)
        headers = Headers(scope=scope)
        refusal = _foreign_host(headers, self._hosts) or _no_json(headers)
        if scope["path"] not in OPEN and (
            not _reaches(scope["path"], self._served) or self._tokens.identity(headers) is None
        ):
            scope = _to(scope, REFUSED)
        await (refusal or self._app)(scope, receive, send)


def _reaches(path: str, served: Collection[str]) -> bool:
    # The server's log prints a path as it is: a line break in it would forge a line, an escape reach a terminal.
    # "OPTIONS *" asks about the server itself, by no path at all.
    return path.isprintable() and path.startswith("/") and path.split("/")[1] in served


def _foreign_host(headers: Headers, hosts: Collection[str]) -> PlainTextResponse | None:
    # A page whose own name was pointed at this machine sends that name (DNS rebinding).
    names = {re.sub(r":\d*$", "", host.lower()) for host in headers.getlist("host")}
    if names and names <= set(hosts):
        return None
    return PlainTextResponse("This server is not called by that name; add it to [server] hosts.", status_code=421)


def _no_json(headers: Headers) -> PlainTextResponse | None:
    # Before it sends JSON elsewhere, a page's browser asks (a preflight, which CORS answers); other kinds it just sends.
    empty = headers.get("content-length", "0") == "0" and "transfer-encoding" not in headers
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if empty or kind == "application/json":
        return None
    return PlainTextResponse("Send JSON, with the header 'Content-Type: application/json'.", status_code=415)


def _with_token_of_path(scope: Scope) -> Scope:
    if not (found := TOKEN_PATH.fullmatch(scope["path"])):
        return scope
    others = [(name, value) for name, value in scope["headers"] if name != b"authorization"]
    return {**_to(scope, found[2] or "/"), "headers": [*others, (b"authorization", b"Bearer " + found[1].encode())]}


def _to(scope: Scope, path: str) -> Scope:
    return {**scope, "path": path, "raw_path": quote(path).encode()}
