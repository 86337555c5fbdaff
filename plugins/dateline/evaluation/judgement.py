"""Cases for a judge, and its judgements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol, get_args, runtime_checkable

from pydantic import Field

from dateline.errors import BadInput
from dateline.records import Cost, Record

JudgeMode = Literal["relaxed", "strict"]
"""`relaxed`: the primary answer must be right; `strict`: everything that is said must be."""


class Judgement(Record):
    """Verdict on an answer: credit or none, and why."""

    correct: bool | None = Field(description="None: undecided; it earns no credit, and is counted.")
    reason: str = Field(default="", description="In words that a person can check.")
    raw: str = Field(default="", description="The model's reply as it came, where a model judged.")
    cost: Cost = Cost()


@dataclass(frozen=True, slots=True)
class AnswerCase:
    """One answer to be judged.

    Attributes:
        golds: answers known to be right; any one of them will do.
        false_premise: whether the question takes something false for granted; None: not known.
        as_of: the day on which the question was asked.
        evidence: texts that the answer could stand on.
    """

    question: str
    answer: str
    golds: tuple[str, ...]
    false_premise: bool | None = None
    as_of: datetime | None = None
    evidence: tuple[str, ...] = ()


@runtime_checkable
class AnswerJudge(Protocol):
    """Judge of free-form answers in one mode."""

    @property
    def mode(self) -> JudgeMode:
        """Relaxed or strict."""
        ...

    def judge(
        self,
        question: str,
        *,
        answer: str,
        golds: Sequence[str],
        false_premise: bool | None = None,
        as_of: datetime | None = None,
        evidence: Sequence[str] = (),
    ) -> Judgement:
        """Judge one answer, described as in `AnswerCase`; never raise for odd text."""
        ...

    async def ajudge(
        self,
        question: str,
        *,
        answer: str,
        golds: Sequence[str],
        false_premise: bool | None = None,
        as_of: datetime | None = None,
        evidence: Sequence[str] = (),
    ) -> Judgement:
        """Judge asynchronously."""
        ...


def checked_mode(mode: JudgeMode) -> JudgeMode:
    """Return the mode; raise `BadInput` for an unknown one."""
    if mode not in get_args(JudgeMode):
        raise BadInput(f"Unknown mode {mode!r}; choose one of {', '.join(get_args(JudgeMode))}.")
    return mode


def checked_golds(golds: Sequence[str]) -> tuple[str, ...]:
    """Return golds that hold text; raise `BadInput` for none or one string."""
    if isinstance(golds, str):
        raise BadInput(
            f"golds must be a list of accepted answers, not the text {golds[:60]!r}; write [{golds[:60]!r}]."
        )
    kept = tuple(gold for gold in golds if gold.strip())
    if not kept:
        raise BadInput("A judge needs at least one accepted answer; give golds=[...].")
    return kept
