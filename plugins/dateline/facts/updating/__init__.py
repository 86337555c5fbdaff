"""Updating a fact store with a chat model (ERASE, section 3)."""

from dateline.facts.updating.chat import ChatUpdater
from dateline.facts.updating.passes import UpdateMode

__all__ = ["ChatUpdater", "UpdateMode"]
