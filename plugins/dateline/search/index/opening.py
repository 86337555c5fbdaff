"""Opening an index by its file or a database address."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from langchain_core.embeddings import Embeddings

from dateline.errors import BadInput
from dateline.ranking.prepared import encoder_name
from dateline.search.index.sqlite_file import remove_store
from dateline.search.index.sqlite_store import SqlitePassageStore
from dateline.search.index.store import PassageStore
from dateline.search.index.stored_search import StoredSearch


def is_address(place: Path | str) -> bool:
    """Return whether it is the address of a database."""
    return isinstance(place, str) and "://" in place


def open_passages(place: Path | str, *, settings: Mapping[str, Any]) -> PassageStore:
    """Open the passages of an index, made where there are none.

    Raises:
        BadInput: when they were made with other settings.
        MissingExtra: without the database's driver.
    """
    if is_address(place):
        from dateline.search.index.postgres_store import PostgresPassageStore

        return PostgresPassageStore(str(place), settings=settings)
    return SqlitePassageStore(Path(place), settings=settings)


def open_library(address: str, *, embeddings: Embeddings) -> StoredSearch:
    """Open the search over a library on a server, without loading it.

    Args:
        address: as `dateline index PATH --to ADDRESS` had it.
        embeddings: those that it was indexed with.

    Raises:
        BadInput: where there is no library, or one of other embeddings.
        MissingExtra: without the database's driver.
        StoreFailed: when the database cannot be reached.
    """
    from dateline.search.index.postgres_store import PostgresPassageStore

    store = PostgresPassageStore(address)
    theirs, mine = store.settings.get("encoder"), encoder_name(embeddings)
    if theirs != mine:
        raise BadInput(f"The library was indexed with the embeddings {theirs!r}, not {mine!r}; install or give those.")
    return StoredSearch(store, embeddings=embeddings)


def remove_index(place: Path | str) -> None:
    """Delete an index, by its file or address; what was indexed stays."""
    if is_address(place):
        from dateline.search.index.postgres_store import remove_library

        remove_library(str(place))
    else:
        remove_store(Path(place))
