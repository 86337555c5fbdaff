"""LlamaIndex's language models where asof takes a chat model."""

import asof.llama_index_core  # noqa: F401
from llama_index.llms.asof.bridge import BridgedChatModel, as_chat_model

__all__ = ["BridgedChatModel", "as_chat_model"]
