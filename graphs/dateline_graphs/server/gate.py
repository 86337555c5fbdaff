"""Gate of `langgraph dev`, which `langgraph.json` names."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.middleware import Middleware

from dateline_graphs.server.config import read_config
from dateline_graphs.server.request_gate import RequestGate
from dateline_graphs.server.tokens import UserTokens

SERVED = ("assistants", "threads", "runs", "store", "info")
"""First parts of the paths that a client needs; `langgraph dev` has more, some of them without a token."""

_config = read_config()
_gate = Middleware(RequestGate, tokens=UserTokens(_config), served=SERVED, hosts=_config.server.hosts)
app = Starlette(middleware=[_gate])
