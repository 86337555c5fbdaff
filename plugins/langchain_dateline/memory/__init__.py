"""Memory that keeps its history, for LangGraph and `create_agent`."""

from langchain_dateline.memory.store import FactMemoryStore

__all__ = ["FactMemoryStore"]
