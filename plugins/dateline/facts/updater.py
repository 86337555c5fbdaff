"""Role of an updater, which lets a store learn from documents."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol, runtime_checkable

from dateline.facts.changes import Changes
from dateline.facts.review_queue import ReviewQueue
from dateline.records import Evidence


@runtime_checkable
class Updater(Protocol):
    """Updater of a fact store: `LocalUpdater`, `ChatUpdater` or your own.

    Example:
        >>> from dateline.facts import ExactIndex, FactStore, LocalUpdater, MemoryLedger
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> store = FactStore(ledger=MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())
        >>> isinstance(LocalUpdater(store), Updater)
        True
    """

    @property
    def review_queue(self) -> ReviewQueue:
        """Queue in which proposed edits are committed, held or rejected."""
        ...

    def update(self, evidence: Sequence[Evidence], *, known_at: datetime, dry_run: bool = False) -> Sequence[Changes]:
        """Learn from documents and return changes, with `dry_run` only proposed."""
        ...

    async def aupdate(
        self, evidence: Sequence[Evidence], *, known_at: datetime, dry_run: bool = False
    ) -> Sequence[Changes]:
        """Update asynchronously."""
        ...
