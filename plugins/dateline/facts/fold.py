"""Contract of a fold: which fact was true when, known when.

A fold does not depend on the order of arrival: judgements are kept in event-time order and an undo
withdraws a document's word whether it came before or after. Every question names the few facts it is about,
so that what it costs does not depend on how many others there are.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from dateline.facts.clock import microseconds
from dateline.facts.fact import Fact, FactHistory, Moment, event_order, last_second
from dateline.facts.operation import Operation, alias_of
from dateline.temporal.interval import Interval

NEVER = (1 << 63) - 1
"""The moment at which what stands was undone."""

Word = tuple[int, int, bool]
"""Sorting key of a judgement: beginning and end of its event time, and whether it denies."""


class Judged(NamedTuple):
    """A judgement as a fold keeps it; both moments in microseconds."""

    word: Word
    known_at: int
    undone_at: int


class Clocks(NamedTuple):
    """Seconds of event time, microseconds of knowledge time; `None` is the latest."""

    as_of: int | None = None
    known_at: int | None = None

    @classmethod
    def of(cls, as_of: Moment | None, known_at: datetime | None) -> Clocks:
        return cls(
            None if as_of is None else last_second(as_of),
            None if known_at is None else microseconds(known_at),
        )


LATEST = Clocks()


@dataclass(frozen=True, slots=True, kw_only=True)
class FactFilter:
    """Facts that a read may bring.

    Attributes:
        clocks: the point of both times.
        true_only: leave out those known to be false there.
        sources: where given, only facts on which one of these had spoken there.
        tags: where given, only facts that carry one of these.
        begins: where given, facts count as true that were so at any second from this one to `clocks.as_of`.
    """

    clocks: Clocks
    true_only: bool = True
    sources: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    begins: int | None = None


class Fold(ABC):
    """Fold of a ledger's operations; rows number facts as first spelt out."""

    @property
    @abstractmethod
    def sequence(self) -> int:
        """The last entry of the ledger that was taken in."""

    @property
    @abstractmethod
    def size(self) -> int:
        """Number of facts."""

    @abstractmethod
    def follow(self) -> None:
        """Take in what the ledger has beyond `sequence`, whoever wrote it."""

    @abstractmethod
    def rebuild(self) -> None:
        """Forget everything and take in the whole ledger."""

    def reading(self) -> AbstractContextManager[None]:
        """Hold one state of the fold for all that is asked inside."""
        return nullcontext()

    def let_go(self) -> None:  # noqa: B027 - a fold in memory holds nothing back
        """Hold no state of the ledger until the next `follow`."""

    @abstractmethod
    def rows(self, ids: Collection[str]) -> dict[str, int]:
        """Return the rows of facts by id; unknown ones are missing."""

    @abstractmethod
    def ids(self, beginning: str) -> list[str]:
        """List ids with this beginning, in the order of their rows."""

    @abstractmethod
    def facts(self, ids: Collection[str]) -> dict[str, Fact]:
        """Return facts by id; unknown ones are missing."""

    @abstractmethod
    def spelt(self, start: int, stop: int) -> list[Fact | None]:
        """List the facts of these rows; `None`: it was forgotten."""

    def gone(self, start: int, stop: int) -> list[int]:
        """List rows whose facts are forgotten by now, whatever `reading` holds."""
        return [row for row, fact in enumerate(self.spelt(start, stop), start) if fact is None]

    @abstractmethod
    def last(self, ids: Collection[str], clocks: Clocks) -> dict[str, Word]:
        """Return the last visible word on each fact, where there is one."""

    @abstractmethod
    def passing(self, rows: Collection[int], wanted: FactFilter) -> dict[int, bool]:
        """Return the truth of rows; leave out those not wanted."""

    @abstractmethod
    def few(self, wanted: FactFilter, *, limit: int) -> dict[int, bool] | None:
        """Return the truth of all wanted rows, or `None` for many.

        Args:
            limit: the most rows that are looked at.
        """

    @abstractmethod
    def every(self, wanted: FactFilter) -> list[int]:
        """List all wanted rows, in order."""

    @abstractmethod
    def histories(self, rows: Sequence[int]) -> list[FactHistory]:
        """Return the histories of these rows, in their order."""

    def histories_of(self, ids: Collection[str]) -> list[FactHistory]:
        """Return the histories of facts by id; unknown ones are missing."""
        return self.histories(list(self.rows(ids).values()))

    @abstractmethod
    def judged(self, start: int, stop: int) -> list[list[Judged]]:
        """List the judgements on these rows, each row's in order."""

    @abstractmethod
    def judged_between(self, first: int, last: int) -> list[int]:
        """List rows with a judgement that begins in these seconds."""

    @abstractmethod
    def tagged(self, *tags: str, limit: int | None = None) -> list[int]:
        """Return rows of facts with one of these tags, in order.

        Args:
            limit: the most rows that are returned; `None`: all.
        """

    @abstractmethod
    def beside(self, tag: str, when: Interval, *, later: bool, skip: int, limit: int) -> list[int]:
        """List rows of a tag's facts asserted around a date, nearest first.

        A row stands there once for every assertion; those that begin with the date are left out.
        """

    @abstractmethod
    def revisions(self, document: str) -> tuple[int, int]:
        """Return a document's newest revisions that spoke and were undone; -1: none."""

    @abstractmethod
    def documents(self) -> list[str]:
        """List the documents whose word stands, in the order of arrival."""

    @abstractmethod
    def facts_of(self, document: str) -> list[str]:
        """List ids of facts judged by a document or resting on it."""

    def revision(self, document: str) -> int:
        """Count the times a document was undone."""
        return self._revisions(document)[1] + 1

    def knows(self, document: str) -> bool:
        """Check that a document ever said anything."""
        return max(self._revisions(document)) >= 0

    def stands(self, document: str) -> bool:
        """Check that a document said something since it was last undone."""
        said, undone = self.revisions(document)
        return said > undone

    def forgotten(self, document: str) -> bool:
        """Check that a document was erased and does not stand."""
        return self.revisions(alias_of("document", document))[1] >= 0 and not self.stands(document)

    def erased(self, document: str) -> bool:
        """Check that a document was erased and said nothing since."""
        return self.forgotten(document) and max(self.revisions(document)) < 0

    def _revisions(self, document: str) -> tuple[int, int]:
        """Return a document's newest revisions, those that were erased too."""
        (said, undone), erased = self.revisions(document), self.revisions(alias_of("document", document))
        return max(said, erased[0]), max(undone, erased[1])

    def truth(self, ids: Collection[str], clocks: Clocks = LATEST) -> dict[str, bool | None]:
        """Judge facts at both times; `None`: nothing was known there."""
        last = self.last(ids, clocks)
        return {fact_id: _truth(last.get(fact_id)) for fact_id in ids}

    def truth_after(self, ids: Collection[str], operations: Iterable[Operation]) -> dict[str, bool | None]:
        """Judge facts at the latest time, as if these operations stood."""
        last: Mapping[str, Word] = self.last(ids, LATEST)
        words = {fact_id: [word] for fact_id, word in last.items()}
        for operation in operations:
            for fact_id, true in operation.assertions:
                words.setdefault(fact_id, []).append((*event_order(operation.when), not true))
        return {fact_id: _truth(max(words.get(fact_id, ()), default=None)) for fact_id in ids}


def _truth(last: Word | None) -> bool | None:
    return None if last is None else not last[2]
