"""Index of a folder, on disk or a server, updated by file."""

from dateline.search.index.store import (
    FoundPassage,
    Hits,
    PartChange,
    PartState,
    PassageStore,
    StoredDocument,
    StoredPassage,
    WordStatistics,
)

__all__ = [
    "FoundPassage",
    "Hits",
    "PartChange",
    "PartState",
    "PassageStore",
    "StoredDocument",
    "StoredPassage",
    "WordStatistics",
]
