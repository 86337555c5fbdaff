"""Protocols of the injected parts; anything with these methods will do."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, get_args, runtime_checkable

from dateline.records import Certainty, Cost, Evidence, Labelling, RankedEvidence, Reading, Record
from dateline.stopping import in_thread
from dateline.temporal.constraint import Question
from dateline.temporal.interval import Interval

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Verdict = Literal["supports", "contradicts", "neither"]
"""What a premise says of a hypothesis."""

Effect = Literal["ends", "restates", "leaves"]
"""What a later statement does to an earlier one."""
EFFECTS: tuple[Effect, ...] = get_args(Effect)

Onset = Literal["then", "later", "earlier", "day_after"]
"""When it does so: on its own day, on a later day that it tells, on one before, or on the day after a later one."""
ONSETS: tuple[Onset, ...] = get_args(Onset)
AHEAD: tuple[Onset, ...] = ("later", "day_after")
"""What holds from a day to come."""


class SearchResult(Record):
    """Result of one search: evidence in order, skipped parts, cost."""

    evidence: tuple[Evidence, ...] = ()
    skipped: tuple[str, ...] = ()
    cost: Cost = Cost()

    @classmethod
    def ranked(
        cls, evidence: Iterable[Evidence], *, started: float, skipped: Iterable[str] = (), searches: int = 1
    ) -> SearchResult:
        """Number the evidence of one search and time it since `started`.

        `started` is a value of `time.perf_counter`; `searches` is how often an engine was asked.
        """
        return cls(
            evidence=tuple(each.model_copy(update={"position": rank}) for rank, each in enumerate(evidence)),
            skipped=tuple(skipped),
            cost=Cost(searches=searches, seconds=time.perf_counter() - started),
        )


@runtime_checkable
class Search(Protocol):
    """A source of evidence: a search engine, a folder, a fact store.

    A class that derives from it needs `search` alone; `asearch` then runs that in a worker thread.
    """

    def search(self, query: str, *, as_of: datetime, k: int = 10, window: Interval | None = None) -> SearchResult:
        """Return the `k` best pieces of evidence known at `as_of`.

        `window` is the stretch of event time asked about; an engine may use it to look twice, never to leave undated
        evidence out.

        Raises:
            SearchFailed: when there is no usable answer.
        """
        ...

    async def asearch(
        self, query: str, *, as_of: datetime, k: int = 10, window: Interval | None = None
    ) -> SearchResult:
        """Search asynchronously."""
        return await in_thread(self.search, query, as_of=as_of, k=k, window=window)


class ReadResult(NamedTuple):
    """A reading and what it cost."""

    reading: Reading
    cost: Cost


@runtime_checkable
class Reader(Protocol):
    """Reader: finds an answer in evidence."""

    def read(self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()) -> ReadResult:
        """Read `evidence`, best first; never raise for odd text."""
        ...

    async def aread(
        self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()
    ) -> ReadResult:
        """Read asynchronously."""
        ...


@runtime_checkable
class ReadsBeside(Protocol):
    """Reader that answers from each piece by one look at all."""

    def read_beside(
        self, question: Question, *, pieces: Sequence[Evidence], evidence: Sequence[Evidence]
    ) -> list[ReadResult]:
        """Read pieces each for itself, marked beside all `evidence`."""
        ...


@runtime_checkable
class Ranker(Protocol):
    """Puts evidence in the order of its fit to a question."""

    def rank(self, question: Question, *, evidence: Sequence[Evidence], k: int) -> list[RankedEvidence]:
        """The `k` best, best first; copies with scores, the inputs untouched."""
        ...


@runtime_checkable
class Judge(Protocol):
    """Decides whether one dated sentence supports or contradicts another."""

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Verdict]:
        """Return a verdict for each (premise, hypothesis)."""
        ...


class PlacedStatement(NamedTuple):
    """A statement, and where it stands.

    Attributes:
        day: when it was said; None where unknown.
        title: of its document.
        before: what stands before it there.
    """

    text: str
    day: date | None = None
    title: str = ""
    before: str = ""


class Effects(NamedTuple):
    """Probabilities of what later statements do to earlier ones.

    Attributes:
        chances: probabilities in the order of `EFFECTS`; shape (pairs, 3).
        onsets: where it ends, probabilities in the order of `ONSETS`; shape (pairs, 4).
    """

    chances: NDArray[np.float32]
    onsets: NDArray[np.float32]


@runtime_checkable
class EffectJudge(Protocol):
    """Decides what later statements do to earlier ones."""

    def effects(self, pairs: Sequence[tuple[PlacedStatement, PlacedStatement]]) -> Effects:
        """Judge each pair (later, earlier).

        Args:
            pairs: an earlier one without text: of the later one by itself only the onset is told.
        """
        ...


@runtime_checkable
class Labeller(Protocol):
    """Labeller of a new version's sentences (GrowOVER, section 3)."""

    def label(self, old: Sequence[str], *, new: Sequence[str]) -> Labelling:
        """Label each new sentence and list the old ones gone."""
        ...


@runtime_checkable
class Estimator(Protocol):
    """Says how far an answer can be trusted (GrowOVER, section 4.1)."""

    def estimate(self, question: Question, *, evidence: Sequence[Evidence], reading: Reading) -> Certainty:
        """Probabilities of reliable, misleading, uncertain."""
        ...

    async def aestimate(self, question: Question, *, evidence: Sequence[Evidence], reading: Reading) -> Certainty:
        """Estimate asynchronously."""
        ...


class Decomposed(NamedTuple):
    """A question taken apart, and how."""

    question: Question
    by: Literal["rules", "model"]
    reason: str
    """Why the rules, or the model, decided; a sentence for the trace."""
    cost: Cost


class Decomposer(Protocol):
    """Decomposer: finds a question's constraint and its parts."""

    def decompose(self, text: str, *, as_of: datetime) -> Decomposed:
        """Decompose `text` as of a moment."""
        ...

    async def adecompose(self, text: str, *, as_of: datetime) -> Decomposed:
        """Decompose asynchronously."""
        ...
