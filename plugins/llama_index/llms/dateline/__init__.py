"""LlamaIndex's language models for dateline, and one that retrieves while writing."""

import dateline.llama_index_core  # noqa: F401
from llama_index.llms.dateline.bridge import BridgedChatModel, as_chat_model
from llama_index.llms.dateline.looking_up import LookedUpEvent
from llama_index.llms.dateline.retrieving import RetrievingLLM

__all__ = ["BridgedChatModel", "LookedUpEvent", "RetrievingLLM", "as_chat_model"]
