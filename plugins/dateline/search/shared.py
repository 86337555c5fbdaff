"""Folders read and indexed once, whoever asks."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any, TypeVar

from langchain_core.embeddings import Embeddings

from dateline.errors import BadInput
from dateline.made_once import MadeOnce, made_once
from dateline.search.documents import document_files, stamp_of
from dateline.search.folder import FolderSearch
from dateline.search.folder_limits import FolderLimits

T = TypeVar("T")

FRESH_SECONDS = 2.0
"""How long a folder may have changed before a new run notices; chosen by hand."""

KEPT = 4
"""Folders that stay in memory, the latest asked for; chosen by hand."""

_MADE: MadeOnce[Any] = MadeOnce(size=KEPT)


def shared_folder_search(
    path: Path | str,
    *,
    embeddings: Embeddings,
    name: str = "",
    trust_sources: bool = False,
    limits: FolderLimits | None = None,
) -> FolderSearch:
    """Return a folder's search, indexed once for each of its states.

    Any number of threads and event loops may ask at once.

    Args:
        embeddings: the same object each time, or the folder is indexed for each.
        name, trust_sources, limits: as `FolderSearch.open` takes them.

    Raises:
        BadInput: as `FolderSearch.open` does.
    """
    how: dict[str, Any] = {"name": name, "trust_sources": trust_sources, "limits": limits or FolderLimits()}
    # The search holds on to the embeddings, so that no other object takes their number while it is kept.
    return once_for_folder(
        path,
        lambda: FolderSearch.open(path, embeddings=embeddings, **how),
        key=("search", id(embeddings), *how.values()),
    )


def once_for_folder(path: Path | str, make: Callable[[], T], *, key: Hashable) -> T:
    """Make something of a folder, once for each key and state."""
    folder = Path(path).expanduser().resolve()
    made: T = _MADE.get((str(folder), folder_state(folder), key), make)
    return made


def folder_state(path: Path | str) -> int:
    """Return a number that changes soon after a file does."""
    return _folder_state(Path(path).expanduser().resolve(), int(time.monotonic() / FRESH_SECONDS)) if str(path) else 0


@made_once(size=16)
def _folder_state(path: Path, beat: int) -> int:
    try:
        files = document_files(path)
    except BadInput:
        return 0
    return hash(tuple((str(file), *stamp_of(file)) for file in files))
