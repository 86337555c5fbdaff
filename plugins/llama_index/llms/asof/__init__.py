"""LlamaIndex's language models where asof takes a chat model."""

from llama_index.llms.asof.bridge import BridgedChatModel, as_chat_model

__all__ = ["BridgedChatModel", "as_chat_model"]
