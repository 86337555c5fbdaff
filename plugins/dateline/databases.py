"""Addresses of databases, and their errors in one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from dateline.errors import BadInput, MissingExtra, StoreFailed
from dateline.secrets import first_line

if TYPE_CHECKING:
    import sqlalchemy as sql

CONNECT_SECONDS = 10
"""How long a server may take to let a connection in, where the address says nothing else; chosen by hand."""


def database_url(address: str, *, what: str) -> sql.URL:
    """Read a database's address; PostgreSQL is reached by psycopg.

    Args:
        what: names it in the error, which shows nothing of the address.

    Raises:
        BadInput: for one that cannot be read.

    Example:
        >>> database_url("postgresql://ana:s3cret@db/notes", what="library").drivername
        'postgresql+psycopg'
    """
    import sqlalchemy as sql
    from sqlalchemy.exc import SQLAlchemyError

    try:
        url = sql.make_url(address)
    except SQLAlchemyError as cause:
        raise BadInput(f"Cannot read the address of the {what}; write postgresql://USER@HOST/NAME.") from cause
    return with_driver(url)


def with_driver(url: sql.URL) -> sql.URL:
    """Return an address whose driver, where none is named, is psycopg."""
    return url.set(drivername="postgresql+psycopg") if url.drivername in ("postgresql", "postgres") else url


def connect_args(url: sql.URL) -> dict[str, Any]:
    """Return arguments by which no server is waited for without end."""
    if not url.drivername.startswith("postgresql+psycopg"):
        return {}
    return {"connect_timeout": url.query.get("connect_timeout", CONNECT_SECONDS)}


def open_engine(url: sql.URL, *, pool_pre_ping: bool = False, **given: Any) -> sql.Engine:
    """Open a database; `given` are arguments of its driver.

    Raises:
        MissingExtra: without the driver.
    """
    import sqlalchemy as sql

    try:
        return sql.create_engine(url, pool_pre_ping=pool_pre_ping, connect_args={**connect_args(url), **given})
    except ModuleNotFoundError as cause:
        raise MissingExtra(str(cause.name), extra="postgres") from cause


@contextmanager
def database_told(what: str) -> Iterator[None]:
    """Raise `StoreFailed` in one sentence where a database fails."""
    from sqlalchemy.exc import SQLAlchemyError

    try:
        yield
    except SQLAlchemyError as cause:
        raise StoreFailed(f"{what} cannot be used ({first_line(getattr(cause, 'orig', None) or cause)}).") from cause
