"""asof's query engines for LlamaIndex."""

import asof.llama_index_core  # noqa: F401
from llama_index.query_engine.asof.answer import AnswerQueryEngine
from llama_index.query_engine.asof.gate import CertaintyQueryEngine
from llama_index.query_engine.asof.generating import RetrievingQueryEngine

__all__ = ["AnswerQueryEngine", "CertaintyQueryEngine", "RetrievingQueryEngine"]
