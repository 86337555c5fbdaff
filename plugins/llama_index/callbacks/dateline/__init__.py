"""dateline's event handlers for LlamaIndex's instrumentation."""

import dateline.llama_index_core  # noqa: F401
from llama_index.callbacks.dateline.answers import AnswerEventHandler
from llama_index.callbacks.dateline.certainty import CertaintyEventHandler
from llama_index.callbacks.dateline.learning import FactStoreEventHandler
from llama_index.callbacks.dateline.telemetry import TelemetryEventHandler, instrument
from llama_index.callbacks.dateline.tracing import CostEventHandler, EvidenceTraceEventHandler, FreshnessEventHandler

__all__ = [
    "AnswerEventHandler",
    "CertaintyEventHandler",
    "CostEventHandler",
    "EvidenceTraceEventHandler",
    "FactStoreEventHandler",
    "FreshnessEventHandler",
    "TelemetryEventHandler",
    "instrument",
]
