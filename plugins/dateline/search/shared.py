"""Folders read and indexed once, whoever asks."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any, TypeVar

from langchain_core.embeddings import Embeddings

from dateline.errors import StoreFailed
from dateline.files import expanded
from dateline.made_once import MadeOnce
from dateline.ranking.prepared import encoder_name
from dateline.search.folder import FolderSearch
from dateline.search.folder_limits import FolderLimits
from dateline.search.index.folder_index import FolderIndex, FolderIndexSearch
from dateline.search.index.opening import check_trust, is_address, open_library
from dateline.search.index.stored_search import StoredSearch
from dateline.search.watch import FolderState, folder_state
from dateline.visible import logger

T = TypeVar("T")

_LOG = logger(__name__)

KEPT = 4
"""Folders that stay in memory, the latest asked for; chosen by hand."""

LARGE = 2**21
"""Bytes of a folder from which on its index is kept on disk: about 2,500 passages, which take seconds at each start."""

SHARED_LIMITS = FolderLimits(files=1_000_000, bytes=2**34, passages=2_000_000)
"""What is read of a folder whose index is on disk; chosen by hand."""

INDEX_ENDING = ".index"
"""Files that end so are indexes, not documents."""

_MADE: MadeOnce[Any] = MadeOnce(size=KEPT)
_INDEXES: MadeOnce[FolderIndex] = MadeOnce(size=KEPT)
_LIBRARIES: MadeOnce[StoredSearch] = MadeOnce(size=16)


def shared_folder_search(
    path: Path | str,
    *,
    embeddings: Embeddings,
    name: str = "",
    trust_sources: bool = False,
    limits: FolderLimits | None = None,
) -> FolderSearch | FolderIndexSearch | StoredSearch:
    """Return a folder's search, indexed once for each of its states.

    Any number of threads and event loops may ask at once. The index of a large folder, and of one that was indexed by
    `dateline index`, is kept on disk, where other processes find it; only what has changed is read.

    Args:
        path: a folder, a file, an index made with `dateline index --output`, or the address of a library on a server
            (`dateline index --to`).
        embeddings: the same object each time, or a folder in memory is indexed for each.
        name, trust_sources: as `FolderSearch.open` takes them. An index in a file or a database is called by this name,
            whatever it was called when it was made; one whose sources were not trusted then is refused.
        limits: what is read at most; by default `FolderLimits()` in memory and `SHARED_LIMITS` on disk.

    Raises:
        BadInput: as `FolderSearch.open` does.
    """
    how: dict[str, Any] = {"name": name, "trust_sources": trust_sources}
    if is_address(path):
        return _LIBRARIES.get(
            (path, id(embeddings), *how.values()), lambda: open_library(str(path), embeddings=embeddings, **how)
        )
    if (file := expanded(path)).suffix == INDEX_ENDING and file.is_file():
        return _of_file(file, embeddings=embeddings, limits=limits or SHARED_LIMITS, **how)
    state = folder_state(path)

    def make() -> FolderSearch | FolderIndexSearch:
        index = _index(path, state=state, embeddings=embeddings, limits=limits or SHARED_LIMITS, how=how)
        if index is not None:
            return _updated(index)
        return FolderSearch.open(path, embeddings=embeddings, limits=limits or FolderLimits(), **how)

    # The search holds on to the embeddings, so that no other object takes their number while it is kept.
    return once_for_folder(path, make, key=("search", id(embeddings), limits, *how.values()))


def once_for_folder(path: Path | str, make: Callable[[], T], *, key: Hashable) -> T:
    """Make something of a folder, once for each key and state."""
    folder = expanded(path).resolve()
    made: T = _MADE.get((str(folder), folder_state(folder), key), make)
    return made


def _of_file(
    file: Path, *, embeddings: Embeddings, limits: FolderLimits, name: str, trust_sources: bool
) -> FolderIndexSearch:
    """Return the search over an index that was made with `dateline index --output`."""
    key = (str(file.resolve()), encoder_name(embeddings), limits)
    index = _INDEXES.get(key, lambda: FolderIndex.from_file(file, embeddings=embeddings, limits=limits))
    check_trust(index.store.settings, place=file, trust_sources=trust_sources)
    return once_for_folder(index.folder, lambda: _updated(index, name=name), key=("index", *key, name))


def _index(
    path: Path | str, *, state: FolderState, embeddings: Embeddings, limits: FolderLimits, how: dict[str, Any]
) -> FolderIndex | None:
    """Return the folder's index on disk, if it is to have one."""
    if not state.files or encoder_name(embeddings) is None:
        return None
    if state.bytes < LARGE and not FolderIndex.place(path, embeddings=embeddings, **how).exists():
        return None
    key = (str(expanded(path).resolve()), encoder_name(embeddings), limits, *how.values())
    try:
        return _INDEXES.get(key, lambda: FolderIndex(path, embeddings=embeddings, limits=limits, **how))
    except (OSError, StoreFailed) as error:
        _LOG.warning("The index of %s cannot be kept on disk, so it is made in memory: %s", path, error)
        return None


def _updated(index: FolderIndex, *, name: str = "") -> FolderIndexSearch:
    """Return a search over an index, brought up to date if possible."""
    search = FolderIndexSearch(index, name=name)
    search.update()
    return search
