"""Opening a fact store by folder or URL."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from asof.errors import BadInput
from asof.facts.index import ExactIndex, Index
from asof.facts.sql import SqlLedger
from asof.facts.store import FactStore

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings

IndexChoice = Literal["auto", "file", "chroma"]
"""`file`: a flat file of vectors, mapped into memory; `auto`: Chroma where it is installed, else `file`."""


def open_store(path_or_url: str | Path, *, embeddings: Embeddings, index: IndexChoice = "auto") -> FactStore:
    """Open a fact store, made when it is not there.

    A folder holds a SQLite ledger and an index beside it. A database URL (`postgresql+psycopg://…`)
    is the ledger; its index is then exact and in memory, built while opening.

    Raises:
        BadInput: for a path that is a file, an unreadable URL or an unknown index.
        MissingExtra: for `index="chroma"` without chromadb, or a database without its driver.
        StoreFailed: when ledger or index cannot be opened.
    """
    if index not in get_args(IndexChoice):
        raise BadInput(f"Unknown index {index!r}; choose one of {', '.join(get_args(IndexChoice))}.")
    if "://" in str(path_or_url):
        if index == "chroma":
            raise BadInput("A store by URL keeps its index in memory; leave index out, or build FactStore with one.")
        return FactStore(SqlLedger(str(path_or_url)), index=ExactIndex(), embeddings=embeddings)
    folder = Path(path_or_url)
    if folder.exists() and not folder.is_dir():
        raise BadInput(f"{folder} is a file; give a folder, which will hold the ledger and its index.")
    folder.mkdir(parents=True, exist_ok=True)
    ledger = SqlLedger.at(folder / "facts.db")
    return FactStore(ledger, index=_index(folder, index, embeddings), embeddings=embeddings)


def _index(folder: Path, choice: IndexChoice, embeddings: Embeddings) -> Index:
    if choice == "chroma" or (choice == "auto" and importlib.util.find_spec("chromadb") is not None):
        from asof.facts.chroma import ChromaIndex

        return ChromaIndex.at(folder / "chroma")
    from asof.facts.file import FileIndex

    return FileIndex(folder / "vectors.f32", dimensions=len(embeddings.embed_query("dimensions")))
