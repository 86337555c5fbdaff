"""The record of an answer, the same in every framework."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic import Field, ValidationError, computed_field, model_validator

from dateline.certainty.attempt import Attempt, standing
from dateline.certainty.dated_answer import dated_answer
from dateline.certainty.doubt import DOUBT, main_doubt
from dateline.certainty.gate import GateDecision
from dateline.certainty.stated import is_stated
from dateline.evidence.freshness import Freshness, freshness_of
from dateline.reading.difference import UNPLANNED
from dateline.reading.reply import is_unknown
from dateline.records import Announcement, Certainty, CertaintyLabel, Cost, Evidence, Reading, Record, Step
from dateline.temporal.constraint import Constraint, Question

NO_ANSWER = "No answer in these documents"
"""Said first wherever nothing is adopted."""

NONE_CERTAIN = f"{NO_ANSWER} is certain"
"""Said first where there is a guess that is stated in the evidence, or `PLAUSIBLE`."""

PLAUSIBLE = 1 / 3
"""From this p(reliable) on a guess is not denied, wherever it stands: over the questions of benchmarks/notes/seen and fit, where it was chosen, 58 in 100
such guesses were right (n = 200), and below it 28 (n = 371)."""

GUESS, NOT_SURE = "Best guess, not trusted", "Not sure"
"""Mark an answer that is kept and not adopted; the second one below `NONE_CERTAIN`."""

METADATA_KEY = "dateline"
"""The key under which LangChain outputs and LlamaIndex metadata hold an `Answer` as JSON."""


class AskedQuestion(Record):
    """The question as it was understood.

    Example:
        >>> AskedQuestion(question="Who led it?", as_of="2024-06-01", content="Who led it?", constraint=None).as_of
        '2024-06-01'
    """

    question: str
    as_of: str = Field(description="ISO moment as of which it was asked.")
    content: str = Field(description="The question without its temporal constraint.")
    constraint: Constraint | None = Field(description="Relation, interval, ordinal and the words that said so.")
    sub_questions: tuple[str, ...] = ()
    said: str = Field(default="", description="What was said, where a chat came before; question is what it asks.")


class Answer(Record):
    """An answer with its certainty, freshness, trace and cost.

    Example:
        >>> from dateline.certainty import CheckedReader, MarginEstimator
        >>> from dateline.reading import ExtractiveReader
        >>> from dateline.temporal import decompose, now
        >>> question = decompose("Who chairs Borth Council?", as_of=now())
        >>> checked = CheckedReader(ExtractiveReader(), estimator=MarginEstimator())
        >>> answer = checked.check(question, evidence=[Evidence.make("Bo Lind chairs Borth Council.")])
        >>> answer.answer, answer.label, answer.decision.outcome
        ('Bo Lind', 'reliable', 'adopt')
    """

    asked: AskedQuestion
    answer: str = Field(
        description="A guess unless the gate adopts it; empty when there is none, or it abstained. Asked when, the full date stands "
        "behind it where its text does not tell it."
    )
    choice: int | None = Field(default=None, description="Index into the given choices, where some were given.")
    reading: Reading = Field(description="The reading that was chosen, also where its answer is withheld.")
    certainty: Certainty
    label: CertaintyLabel = Field(description="Reliable from p = 0.5 on, else the likelier of the other two.")
    decision: GateDecision = Field(description="The gate's last word.")
    doubt: str = Field(
        default="", description="Main reason not to trust a guess, in plain words; empty: none is known."
    )
    stated: bool = Field(
        default=False, description="Whether a piece that was read and speaks of what is asked holds the guess."
    )
    rounds: int = Field(description="Further retrievals: 0 where evidence was read once.")
    evidence_ids: tuple[str, ...] = Field(description="The evidence that the answer stands on.")
    freshness: Freshness = Field(description="Of the evidence that the answer stands on.")
    cost: Cost
    problems: tuple[str, ...] = Field(default=(), description="What went wrong on the way, one sentence each.")
    steps: tuple[Step, ...] = ()

    @property
    def adopted(self) -> bool:
        """Return whether there is an answer that the gate trusts."""
        return self.decision.outcome == "adopt" and bool(self.answer.strip())

    @computed_field(description="To be said first: the adopted answer, or that there is none.")  # type: ignore[prop-decorator]
    @property
    def headline(self) -> str:
        """Return what is said first: the adopted answer, or none."""
        if self.adopted:
            return self.answer
        return NONE_CERTAIN if self.guess and self._possible else NO_ANSWER

    @property
    def guess(self) -> str:
        """Return an answer that nobody should trust, else nothing."""
        return "" if self.adopted else self.answer.strip()

    @property
    def mark(self) -> str:
        """Return what stands before a guess: how little it is trusted."""
        return NOT_SURE if self._possible else GUESS

    @property
    def _possible(self) -> bool:
        # A yes or no has one and the same certainty everywhere: what its reader doubts is not possible for that alone.
        return self.stated or (self.certainty.reliable >= PLAUSIBLE and self.reading.no_answer <= 0.5)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Return what is to be known beside the headline, in lines.

        A guess with its mark, why it is not trusted, and what is announced for later.
        """
        guess = [f"{self.mark}: {self.guess}"] if self.guess else []
        doubt = [f"{DOUBT}: {self.doubt}."] if self.guess and self.doubt else []
        later = self.reading.announced
        return (*guess, *doubt, *([] if later is None else [f"Announced {later}."]))

    @property
    def worked_out(self) -> str:
        """Return how a given answer was worked out, as its reader told."""
        told = self.reading.reasoning.strip()
        return told if self.answer.strip() and told != UNPLANNED else ""

    @property
    def lines(self) -> tuple[str, ...]:
        """Return what a person is told: the headline and the remarks."""
        return (self.headline, *self.remarks)

    def spoken(self, *, nothing: str = NO_ANSWER) -> str:
        """Return what a chat or an agent is told, in one line.

        Args:
            nothing: said first in the place of the headline, where no answer is adopted.
        """
        first = self.headline if self.adopted or nothing == NO_ANSWER else nothing
        *told, last = (line for line in (first, *self.remarks) if line) if first or self.remarks else [""]
        return " ".join([*(line if line.endswith((".", "!", "?")) else f"{line}." for line in told), last])

    @model_validator(mode="before")
    @classmethod
    def _without_headline(cls, given: Any) -> Any:
        """Leave out what follows from the rest when read back."""
        return (
            {name: value for name, value in given.items() if name != "headline"} if isinstance(given, dict) else given
        )


