"""asof for LangChain: retrievers, compressors, transformers."""

from langchain_asof.documents import document_of, evidence_of
from langchain_asof.reranker import TemporalReranker
from langchain_asof.retriever import TemporalRetriever
from langchain_asof.stamper import DateStamper

__all__ = ["DateStamper", "TemporalReranker", "TemporalRetriever", "document_of", "evidence_of"]
