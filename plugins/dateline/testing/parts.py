"""Stand-ins for tests: a fixed search, a scripted reader and judge.

They follow the same protocols as the real ones and keep what they were asked in `history`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np

from dateline.protocols import EFFECTS, ONSETS, Effects, Onset, PlacedStatement, ReadResult, SearchResult
from dateline.records import Certainty, Cost, Evidence, Reading
from dateline.temporal.constraint import Question
from dateline.temporal.interval import Interval


@dataclass
class FixedSearch:
    """A search that always returns the same evidence or raises an error.

    Example:
        >>> from datetime import UTC, datetime
        >>> from dateline import Evidence
        >>> search = FixedSearch([Evidence.make("The observatory opened in 1927.")])
        >>> len(search.search("When did it open?", as_of=datetime(2024, 1, 1, tzinfo=UTC)).evidence)
        1
        >>> search.history
        ['When did it open?']
    """

    evidence: Sequence[Evidence] = ()
    error: Exception | None = None
    history: list[str] = field(default_factory=list)

    def search(self, query: str, *, as_of: datetime, k: int = 10, window: Interval | None = None) -> SearchResult:
        """Return the first `k` pieces of evidence."""
        self.history.append(query)
        if self.error is not None:
            raise self.error
        return SearchResult(evidence=tuple(self.evidence[:k]), cost=Cost(searches=1))

    async def asearch(
        self, query: str, *, as_of: datetime, k: int = 10, window: Interval | None = None
    ) -> SearchResult:
        """Search asynchronously."""
        return self.search(query, as_of=as_of, k=k, window=window)


@dataclass
class ScriptedEffectJudge:
    """A judge that is told which statements end which.

    Attributes:
        ends: (later, earlier) texts, and when the later one does so.

    Example:
        >>> judge = ScriptedEffectJudge({("The bridge is shut.", "The bridge is open."): "then"})
        >>> later, earlier = (PlacedStatement(f"The bridge is {how}.") for how in ("shut", "open"))
        >>> judge.effects([(later, earlier)]).chances.tolist()
        [[1.0, 0.0, 0.0]]
    """

    ends: Mapping[tuple[str, str], Onset] = field(default_factory=dict)
    history: list[tuple[PlacedStatement, PlacedStatement]] = field(default_factory=list)

    def effects(self, pairs: Sequence[tuple[PlacedStatement, PlacedStatement]]) -> Effects:
        """Judge each pair (later, earlier)."""
        self.history += pairs
        asked = [(later.text, earlier.text) for later, earlier in pairs]
        chances = np.zeros((len(asked), len(EFFECTS)), dtype=np.float32)
        onsets = np.zeros((len(asked), len(ONSETS)), dtype=np.float32)
        for row, pair in enumerate(asked):
            chances[row, 0 if pair in self.ends else 2] = 1.0
            onsets[row, ONSETS.index(self.ends.get(pair, "then"))] = 1.0
        return Effects(chances, onsets)


@dataclass
class ScriptedReader:
    """A reader that returns given readings in order, repeating the last."""

    readings: Sequence[Reading]
    cost: Cost = field(default_factory=lambda: Cost(model_calls=1))
    history: list[tuple[Question, tuple[Evidence, ...]]] = field(default_factory=list)

    def read(self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()) -> ReadResult:
        """Return the next reading."""
        reading = self.readings[min(len(self.history), len(self.readings) - 1)]
        self.history.append((question, tuple(evidence)))
        return ReadResult(reading, self.cost)

    async def aread(
        self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()
    ) -> ReadResult:
        """Read asynchronously."""
        return self.read(question, evidence=evidence, choices=choices)


@dataclass
class ReadingEstimator:
    """An estimator that trusts the reader's probability; the rest is uncertain."""

    def estimate(self, question: Question, *, evidence: Sequence[Evidence], reading: Reading) -> Certainty:
        """Estimate from `reading.probability` alone."""
        return Certainty(reliable=reading.probability, misleading=0.0, uncertain=1.0 - reading.probability)

    async def aestimate(self, question: Question, *, evidence: Sequence[Evidence], reading: Reading) -> Certainty:
        """Estimate asynchronously."""
        return self.estimate(question, evidence=evidence, reading=reading)
