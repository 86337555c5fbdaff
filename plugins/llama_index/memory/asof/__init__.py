"""asof's memory blocks for LlamaIndex."""

from llama_index.memory.asof.block import FactMemoryBlock

__all__ = ["FactMemoryBlock"]
