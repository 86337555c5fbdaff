"""Checkpoints in a database of yours, so that threads outlive the server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, LiteralString

from dateline.errors import BadInput, MissingExtra
from dateline.secrets import without_secrets
from dateline_graphs.server.config import read_config

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver
    from psycopg import AsyncConnection

CONNECTIONS = 8
"""To the database at most, of one server; chosen by hand."""
_WAIT = 15.0
"""Seconds until a database that gives no connection counts as not there."""
_TURN = 0x646C6370
"""One server at a time makes the tables."""


@asynccontextmanager
async def checkpointer() -> AsyncIterator[BaseCheckpointSaver[str]]:
    """Open the checkpoints of `dateline.toml` for the server.

    `langgraph.json` names it: `"checkpointer": {"path": "dateline_graphs.server.checkpoints.checkpointer"}`.

    Raises:
        BadInput: when `[server] checkpoints` is not set, or as `open_checkpoints`.
    """
    address = read_config().server.checkpoints
    if address is None:
        raise BadInput('No checkpoints are configured; set checkpoints = "env:NAME" in [server] of dateline.toml.')
    async with open_checkpoints(address.get_secret_value()) as saver:
        yield saver


@asynccontextmanager
async def open_checkpoints(address: str) -> AsyncIterator[BaseCheckpointSaver[str]]:
    """Open checkpoints in PostgreSQL, with tables made where they are missing.

    Any number of servers and programs may share them: `graph.compile(checkpointer=saver)`.

    Args:
        address: `postgresql://user@host/database`.

    Raises:
        BadInput: for another address, or a database that cannot be opened.
        MissingExtra: when psycopg or LangGraph's checkpointer for it is not installed.
    """
    kind, separator, rest = address.partition("://")
    if not separator or kind.partition("+")[0] not in ("postgresql", "postgres"):
        raise BadInput("Checkpoints lie in PostgreSQL; give an address such as postgresql://user@host/database.")
    try:
        from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
        from psycopg import Error
        from psycopg.rows import DictRow, dict_row
        from psycopg_pool import AsyncConnectionPool, PoolTimeout
    except ImportError as cause:
        raise MissingExtra(str(cause.name), extra="postgres") from cause

    settings = {"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row}
    pool: AsyncConnectionPool[AsyncConnection[DictRow]] = AsyncConnectionPool(
        f"postgresql://{rest}", kwargs=settings, min_size=1, max_size=CONNECTIONS, open=False
    )
    try:
        await pool.open(wait=True, timeout=_WAIT)
        async with pool.connection() as connection:
            # Whoever waited inside the database would keep it from making indexes.
            while not await _flag(connection, "SELECT pg_try_advisory_lock(%s) AS flag"):
                await asyncio.sleep(0.1)
            await AsyncPostgresSaver(connection).setup()
            await _flag(connection, "SELECT pg_advisory_unlock(%s) AS flag")
    except (Error, PoolTimeout) as cause:
        await pool.close()
        raise BadInput(
            f"Cannot keep checkpoints in {without_secrets(address)}: {without_secrets(str(cause))}."
        ) from None
    try:
        yield AsyncPostgresSaver(pool)
    finally:
        await pool.close()


async def _flag(connection: AsyncConnection[Any], query: LiteralString) -> bool:
    row = await (await connection.execute(query, (_TURN,))).fetchone()
    return bool(row and row["flag"])
