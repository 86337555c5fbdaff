"""asof's retrievers for LlamaIndex."""

from llama_index.retrievers.asof.retriever import TemporalRetriever

__all__ = ["TemporalRetriever"]
