"""Index of a folder on disk or on a server, kept up to date file by file."""

from dateline.search.index.store import (
    FileChange,
    FileState,
    Hits,
    PassageStore,
    StoredDocument,
    StoredPassage,
    WordStatistics,
)

__all__ = [
    "FileChange",
    "FileState",
    "Hits",
    "PassageStore",
    "StoredDocument",
    "StoredPassage",
    "WordStatistics",
]
