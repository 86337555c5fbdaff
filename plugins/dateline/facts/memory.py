"""The reference ledger: in memory, gone with the process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from threading import Lock

from dateline.facts.ledger import Ledger, LedgerEntry
from dateline.facts.operation import Operation


class MemoryLedger(Ledger):
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
