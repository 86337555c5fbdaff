"""Contract of a ledger, and its reference in memory.

A ledger is the append-only record that rebuilds a fact store.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from threading import Lock
from typing import Any, NamedTuple

from dateline.closable import Closable
from dateline.errors import BadInput
from dateline.facts.chain import Chain, walk
from dateline.facts.erasure import Erasure, is_barred
from dateline.facts.fold import Fold
from dateline.facts.notes import MemoryNotes, Notes
from dateline.facts.operation import ErasedEntry, Forget, Operation
from dateline.sendable import Sendable

REACH = 16
"""So many entries before an operation are looked at for what its document said before it."""


class LedgerEntry(NamedTuple):
    """Operation and its place of arrival, counted from 1 without gaps."""

    sequence: int
    operation: Operation


class Ledger(Closable, ABC):
    """Operations in the order of arrival, never changed but by `erase`.

    Implementations are safe to share between threads. Every method raises `StoreFailed`, in one
    sentence, when the storage behind it fails; nothing of the call is then stored.
    """

    @abstractmethod
    def append(self, operations: Sequence[Operation]) -> list[LedgerEntry]:
        """Store all of `operations` or none, durably, and return the new ones.

        An operation whose id is stored already, or whose document was forgotten, is no change and is not returned.
        """

    def together(self) -> AbstractContextManager[Any]:
        """Make one whole of all that this thread writes inside.

        It is stored whole or not at all, and nobody else writes meanwhile. Here each write stands alone, as in memory, where none fails.
        """
        return nullcontext()

    @abstractmethod
    def operations(self, *, after: int = 0, since: datetime | None = None) -> Iterator[LedgerEntry]:
        """Yield entries beyond `after`, where given learnt after `since`."""

    def preceding(self, operation: str) -> list[Operation]:
        """Return an operation, behind what its document said right before it.

        That is, among the `REACH` entries before it; empty where no operation has this id. Here every entry up to it is read; a ledger that
        can find one by its id does better.
        """
        near = deque[Operation](maxlen=REACH + 1)
        for _, each in self.operations():
            near.append(each)
            if each.id == operation:
                return [one for one in near if one.document == each.document]
        return []

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

    erasures = 0
    """Number of times that entries were erased while this ledger was open."""

    def erase(self, erasure: Erasure) -> list[Forget]:
        """Erase entries, their notes, and append the traces, all or nothing.

        `erasing` tells what else has to be cleaned, until `scrub`.
        """
        raise BadInput(f"A {type(self).__name__} cannot forget; keep the facts in SQLite, PostgreSQL or memory.")

    def erasing(self) -> list[int]:
        """List rows of forgotten facts whose vectors may still be kept."""
        return []

    def scrub(self, rows: Sequence[int]) -> None:
        """Wipe what erased entries left on disk.

        Args:
            rows: those of `erasing` that are done with.
        """

    def unwiped(self, index: str) -> int:
        """Return the newest erasure that an index has not followed.

        Args:
            index: its `place`.
        """
        return self.erasures if self._wiped.get(index, 0) < self.erasures else 0

    def note_wiped(self, index: str, erasure: int) -> None:
        """Note up to which erasure an index holds nothing forgotten."""
        self._wiped[index] = erasure

    def forgotten(self) -> list[Forget]:
        """List the traces of what was erased, in order."""
        return [operation for _, operation in self.operations() if isinstance(operation, Forget)]

    @cached_property
    def _wiped(self) -> dict[str, int]:
        return {}

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
        self._places: dict[str, int] = {}
        self._forgotten: dict[str, Forget] = {}
        self._lock = Lock()

    def append(self, operations: Sequence[Operation]) -> list[LedgerEntry]:
        with self._lock:
            return self._store([each for each in operations if not is_barred(each, self._forgotten)])

    def erase(self, erasure: Erasure) -> list[Forget]:
        with self._lock:
            plan = erasure.plan(lambda: self._entries)
            for sequence, remainder in plan.remainders.items():
                self._places.pop(self._entries[sequence - 1].operation.id, None)
                self._entries[sequence - 1] = LedgerEntry(sequence, remainder)
            traces = [
                replace(forget, entries=tuple(ErasedEntry(sequence, "", "") for sequence in sequences))
                for forget, sequences in plan.traces
            ]
            self._store(traces)
            self.notes.erase(plan.mentions)
            self.erasures += 1
            return traces

    def _store(self, operations: Sequence[Operation]) -> list[LedgerEntry]:
        new = {operation.id: operation for operation in operations if operation.id not in self._places}
        entries = [LedgerEntry(sequence, operation) for sequence, operation in enumerate(new.values(), self.last() + 1)]
        self._entries.extend(entries)
        self._places |= {entry.operation.id: entry.sequence for entry in entries}
        self._forgotten |= {each.document: each for each in new.values() if isinstance(each, Forget)}
        return entries

    def operations(self, *, after: int = 0, since: datetime | None = None) -> Iterator[LedgerEntry]:
        return (entry for entry in self._entries[after:] if since is None or since < entry.operation.known_at)

    def preceding(self, operation: str) -> list[Operation]:
        with self._lock:
            last = self._places.get(operation, 0)
            near = [entry.operation for entry in self._entries[max(0, last - 1 - REACH) : last]]
        return [each for each in near if each.document == near[-1].document]

    def last(self) -> int:
        return len(self._entries)
