"""asof's memory blocks for LlamaIndex."""

import asof.llama_index_core  # noqa: F401
from llama_index.memory.asof.block import FactMemoryBlock

__all__ = ["FactMemoryBlock"]
