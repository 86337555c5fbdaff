"""Authentication and ownership: everyone sees and changes what is theirs."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from langgraph_sdk import Auth
from starlette.datastructures import Headers

from dateline_graphs.server.config import read_config
from dateline_graphs.server.tokens import UserTokens

auth = Auth()
_config = read_config()
_tokens = UserTokens(_config)


@auth.authenticate
async def authenticate(scope: dict[str, Any]) -> Auth.types.MinimalUserDict:
    """Return who asks, by token."""
    identity = _tokens.identity(Headers(scope=scope))
    if identity is None:
        raise Auth.exceptions.HTTPException(status_code=401, detail=_tokens.refusal)
    return {"identity": identity}


@auth.on
async def owned(ctx: Auth.types.AuthContext, value: dict[str, Any]) -> Any:
    """Let only its owner reach a thread, a run, an assistant."""
    owner = {"owner": ctx.user.identity}
    if ctx.action in ("create", "create_run", "update"):
        # A client writes metadata too; the owner is the server's word.
        value.setdefault("metadata", {}).update(owner)
    return owner


@auth.on.threads
async def own_threads(ctx: Auth.types.AuthContext, value: dict[str, Any]) -> Any:
    """Let the graphs alone write states, where there are several users.

    Evidence that a client writes into a state would pass for a library's, and an edit's way for a graph's.
    """
    if _config.users and _writes_state(ctx.action, value):
        detail = "A state is written by its graph; send a graph's input, or resume it."
        raise Auth.exceptions.HTTPException(status_code=403, detail=detail)
    return await owned(ctx, value)


@auth.on.assistants
async def own_assistants(ctx: Auth.types.AuthContext, value: dict[str, Any]) -> Any:
    """Let everyone use the server's own assistants, and change only theirs."""
    owner = await owned(ctx, value)
    if ctx.action in ("read", "search"):
        return {"$or": [owner, {"created_by": "system"}]}
    value.get("metadata", {}).pop("created_by", None)
    return owner


@auth.on.crons
async def no_crons(ctx: Auth.types.AuthContext, value: dict[str, Any]) -> bool:
    """Refuse runs on a schedule: nobody is there to answer for them."""
    return False


@auth.on.store
async def own_namespace(ctx: Auth.types.AuthContext, value: dict[str, Any]) -> None:
    """Keep the items of each user below a label of their own."""
    label = quote(ctx.user.identity, safe="").replace(".", "%2E")
    namespace = tuple(value.get("namespace") or ())
    value["namespace"] = namespace if namespace[:1] == (label,) else (label, *namespace)


def _writes_state(action: str, value: dict[str, Any]) -> bool:
    if action == "update":
        # A change of a thread itself brings metadata; one of its state brings nothing but the thread.
        return value.keys() <= {"thread_id"}
    command = (value.get("kwargs") or {}).get("command") or {}
    return any(said and name != "resume" for name, said in command.items())
