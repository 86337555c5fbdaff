"""The gate before a server's routes, without the server."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("starlette")

from dateline_graphs.server import ServerConfig
from dateline_graphs.server.request_gate import REFUSED, RequestGate
from dateline_graphs.server.tokens import UserTokens

TOKENS = UserTokens(ServerConfig(users={"ann": {"token": "t"}}))


@pytest.mark.parametrize(
    ("method", "path", "reached"),
    [
        ("GET", "/threads/1", "/threads/1"),
        ("GET", "/debug", REFUSED),
        ("OPTIONS", "*", REFUSED),
        ("GET", "", REFUSED),
        ("GET", "threads", REFUSED),
    ],
)
async def test_only_paths_that_are_served_are_reached(method: str, path: str, reached: str) -> None:
    seen: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope["path"])

    headers = [(b"host", b"localhost"), (b"authorization", b"Bearer t")]
    scope = {"type": "http", "method": method, "path": path, "raw_path": path.encode(), "headers": headers}
    await RequestGate(app, tokens=TOKENS, served=["threads"])(scope, None, None)  # type: ignore[arg-type]
    assert seen == [reached]
