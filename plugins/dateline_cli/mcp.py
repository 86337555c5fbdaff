"""`dateline mcp`: the tools for assistants, over standard input or HTTP."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Any

from dateline import BadInput
from dateline.errors import require
from dateline.files import expanded
from dateline_cli.fact_verbs import add_slots, own_slots
from dateline_cli.values import port

if TYPE_CHECKING:
    from dateline_graphs.server import ServerConfig

PORT = 8124


def add_to(commands: Any) -> None:
    """Register the subcommand."""
    command = commands.add_parser(
        "mcp",
        help="serve the tools to assistants by the Model Context Protocol",
        description=__doc__,
        epilog="Example: dateline mcp --docs notes --facts facts. Without either, dateline.toml names what there is.",
    )
    told = "a folder of dated documents, one file of them, or the address of a library in PostgreSQL"
    command.add_argument("--docs", metavar="PATH", help=told)
    command.add_argument("--facts", metavar="DIR", help="a fact store: a folder, which is made, or a database URL")
    add_slots(command)
    command.add_argument("--user", default="", metavar="NAME", help="who asks, where dateline.toml has [users]")
    command.add_argument("--http", action="store_true", help="serve by HTTP, with tokens, instead of standard input")
    command.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: 127.0.0.1)")
    command.add_argument("--port", type=port, metavar="N", default=PORT, help=f"the port (default: {PORT})")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Serve until the client ends, or until it is stopped."""
    require("mcp", package="mcp", extra="mcp")
    from dateline_graphs.server.config import LOCAL_USER

    config = _configuration(arguments)
    # Facts are kept in the store's folder: nobody else reads them.
    os.umask(0o077)
    os.environ |= {"LANGSMITH_TRACING": "false", "LANGCHAIN_TRACING_V2": "false"}
    if arguments.http:
        return _serve_http(config, host=arguments.host, port=arguments.port)
    if config.users and arguments.user not in config.users:
        raise BadInput(f"Say who asks with --user; the users are {', '.join(config.users)}.")
    import anyio

    from dateline_graphs.mcp import ServedTools, serve_stdio

    served = ServedTools(config)
    user = arguments.user or LOCAL_USER

    async def serve() -> None:
        await serve_stdio(served, user=user)

    anyio.run(serve)
    return 0


def _configuration(arguments: argparse.Namespace) -> ServerConfig:
    from dateline_graphs.server import ServerConfig, read_config

    if arguments.slots and arguments.facts is None:
        raise BadInput("--slots is of the fact store; give --facts as well, or write slots into dateline.toml.")
    if arguments.docs is None and arguments.facts is None:
        config = read_config()
        if not (config.libraries or config.stores):
            raise BadInput("There is nothing to serve; give --docs, --facts, or name a library in dateline.toml.")
        return config
    parts: dict[str, Any] = {}
    if arguments.docs is not None:
        parts["libraries"] = {"docs": _library(arguments.docs)}
    if arguments.facts is not None:
        own_slots(arguments)  # what cannot be read is refused before anything is served
        address = arguments.facts if "://" in arguments.facts else str(expanded(arguments.facts).resolve())
        parts["stores"] = {"facts": {"address": address, "slots": arguments.slots or None}}
    return ServerConfig(**parts)


def _library(docs: str) -> dict[str, Any]:
    from dateline.search.index.opening import is_address

    if is_address(docs):
        return {"address": docs}
    path = expanded(docs)
    if not path.exists():
        raise BadInput(f"There is no folder or file {docs}; give one with --docs.")
    return {"path": path.resolve()}


def _serve_http(config: ServerConfig, *, host: str, port: int) -> int:
    import uvicorn

    from dateline_graphs.mcp import http_app
    from dateline_graphs.server.tokens import VARIABLE, UserTokens, token_of_start

    token, whose = "TOKEN", "a user's out of [users] of dateline.toml" if config.users else f"in {VARIABLE}"
    if not config.users and not os.environ.get(VARIABLE):
        token, whose = token_of_start(), "made for this start"
    app = http_app(config, tokens=UserTokens(config))
    print(f"Serving http://{host}:{port}/mcp; send the header: Authorization: Bearer {token}", flush=True)
    print(f"The token is {whose}.", flush=True)
    # No access log: a token may be in a path.
    uvicorn.run(app, host=host, port=port, access_log=False, log_level="warning")
    return 0
