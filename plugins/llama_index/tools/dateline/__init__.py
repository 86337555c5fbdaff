"""dateline's tools for LlamaIndex's agents."""

import dateline.llama_index_core  # noqa: F401
from llama_index.tools.dateline.function_tools import dateline_tools

__all__ = ["dateline_tools"]
