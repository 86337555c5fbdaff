"""The reference ledger: in memory, gone with the process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from threading import Lock

from asof.facts.contract import Entry, Ledger
from asof.facts.operation import Operation


class MemoryLedger(Ledger):
    """A ledger in a list."""

    def __init__(self) -> None:
        self._entries: list[Entry] = []
        self._ids: set[str] = set()
        self._lock = Lock()

    def append(self, operations: Sequence[Operation]) -> list[Entry]:
        with self._lock:
            new = {operation.id: operation for operation in operations if operation.id not in self._ids}
            entries = [Entry(sequence, operation) for sequence, operation in enumerate(new.values(), self.last() + 1)]
            self._entries.extend(entries)
            self._ids.update(new)
        return entries

    def operations(self, *, after: int = 0, document: str | None = None) -> Iterator[Entry]:
        entries = self._entries[after:]
        return (entry for entry in entries if document is None or entry.operation.document == document)

    def last(self) -> int:
        return len(self._entries)
