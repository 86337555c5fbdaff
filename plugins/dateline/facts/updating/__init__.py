"""Updating a fact store with a chat model (ERASE, section 3)."""

from dateline.facts.updating.chat import ChatUpdater
from dateline.facts.updating.passes import Mode

__all__ = ["ChatUpdater", "Mode"]
