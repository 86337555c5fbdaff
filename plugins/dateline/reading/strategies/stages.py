"""The three stages of Self-MRAG and their records (MRAG, appendix Q)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from pydantic import Field

from dateline.flow import Flow
from dateline.protocols import ReadResult
from dateline.records import Cost, Evidence, Reading, Record
from dateline.temporal.constraint import Question
from dateline.temporal.interval import Interval


class Relevance(Record):
    """The relevance of one passage, checked alone, for any time.

    Example:
        >>> Relevance(evidence_id="a", relevant=False, reason="It is about a ferry.").relevant
        False
    """

    evidence_id: str
    relevant: bool
    reason: str = Field(default="", description="In a few words.")
    problem: str = Field(default="", description="What went wrong; empty when nothing did.")
    failed: bool = Field(default=False, description="Whether the model itself failed.")
    reading: Reading | None = Field(default=None, description="What a local reader made of the passage, if one did.")
    cost: Cost = Cost()


class PassageClaim(Record):
    """Answer in a passage, with its time.

    Example:
        >>> PassageClaim(answer="Ada Berg", probability=0.8, time=Interval.parse("2021")).time.isoformat()
        '2021'
    """

    answer: str
    probability: float = Field(ge=0.0, le=1.0, description="The reader's own, for this passage alone.")
    time: Interval | None = Field(default=None, description="That fits the question best of those in its sentence.")
    fit: float = Field(default=0.5, ge=0.0, le=1.0, description="Of that time to the question; 0.5 is neutral.")


class Summary(Record):
    """The answer of one passage, read alone.

    Example:
        >>> Summary(evidence_id="a", text="Ada Berg was mayor in 2021.").text
        'Ada Berg was mayor in 2021.'
    """

    evidence_id: str
    text: str = Field(description="A sentence or few with their dates; empty when it says nothing.")
    claims: tuple[PassageClaim, ...] = Field(
        default=(), description="The answers in it, where a local reader found them."
    )
    problem: str = Field(default="", description="What went wrong; empty when nothing did.")
    failed: bool = Field(default=False, description="Whether the model itself failed.")
    cost: Cost = Cost()


@runtime_checkable
class Stages(Protocol):
    """The three stages as flows: check, summarise, combine.

    The first two give one result for each piece, in the order of `evidence`, and never raise for what a model does: a
    problem with one passage stands in its result.
    """

    def check(
        self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()
    ) -> Flow[list[Relevance]]:
        """Check each passage for an answer."""
        ...

    def summarise(
        self,
        question: Question,
        *,
        evidence: Sequence[Evidence],
        relevance: Sequence[Relevance],
        choices: Sequence[str] = (),
    ) -> Flow[list[Summary]]:
        """Summarise each piece alone, given the first stage's verdicts."""
        ...

    def combine(
        self,
        question: Question,
        *,
        evidence: Sequence[Evidence],
        summaries: Sequence[Summary],
        choices: Sequence[str] = (),
    ) -> Flow[ReadResult]:
        """Answer from all summaries with a text.

        `evidence` holds their pieces. Raises `ModelFailed`.
        """
        ...
