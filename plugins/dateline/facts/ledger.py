"""The contract of a ledger: the append-only record from which everything else of a fact store can be rebuilt."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

from dateline.closable import Closable
from dateline.facts.notes import MemoryNotes, Notes
from dateline.facts.operation import Operation


class LedgerEntry(NamedTuple):
    """An operation and its place in the ledger; places count from 1, in the order of arrival, without gaps."""

    sequence: int
    operation: Operation


class Ledger(Closable, ABC):
    """Operations in the order of arrival. Nothing in it is ever changed or removed.

    Implementations are safe to share between threads. Every method raises `StoreFailed`, in one
    sentence, when the storage behind it fails; nothing of the call is then stored.
    """

    @abstractmethod
    def append(self, operations: Sequence[Operation]) -> list[LedgerEntry]:
        """Store all of `operations` or none; returns the new ones, durable on return.

        An operation whose id is stored already is no change and is not returned.
        """

    @abstractmethod
    def operations(
        self, *, after: int = 0, document: str | None = None, since: datetime | None = None
    ) -> Iterator[LedgerEntry]:
        """The entries with a sequence above `after`, in order; of one `document` and learnt after `since`, where given."""

    @abstractmethod
    def last(self) -> int:
        """The sequence of the newest entry, 0 when there is none."""

    @cached_property
    def notes(self) -> Notes:
        """Notes beside the operations; where a ledger has no place for them, they last as long as the process."""
        return MemoryNotes()
