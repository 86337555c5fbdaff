"""asof's query engine for LlamaIndex."""

from llama_index.query_engine.asof.gate import CertaintyQueryEngine

__all__ = ["CertaintyQueryEngine"]
