"""dateline's memory blocks for LlamaIndex."""

import dateline.llama_index_core  # noqa: F401
from llama_index.memory.dateline.block import FactMemoryBlock

__all__ = ["FactMemoryBlock"]
