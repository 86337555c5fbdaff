"""Importers of what other memories export."""

from dateline.facts.importing.importing import Imported, ImportFormat, import_memories

__all__ = ["ImportFormat", "Imported", "import_memories"]
