"""dateline's node postprocessors for LlamaIndex."""

import dateline.llama_index_core  # noqa: F401
from llama_index.postprocessor.dateline.audited import AuditedNodes
from llama_index.postprocessor.dateline.dated import DatedNodes
from llama_index.postprocessor.dateline.reranker import TemporalReranker

__all__ = ["AuditedNodes", "DatedNodes", "TemporalReranker"]
