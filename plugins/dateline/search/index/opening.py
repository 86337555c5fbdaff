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
from dateline.secrets import masked


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


def open_library(address: str, *, embeddings: Embeddings, name: str = "", trust_sources: bool = False) -> StoredSearch:
    """Open the search over a library on a server, without loading it.

    Args:
        address: as `dateline index PATH --to ADDRESS` had it.
        embeddings: those that it was indexed with.
        name: what it is called; empty: as when it was indexed.
        trust_sources: whether it is to be one whose documents' sources are believed.

    Raises:
        BadInput: where there is no library, one of other embeddings, or one indexed without trust in sources.
        MissingExtra: without the database's driver.
        StoreFailed: when the database cannot be reached.
    """
    from dateline.search.index.postgres_store import PostgresPassageStore

    store = PostgresPassageStore(address)
    theirs, mine = store.settings.get("encoder"), encoder_name(embeddings)
    if theirs != mine:
        raise BadInput(
            f"The library {masked(address)} was indexed with the embeddings {theirs!r}, not {mine!r}; install or give those."
        )
    check_trust(store.settings, place=address, trust_sources=trust_sources)
    return StoredSearch(store, embeddings=embeddings, name=name)


def check_trust(settings: Mapping[str, Any], *, place: Path | str, trust_sources: bool) -> None:
    """Refuse to trust sources that were not trusted when they were indexed.

    Raises:
        BadInput: in that case.
    """
    if trust_sources and not settings["rules"]["trust_sources"]:
        raise BadInput(
            f"The library {masked(str(place))} was indexed without trust in its sources; leave trust_sources out, or index "
            "it anew with dateline index --trust-sources."
        )


def remove_index(place: Path | str) -> bool:
    """Delete an index by its place; return whether there was one."""
    if is_address(place):
        from dateline.search.index.postgres_store import remove_library

        return remove_library(str(place))
    return remove_store(Path(place))
