"""asof's node postprocessors for LlamaIndex."""

from llama_index.postprocessor.asof.dated import DatedNodes
from llama_index.postprocessor.asof.reranker import TemporalReranker

__all__ = ["DatedNodes", "TemporalReranker"]
