"""dateline's retrievers for LlamaIndex."""

import dateline.llama_index_core  # noqa: F401
from llama_index.retrievers.dateline.evidence import EvidenceRetriever
from llama_index.retrievers.dateline.facts import FactStoreRetriever
from llama_index.retrievers.dateline.retriever import TemporalRetriever

__all__ = ["EvidenceRetriever", "FactStoreRetriever", "TemporalRetriever"]
