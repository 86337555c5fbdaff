"""asof's node postprocessors for LlamaIndex."""

import asof.llama_index_core  # noqa: F401
from llama_index.postprocessor.asof.dated import DatedNodes
from llama_index.postprocessor.asof.reranker import TemporalReranker

__all__ = ["DatedNodes", "TemporalReranker"]
