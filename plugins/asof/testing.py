"""Instant stand-ins for tests of your own: a search with given evidence, a reader with given answers.

They obey the same protocols as the real ones and keep what they were asked in `history`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from asof.protocols import ReadResult, SearchResult
from asof.records import Certainty, Cost, Evidence, Reading
from asof.temporal.constraint import Question
from asof.temporal.interval import Interval


@dataclass
class FixedSearch:
    """Always finds the same evidence, or raises the same error."""

    evidence: Sequence[Evidence] = ()
    error: Exception | None = None
    history: list[str] = field(default_factory=list)

    def search(self, query: str, *, as_of: datetime, k: int = 10, window: Interval | None = None) -> SearchResult:
        """The first `k` pieces."""
        self.history.append(query)
        if self.error is not None:
            raise self.error
        return SearchResult(evidence=tuple(self.evidence[:k]), cost=Cost(searches=1))

    async def asearch(
        self, query: str, *, as_of: datetime, k: int = 10, window: Interval | None = None
    ) -> SearchResult:
        """The same."""
        return self.search(query, as_of=as_of, k=k, window=window)


@dataclass
class ScriptedReader:
    """Gives its readings in order, then the last one again."""

    readings: Sequence[Reading]
    cost: Cost = field(default_factory=lambda: Cost(model_calls=1))
    history: list[tuple[Question, tuple[Evidence, ...]]] = field(default_factory=list)

    def read(self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()) -> ReadResult:
        """The next reading."""
        reading = self.readings[min(len(self.history), len(self.readings) - 1)]
        self.history.append((question, tuple(evidence)))
        return ReadResult(reading, self.cost)

    async def aread(
        self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()
    ) -> ReadResult:
        """The same."""
        return self.read(question, evidence=evidence, choices=choices)


@dataclass
class ReadingEstimator:
    """Takes a reading at its word: reliable with its probability, uncertain with what is left."""

    def estimate(self, question: Question, *, evidence: Sequence[Evidence], reading: Reading) -> Certainty:
        """From `reading.probability` alone."""
        return Certainty(reliable=reading.probability, misleading=0.0, uncertain=1.0 - reading.probability)

    async def aestimate(self, question: Question, *, evidence: Sequence[Evidence], reading: Reading) -> Certainty:
        """The same."""
        return self.estimate(question, evidence=evidence, reading=reading)
