"""One round of reading: the evidence, the answer and its certainty."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import Field

from dateline.certainty.gate import NOTHING
from dateline.certainty.rerank import most_reliable
from dateline.certainty.stated import standing_on
from dateline.evidence.freshness import freshness_of
from dateline.records import Certainty, Cost, Evidence, Reading, Record
from dateline.temporal.constraint import Question


@dataclass(frozen=True, slots=True)
class ReadRun:
    """One run of a reader, chain or synthesizer over evidence.

    Attributes:
        output: what a chain or synthesizer gave, whole; `None` for a reader.
    """

    evidence: tuple[Evidence, ...]
    reading: Reading
    cost: Cost = field(default_factory=Cost)
    output: Any = None

    def placed(self, question: Question) -> ReadRun:
        """Find what a chain's or synthesizer's answer stands on.

        A reader says it itself.
        """
        if self.output is None:
            return self
        return replace(self, reading=standing_on(self.reading, question=question, evidence=self.evidence))


class Attempt(Record):
    """One round of reading and the answer it came to.

    Example:
        >>> Attempt(reading=Reading(answer="Bo"), certainty=NOTHING, shown=("a",)).certainty.label
        'uncertain'
    """

    reading: Reading
    certainty: Certainty
    shown: tuple[str, ...] = Field(description="Ids of the evidence the reader saw, best first.")
    readings: tuple[Reading, ...] = Field(
        default=(), description="The reading of each document in the order of `shown`, where each was read alone."
    )
    outdated: float = Field(default=0.0, description="Chance that the answer has changed since its newest evidence.")
    cost: Cost = Cost()


@dataclass(frozen=True, slots=True)
class Round:
    """The runs of one round beside their certainties."""

    question: Question
    runs: tuple[ReadRun, ...]
    certainties: tuple[Certainty, ...]
    per_document: bool

    @property
    def best(self) -> ReadRun:
        """Return the most reliable run; without any, an empty reading."""
        if not self.runs:
            return ReadRun((), Reading(answer="", no_answer=1.0))
        return self.runs[most_reliable(self.certainties)]

    @property
    def attempt(self) -> Attempt:
        """Return the round as a record."""
        return Attempt(
            reading=self.best.reading,
            certainty=self.certainties[most_reliable(self.certainties)] if self.runs else NOTHING,
            shown=tuple(dict.fromkeys(piece.id for run in self.runs for piece in run.evidence)),
            readings=tuple(run.reading for run in self.runs) if self.per_document else (),
            outdated=self._outdated,
            cost=sum((run.cost for run in self.runs), Cost()),
        )

    @property
    def _outdated(self) -> float:
        best = self.best
        used = [piece for piece in best.evidence if piece.id in best.reading.evidence_ids]
        return freshness_of(used, as_of=self.question.as_of, question=self.question.text).outdated or 0.0


def standing(attempts: Sequence[Attempt]) -> Attempt:
    """Return the attempt whose answer counts.

    The last one where it read at once all that the others read, and found an answer: it knows more than they. Else the most
    reliable, the earlier one at a tie.
    """
    last = attempts[-1]
    every = {id for attempt in attempts for id in attempt.shown}
    if not last.readings and last.reading.answer and every <= set(last.shown):
        return last
    return attempts[most_reliable([attempt.certainty for attempt in attempts])]


def all_readings(attempts: Sequence[Attempt]) -> list[Reading]:
    """Return every reading of all attempts, in order."""
    return [reading for attempt in attempts for reading in (attempt.readings or (attempt.reading,))]


def earlier_runs(attempts: Sequence[Attempt], *, evidence: Mapping[str, Evidence]) -> list[ReadRun]:
    """Return the runs of attempts, one for each document read alone."""
    runs = []
    for attempt in attempts:
        pieces = [evidence[id] for id in attempt.shown]
        if attempt.readings:
            runs += [ReadRun((piece,), reading) for piece, reading in zip(pieces, attempt.readings, strict=False)]
        else:
            runs.append(ReadRun(tuple(pieces), attempt.reading))
    return runs
