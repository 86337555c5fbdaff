"""Evidence sources: local documents, SerpAPI, other engines and retrievers."""

from dateline.documents import evidence_of
from dateline.search.documents import LoadedDocuments, load_documents
from dateline.search.engines import EngineSearch
from dateline.search.folder import FolderSearch
from dateline.search.folder_limits import FolderLimits
from dateline.search.recordings import RecordedSearch
from dateline.search.retriever import RetrieverSearch
from dateline.search.serpapi import SerpApiSearch
from dateline.search.shared import shared_folder_search
from dateline.search.united import UnitedSearch

__all__ = [
    "EngineSearch",
    "FolderLimits",
    "FolderSearch",
    "LoadedDocuments",
    "RecordedSearch",
    "RetrieverSearch",
    "SerpApiSearch",
    "UnitedSearch",
    "evidence_of",
    "load_documents",
    "shared_folder_search",
]
