"""Embeddings between LlamaIndex and asof."""

import asof.llama_index_core  # noqa: F401
from llama_index.embeddings.asof.bridge import BridgedEmbeddings, as_embeddings
from llama_index.embeddings.asof.local import LocalEmbedding

__all__ = ["BridgedEmbeddings", "LocalEmbedding", "as_embeddings"]
