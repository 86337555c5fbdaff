"""A person decides about edits that wait: the same in graphs and in agents, see `langchain_asof.approval`."""

from __future__ import annotations

from langchain_asof.approval import HOW, TRIES, approve_edits

__all__ = ["HOW", "TRIES", "approve_edits"]
