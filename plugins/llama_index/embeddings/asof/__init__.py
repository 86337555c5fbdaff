"""Embeddings between LlamaIndex and asof."""

from llama_index.embeddings.asof.bridge import BridgedEmbeddings, as_embeddings
from llama_index.embeddings.asof.local import LocalEmbedding

__all__ = ["BridgedEmbeddings", "LocalEmbedding", "as_embeddings"]
