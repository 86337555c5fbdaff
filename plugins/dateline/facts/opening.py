"""Opening a fact store by folder or URL."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypedDict, get_args

from dateline.errors import BadInput, StoreFailed, check_choice
from dateline.facts.index import Index
from dateline.facts.slots import SlotPack
from dateline.facts.store import FactStore
from dateline.files import expanded, make_folder, read_bytes, write_whole
from dateline.text.embeddings import name_of

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings

IndexChoice = Literal["auto", "file", "chroma"]
"""`file`, which `auto` takes: a flat file of vectors, faster and more exact than a graph (`benchmarks/facts.py`).
`chroma`: a Chroma collection on disk."""

LEDGER, VECTORS, CHROMA, IDENTITY = "facts.db", "vectors.f32", "chroma", "index.json"
"""What lies in a store's folder; only the ledger cannot be rebuilt."""


class _Identity(TypedDict):
    """Name and dimensions of embeddings, with a name once noted."""

    name: str
    dimensions: int
    once: str


def open_store(
    path_or_url: str | Path,
    *,
    embeddings: Embeddings,
    index: IndexChoice | Index = "auto",
    slots: SlotPack | None = None,
) -> FactStore:
    """Open a fact store, made when it is not there.

    A folder holds a SQLite ledger and an index beside it. A database URL (`postgresql+psycopg://…`)
    is the ledger; its vectors then lie in the same database, in pgvector where it has that extension. An index of your
    own, such as `ChromaIndex(client)` on a Chroma server, goes with either; one collection serves one ledger.

    Args:
        slots: attributes that are declared; by default those that are shipped.

    Raises:
        BadInput: for a path that is a file, an unreadable URL or an unknown index.
        MissingExtra: for `index="chroma"` without chromadb, or a database without its driver.
        StoreFailed: when ledger or index cannot be opened.

    Example:
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> with open_store("facts", embeddings=LexicalEmbeddings()) as store:
        ...     store.at()
        []
    """
    from dateline.facts.sql import SqlLedger
    from dateline.facts.stored import stored_index

    if not isinstance(index, Index):
        check_choice(index, name="index", choices=get_args(IndexChoice))
    if "://" in str(path_or_url):
        if index in ("file", "chroma"):
            raise BadInput(
                f"A store by URL has no folder for the index {index!r}; leave index out to keep it in the database, or "
                "give ChromaIndex(client)."
            )
        ledger = SqlLedger(str(path_or_url))
        own = index if isinstance(index, Index) else stored_index(ledger.database, **_identity(embeddings))
        return FactStore(ledger, index=own, embeddings=embeddings, slots=slots)
    folder = expanded(path_or_url)
    if folder.exists() and not folder.is_dir():
        raise BadInput(f"{folder} is a file; give a folder, which will hold the ledger and its index.")
    try:
        make_folder(folder)
        ledger = SqlLedger.at(folder / LEDGER)
        return FactStore(ledger, index=_open_index(folder, index, embeddings), embeddings=embeddings, slots=slots)
    except OSError as cause:
        raise StoreFailed(f"The store {folder} could not be opened ({cause.strerror}).") from cause


def is_store(path_or_url: str | Path) -> bool:
    """Check for a database URL, or a folder that holds a ledger."""
    return "://" in str(path_or_url) or (expanded(path_or_url) / LEDGER).is_file()


def rebuild_store(
    path_or_url: str | Path,
    *,
    embeddings: Embeddings,
    index: IndexChoice | Index = "auto",
    slots: SlotPack | None = None,
) -> FactStore:
    """Open a store with a new index, whatever the old one.

    Raises:
        BadInput: when the folder holds no ledger.
        StoreFailed: when ledger or index cannot be opened.
    """
    if "://" in str(path_or_url):
        _forget_stored(str(path_or_url))
    else:
        _forget_files(expanded(path_or_url))
    store = open_store(path_or_url, embeddings=embeddings, index=index, slots=slots)
    store.reindex()
    return store


def _forget_stored(url: str) -> None:
    from dateline.facts.sql import SqlLedger
    from dateline.facts.stored import drop_index

    with SqlLedger(url) as ledger, ledger.database.writing() as connection:
        drop_index(connection)


def _forget_files(folder: Path) -> None:
    if not (folder / LEDGER).is_file():
        raise BadInput(f"There is no ledger {LEDGER} in {folder}; give the folder of a store.")
    shutil.rmtree(folder / CHROMA, ignore_errors=True)
    for file in (folder / IDENTITY, *folder.glob(f"{VECTORS}*")):
        file.unlink(missing_ok=True)


def _open_index(folder: Path, choice: IndexChoice | Index, embeddings: Embeddings) -> Index:
    dimensions = _check_identity(folder, embeddings)
    if isinstance(choice, Index):
        return choice
    if choice == "chroma":
        from dateline.facts.chroma import ChromaIndex

        make_folder(folder / CHROMA)
        return ChromaIndex.at(folder / CHROMA)
    from dateline.facts.file import FileIndex

    return FileIndex(folder / VECTORS, dimensions=dimensions)


def _check_identity(folder: Path, embeddings: Embeddings) -> int:
    """Return the embeddings' dimensions; refuse embeddings other than the index's."""
    identity = _identity(embeddings)
    mine = {"embeddings": identity["name"], "dimensions": identity["dimensions"]}
    file = folder / IDENTITY
    try:
        theirs = json.loads(read_bytes(file))
    except (FileNotFoundError, ValueError):
        theirs = None
    if theirs is None:
        write_whole(file, json.dumps(mine) + "\n")
    elif theirs not in (mine, {**mine, "embeddings": identity["once"]}):
        raise BadInput(
            f"The index in {folder} was made with the embeddings {theirs}, not {mine}; open it with those, or call "
            "rebuild_store() to index its facts anew."
        )
    return identity["dimensions"]


def _identity(embeddings: Embeddings) -> _Identity:
    return {
        "name": name_of(embeddings),
        "dimensions": len(embeddings.embed_query("dimensions")),
        "once": type(embeddings).__name__,
    }
