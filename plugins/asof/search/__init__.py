"""Sources of evidence: a folder of documents, SerpAPI, and the search engines and retrievers that people have."""

from asof.search.documents import LoadedDocuments, load_documents
from asof.search.engines import EngineSearch
from asof.search.folder import FolderSearch
from asof.search.items import evidence_of
from asof.search.recordings import RecordedSearch
from asof.search.retriever import RetrieverSearch
from asof.search.serpapi import SerpApiSearch

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
