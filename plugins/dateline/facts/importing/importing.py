"""Import of what mem0 or Graphiti exported into a fact store."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Literal, get_args

from pydantic import Field

from dateline.errors import check_choice
from dateline.facts.importing import graphiti, mem0
from dateline.facts.importing.rows import read_rows
from dateline.facts.store import FactStore
from dateline.records import Record

ImportFormat = Literal["mem0", "graphiti"]
"""`mem0`: memories of `get_all`, and rows of `history`. `graphiti`: entity edges as JSON."""


class Imported(Record):
    """Result of an import."""

    documents: int = Field(description="Number of memories or edges that were read.")
    changes: int = Field(description="Number of changes that are new in the store.")
    problems: tuple[str, ...] = Field(default=(), description="What was not read, one sentence each.")


def import_memories(
    store: FactStore, path: Path, *, format: ImportFormat, known_at: datetime, user: str = ""
) -> Imported:
    """Import another memory's export; importing it again changes nothing.

    Rows that cannot be read are named, and so are lists of another kind, such as mem0's relations and Graphiti's nodes; nothing else is
    lost. Metadata, categories and attributes become tags (`metadata.topic:home`); a text that is known already keeps those of its first
    import. What was forgotten here stays so. What a memory of mem0 said in an earlier export and says no longer ends.

    Args:
        known_at: when rows without a time of their own were learnt, timezone-aware.
        user: of mem0, import only what is of this owner.

    Raises:
        BadInput: for an unknown format or a file that is no JSON.

    Example:
        >>> import json
        >>> from datetime import UTC
        >>> from dateline.facts import ExactIndex, MemoryLedger
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> edge = {"uuid": "e1", "fact": "Joana lives in Porto.", "valid_at": "2020-03-01T00:00:00Z",
        ...         "invalid_at": "2023-05-01T00:00:00Z", "created_at": "2024-01-01T09:30:00Z"}
        >>> _ = Path("edges.json").write_text(json.dumps([edge]))
        >>> store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())
        >>> import_memories(store, Path("edges.json"), format="graphiti", known_at=datetime(2025, 1, 1, tzinfo=UTC)).changes
        2
        >>> [len(store.at(year)) for year in ("2019", "2021", "2024")]
        [0, 1, 0]
    """
    check_choice(format, name="format", choices=get_args(ImportFormat))
    rows = read_rows(path, keys=mem0.KEYS if format == "mem0" else graphiti.KEYS)
    if format == "mem0":
        told = mem0.read_mem0(rows.placed, known_at=known_at, user=user)
    else:
        told = graphiti.read_graphiti(rows.placed, known_at=known_at)
    changes, forgotten = 0, []
    for document, operations in told.operations.items():
        if store.was_forgotten(document):
            forgotten.append(f"{document}: it was forgotten.")
        else:
            changes += len(store.apply(document, operations))
    for end in mem0.ends_of(told.operations, store=store) if format == "mem0" else ():
        changes += len(store.apply(end.document, [end]))
    return Imported(
        documents=len(told.operations), changes=changes, problems=(*told.problems, *rows.unread, *forgotten)
    )
