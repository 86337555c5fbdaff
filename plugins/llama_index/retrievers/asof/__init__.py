"""asof's retrievers for LlamaIndex."""

from llama_index.retrievers.asof.evidence import EvidenceRetriever
from llama_index.retrievers.asof.facts import FactStoreRetriever
from llama_index.retrievers.asof.retriever import TemporalRetriever

__all__ = ["EvidenceRetriever", "FactStoreRetriever", "TemporalRetriever"]
