"""Embeddings between LlamaIndex and dateline."""

import dateline.llama_index_core  # noqa: F401
from llama_index.embeddings.dateline.bridge import BridgedEmbeddings, as_embeddings
from llama_index.embeddings.dateline.local import LocalEmbedding

__all__ = ["BridgedEmbeddings", "LocalEmbedding", "as_embeddings"]
