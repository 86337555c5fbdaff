"""asof's event handlers for LlamaIndex's instrumentation."""

import asof.llama_index_core  # noqa: F401
from llama_index.callbacks.asof.answers import AnswerEventHandler
from llama_index.callbacks.asof.certainty import CertaintyEventHandler
from llama_index.callbacks.asof.learning import FactStoreEventHandler
from llama_index.callbacks.asof.tracing import CostEventHandler, EvidenceTraceEventHandler, FreshnessEventHandler

__all__ = [
    "AnswerEventHandler",
    "CertaintyEventHandler",
    "CostEventHandler",
    "EvidenceTraceEventHandler",
    "FactStoreEventHandler",
    "FreshnessEventHandler",
]
