"""dateline's query engines for LlamaIndex."""

import dateline.llama_index_core  # noqa: F401
from llama_index.query_engine.dateline.answer import AnswerQueryEngine
from llama_index.query_engine.dateline.gate import CertaintyQueryEngine
from llama_index.query_engine.dateline.generating import RetrievingQueryEngine

__all__ = ["AnswerQueryEngine", "CertaintyQueryEngine", "RetrievingQueryEngine"]
