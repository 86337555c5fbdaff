"""LlamaIndex's language models where asof takes a chat model, and one that looks things up while it writes."""

import asof.llama_index_core  # noqa: F401
from llama_index.llms.asof.bridge import BridgedChatModel, as_chat_model
from llama_index.llms.asof.looking_up import LookedUpEvent
from llama_index.llms.asof.retrieving import RetrievingLLM

__all__ = ["BridgedChatModel", "LookedUpEvent", "RetrievingLLM", "as_chat_model"]
