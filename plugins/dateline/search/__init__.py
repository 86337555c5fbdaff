"""Evidence sources: local documents, SerpAPI, other engines and retrievers."""

from dateline.documents import evidence_of
from dateline.search.documents import LoadedDocuments, load_documents
from dateline.search.engines import EngineSearch
from dateline.search.folder import FolderSearch
from dateline.search.recordings import RecordedSearch
from dateline.search.retriever import RetrieverSearch
from dateline.search.serpapi import SerpApiSearch

__all__ = [
    "EngineSearch",
    "FolderSearch",
    "LoadedDocuments",
    "RecordedSearch",
    "RetrieverSearch",
    "SerpApiSearch",
    "evidence_of",
    "load_documents",
]
