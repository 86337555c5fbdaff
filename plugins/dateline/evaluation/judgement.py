"""Cases for a judge, and its judgements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from datetime import datetime
from typing import Literal, Protocol, get_args, runtime_checkable

from pydantic import Field

from dateline.errors import BadInput, check_choice
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
        golds: answers known to be right; any one of them will do. Blank ones are left out.
        false_premise: whether the question takes something false for granted; None: not known.
        as_of: the day on which the question was asked.
        evidence: texts that the answer could stand on.

    Raises:
        BadInput: for `golds` that are one string or hold no text.

    Example:
        >>> AnswerCase("Who is mayor?", answer="It is Jon Holm.", golds=["Jon Holm", ""]).golds
        ('Jon Holm',)
    """

    question: str
    _: KW_ONLY
    answer: str
    golds: Sequence[str]
    false_premise: bool | None = None
    as_of: datetime | None = None
    evidence: Sequence[str] = ()

    def __post_init__(self) -> None:
        if isinstance(self.golds, str):
            shown = self.golds[:60]
            raise BadInput(f"golds must be a list of accepted answers, not the text {shown!r}; write [{shown!r}].")
        object.__setattr__(self, "golds", tuple(gold for gold in self.golds if gold.strip()))
        if not self.golds:
            raise BadInput("A judge needs at least one accepted answer; give golds=[...].")


@runtime_checkable
class AnswerJudge(Protocol):
    """Judge of free-form answers in one mode."""

    @property
    def mode(self) -> JudgeMode:
        """Relaxed or strict."""
        ...

    def judge(self, case: AnswerCase) -> Judgement:
        """Judge one answer; never raise for odd text."""
        ...

    async def ajudge(self, case: AnswerCase) -> Judgement:
        """Judge asynchronously."""
        ...


def checked_mode(mode: JudgeMode) -> JudgeMode:
    """Return the mode; raise `BadInput` for an unknown one."""
    check_choice(mode, name="mode", choices=get_args(JudgeMode))
    return mode
