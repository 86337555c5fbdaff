"""Updating a fact store with a chat model (ERASE, section 3)."""

from asof.facts.updating.chat import ChatUpdater
from asof.facts.updating.passes import Mode

__all__ = ["ChatUpdater", "Mode"]
