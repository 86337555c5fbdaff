"""Stores of passages that keep one contract, and reasons that each test hears."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dateline.search.index import PassageStore, SqlitePassageStore
from dateline.visible import warn_once

SETTINGS = {"encoder": "lexical-1024"}

OpenStore = Callable[[], PassageStore]


@pytest.fixture(autouse=True)
def said() -> None:
    """Reasons are logged once a process; each test hears its own."""
    warn_once.cache_clear()


@pytest.fixture(params=["sqlite", "postgres", "postgres graph"])
def open_store(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenStore]:
    """Opens one store again and again, empty at first."""
    if request.param == "sqlite":
        yield lambda: SqlitePassageStore(tmp_path / "passages.index", settings=SETTINGS)
        return
    from dateline.search.index import postgres_store

    if request.param == "postgres graph":
        # A small store is then searched as a large one is.
        monkeypatch.setattr(postgres_store, "GRAPH_FROM", 1)
    address = request.getfixturevalue("empty_library")
    opened: list[postgres_store.PostgresPassageStore] = []

    def opening() -> PassageStore:
        opened.append(postgres_store.PostgresPassageStore(address, settings=SETTINGS))
        return opened[-1]

    yield opening
    for each in opened:
        each.close()
