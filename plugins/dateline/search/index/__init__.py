"""Index of a folder, on disk or a server, updated by file."""

from dateline.search.index.folder_index import FolderIndex, IndexUpdate
from dateline.search.index.sqlite_store import SqlitePassageStore
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
from dateline.search.index.stored_search import StoredSearch

__all__ = [
    "FolderIndex",
    "FoundPassage",
    "Hits",
    "IndexUpdate",
    "PartChange",
    "PartState",
    "PassageStore",
    "SqlitePassageStore",
    "StoredDocument",
    "StoredPassage",
    "StoredSearch",
    "WordStatistics",
]
