"""asof's event handlers for LlamaIndex's instrumentation."""

from llama_index.callbacks.asof.certainty import CertaintyEventHandler
from llama_index.callbacks.asof.learning import FactStoreEventHandler

__all__ = ["CertaintyEventHandler", "FactStoreEventHandler"]