def answer_of(
    question: Question,
    *,
    attempts: Sequence[Attempt],
    decision: GateDecision,
    evidence: Iterable[Evidence],
    steps: Sequence[Step],
    cost: Cost | None = None,
    problems: Sequence[str] = (),
    said: str = "",
) -> Answer:
    """Return the record of the standing attempt.

    Args:
        evidence: what was read, in any order; more does no harm.
        cost: by default that of the steps.
        said: the user's words, where a chat came before and the question was rewritten.
    """
    best = standing(attempts)
    by_id = {piece.id: piece for piece in evidence}
    read = [by_id[id] for id in best.shown if id in by_id]
    used = [piece for piece in read if piece.id in best.reading.evidence_ids]
    withheld = decision.outcome == "abstain"
    kept = decision.outcome == "keep"
    return Answer(
        asked=AskedQuestion(
            question=question.text,
            as_of=question.as_of.isoformat(),
            content=question.content,
            constraint=question.constraint,
            sub_questions=question.sub_questions,
            said=said,
        ),
        answer="" if withheld else dated_answer(best.reading.answer, question=question, evidence=used),
        choice=None if withheld else best.reading.choice,
        reading=best.reading,
        certainty=best.certainty,
        label=best.certainty.label,
        decision=decision,
        doubt=main_doubt(question, reading=best.reading, used=used, read=read) if kept else "",
        stated=kept and is_stated(best.reading.answer, question=question, evidence=read),
        rounds=len(attempts) - 1,
        evidence_ids=tuple(piece.id for piece in used),
        freshness=freshness_of(used, as_of=question.as_of, question=question.text),
        cost=sum((step.cost for step in steps), Cost()) if cost is None else cost,
        problems=tuple(problems),
        steps=tuple(steps),
    )


def answer_held(value: Any) -> str | None:
    """Return the answer alone, where an output or metadata holds one.

    What such an output says beside it is for people: it may mark a guess.
    """
    held = held_in(value)
    return str(held["answer"]) if "answer" in held else None


def held_in(value: Any) -> Mapping[str, Any]:
    """Return the record that an output or metadata holds, else nothing."""
    held = value.get(METADATA_KEY) if isinstance(value, Mapping) else None
    return held if isinstance(held, Mapping) else {}


def said_nothing(answer: str) -> bool:
    """Return whether an answer's words say that there is none."""
    return not answer.strip() or is_unknown(answer)


def announced_in(value: Any) -> Announcement | None:
    """Return what a reader's output or metadata announce for later."""
    held = value.get("announced") if isinstance(value, Mapping) else None
    try:
        return None if held is None else Announcement.model_validate(held)
    except ValidationError:
        return None
