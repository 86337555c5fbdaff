"""Index of a folder, on disk or a server, updated by file."""

from dateline.search.index.store import (
    FileChange,
    FileState,
    FoundPassage,
    Hits,
    PassageStore,
    StoredDocument,
    StoredPassage,
    WordStatistics,
)

__all__ = [
    "FileChange",
    "FileState",
    "FoundPassage",
    "Hits",
    "PassageStore",
    "StoredDocument",
    "StoredPassage",
    "WordStatistics",
]
