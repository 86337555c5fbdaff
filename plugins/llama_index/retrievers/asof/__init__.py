"""asof's retrievers for LlamaIndex."""

import asof.llama_index_core  # noqa: F401
from llama_index.retrievers.asof.evidence import EvidenceRetriever
from llama_index.retrievers.asof.facts import FactStoreRetriever
from llama_index.retrievers.asof.retriever import TemporalRetriever

__all__ = ["EvidenceRetriever", "FactStoreRetriever", "TemporalRetriever"]
