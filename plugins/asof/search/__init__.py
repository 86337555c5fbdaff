"""Sources of evidence: a folder of documents, SerpAPI, and the search engines and retrievers that people have."""

from asof.search.documents import LoadedDocuments, load_documents
from asof.search.folder import FolderSearch
from asof.search.serpapi import SerpApiSearch

__all__ = ["FolderSearch", "LoadedDocuments", "SerpApiSearch", "load_documents"]
