"""Contract of a ledger, and its reference in memory.

A ledger is the append-only record that rebuilds a fact store.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import cached_property
from threading import Lock
from typing import NamedTuple

from dateline.closable import Closable
from dateline.facts.chain import Chain, walk
from dateline.facts.fold import Fold
from dateline.facts.notes import MemoryNotes, Notes
from dateline.facts.operation import Operation
from dateline.sendable import Sendable


class LedgerEntry(NamedTuple):
    """Operation and its place of arrival, counted from 1 without gaps."""

    sequence: int
    operation: Operation


class Ledger(Closable, ABC):
    """Operations in the order of arrival, never changed or removed.

    Implementations are safe to share between threads. Every method raises `StoreFailed`, in one
    sentence, when the storage behind it fails; nothing of the call is then stored.
    """

    @abstractmethod
    def append(self, operations: Sequence[Operation]) -> list[LedgerEntry]:
        """Store all of `operations` or none, durably, and return the new ones.

        An operation whose id is stored already is no change and is not returned.
        """

    @abstractmethod
    def operations(
        self, *, after: int = 0, document: str | None = None, since: datetime | None = None
    ) -> Iterator[LedgerEntry]:
        """Yield entries beyond `after`, where given of `document` and learnt after `since`."""

    @abstractmethod
    def last(self) -> int:
        """Return the sequence of the newest entry, 0 when there is none."""

    def fold(self) -> Fold | None:
        """Return the fold that the ledger itself keeps, if any."""
        return None

    def chain(self, *, noted: str = "") -> Chain:
        """Check the hashes that chain the entries, if there are any.

        Args:
            noted: the head that was noted elsewhere; it must still be the hash of an entry.
        """
        return walk((), head="", unchained=0, noted=noted)

    @cached_property
    def notes(self) -> Notes:
        """Return the notes; without a place in the ledger, the process's own."""
        return MemoryNotes()


class MemoryLedger(Sendable, Ledger):
    """Reference ledger, in a list.

    Example:
        >>> MemoryLedger().last()
        0
    """

    def __init__(self) -> None:
        self._entries: list[LedgerEntry] = []
        self._ids: set[str] = set()
        self._lock = Lock()

    def append(self, operations: Sequence[Operation]) -> list[LedgerEntry]:
        with self._lock:
            new = {operation.id: operation for operation in operations if operation.id not in self._ids}
            entries = [
                LedgerEntry(sequence, operation) for sequence, operation in enumerate(new.values(), self.last() + 1)
            ]
            self._entries.extend(entries)
            self._ids.update(new)
        return entries

    def operations(
        self, *, after: int = 0, document: str | None = None, since: datetime | None = None
    ) -> Iterator[LedgerEntry]:
        return (
            entry
            for entry in self._entries[after:]
            if (document is None or entry.operation.document == document)
            and (since is None or since < entry.operation.known_at)
        )

    def last(self) -> int:
        return len(self._entries)
