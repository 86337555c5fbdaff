"""The `InstanceMaker` protocol, its results, and their checks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from dateline.records import Cost
from dateline.text.words import content_words, stems, words
from dateline_bench.growing.grown import GrownDialogue, GrownQuestion, GrownTurn, MadeBy, stable_id
from dateline_bench.growing.tasks import GrowTask

LONGEST_QUESTION, LONGEST_ANSWER, LONGEST_TURN = 300, 100, 600
"""Characters."""

HALF, ALL = 0.5, 1.0
"""Shares of the words of an answer that stand in its evidence; half leave room for other words of the same sense."""

FEWEST_TURNS, MOST_TURNS = 2, 5
"""Turns of a dialogue; the paper asks for three to four, and shows five. Two where a paragraph holds no more."""

_POINTS_AT_THE_TEXT = re.compile(
    r"\b(?:according to|mentioned|described|stated|given) (?:in )?(?:the|this|that) (?:text|paragraph|passage|sentences?|context|article)\b"
    r"|\b(?:the|this) (?:text|paragraph|passage|sentence) (?:says|states|mentions)\b",
    re.I,
)


class MadeQuestion(NamedTuple):
    """Question with its first and last sentence, both included."""

    question: str
    answer: str
    first: int
    last: int
    previous: str = ""


class MadeTurn(NamedTuple):
    """A turn; `place` is that of its evidence among the task's sentences."""

    place: int
    user: str
    expert: str


class MadeInstance(NamedTuple):
    """Result of a task: a question, turns, or a reason."""

    question: MadeQuestion | None = None
    turns: tuple[MadeTurn, ...] = ()
    reason: str = ""
    cost: Cost = Cost()


@runtime_checkable
class InstanceMaker(Protocol):
    """Makes a question or a dialogue of a task's sentences."""

    @property
    def made_by(self) -> MadeBy:
        """Name that marks its instances."""
        ...

    def make(self, task: GrowTask) -> MadeInstance:
        """Make a task's instance, or return a reason; never raises."""
        ...

    async def amake(self, task: GrowTask) -> MadeInstance:
        """Make asynchronously."""
        ...


def fault_of_question(made: MadeQuestion, *, task: GrowTask) -> str:
    """Return a question's fault in one sentence, or ""."""
    if not any(map(str.isalnum, made.question)) or len(made.question) > LONGEST_QUESTION:
        return f"the question must have 1 to {LONGEST_QUESTION} characters."
    if _POINTS_AT_THE_TEXT.search(made.question):
        return "the question must be understandable without the text, so it may not point at it."
    if not any(map(str.isalnum, made.answer)) or len(made.answer) > LONGEST_ANSWER:
        return f"the answer must be a short one of 1 to {LONGEST_ANSWER} characters."
    if not 0 <= made.first <= made.last < len(task.sentences):
        return f"first and last must be sentences S1 to S{len(task.sentences)}."
    if not _stands_in(made.answer, task.sentences[made.first : made.last + 1]):
        return "the answer must stand in the sentences that first and last name."
    if task.kind != "changed":
        return ""
    if not any(map(str.isalnum, made.previous)) or len(made.previous) > LONGEST_ANSWER:
        return f"the old answer must be a short one of 1 to {LONGEST_ANSWER} characters."
    if folded(made.previous) == folded(made.answer):
        return "the old and the new answer must differ."
    return "" if _stands_in(made.previous, task.old) else "the old answer must stand in the old sentences."


def fault_of_turns(turns: Sequence[MadeTurn], *, task: GrowTask) -> str:
    """Return a dialogue's fault in one sentence, or ""."""
    if not FEWEST_TURNS <= len(turns) <= MOST_TURNS:
        return f"there must be {FEWEST_TURNS} to {MOST_TURNS} turns."
    for turn in turns:
        if not 0 <= turn.place < len(task.sentences):
            return f"each turn must name one of the sentences S1 to S{len(task.sentences)}."
        for said in (turn.user, turn.expert):
            if not any(map(str.isalnum, said)) or len(said) > LONGEST_TURN:
                return f"user and expert must each say 1 to {LONGEST_TURN} characters."
            if _POINTS_AT_THE_TEXT.search(said):
                return "nobody in the dialogue may point at the text."
    return ""


def instance_of(
    task: GrowTask, made: MadeInstance, *, month: str, made_by: MadeBy
) -> GrownQuestion | GrownDialogue | None:
    """Turn a result into an instance with evidence, or `None`."""
    if task.kind == "dialogue":
        return _dialogue(task, made.turns, month=month, made_by=made_by) if made.turns else None
    question = made.question
    if question is None:
        return None
    places = range(question.first, question.last + 1)
    return GrownQuestion(
        id=stable_id("question", task.article, month, question.question),
        article=task.article,
        title=task.title,
        type="Changed" if task.kind == "changed" else "New",
        born=month,
        question=question.question,
        answer=question.answer,
        previous_answer=question.previous,
        evidence=tuple(task.sentences[place] for place in places),
        indices=tuple(task.indices[place] for place in places),
        made_by=made_by,
        replaces=task.replaces,
    )


def folded(text: str) -> str:
    """Words alone, without articles, to compare answers by."""
    return " ".join(word for word in words(text) if word not in ("the", "a", "an"))


def _dialogue(task: GrowTask, turns: Sequence[MadeTurn], *, month: str, made_by: MadeBy) -> GrownDialogue:
    made = tuple(
        GrownTurn(
            type=task.types[turn.place],
            user=turn.user,
            expert=turn.expert,
            evidence=(task.sentences[turn.place],),
            indices=(task.indices[turn.place],),
        )
        for turn in turns
    )
    types = {turn.type for turn in made}
    return GrownDialogue(
        id=stable_id("dialogue", task.article, month, *(turn.user for turn in made), made[0].expert),
        article=task.article,
        title=task.title,
        type="Changed" if "Changed" in types else "New",
        born=month,
        modified=month,
        turns=made,
        made_by=made_by,
    )


def still_stands(said: str, *, before: Sequence[str], now: Sequence[str], share: float = HALF) -> bool:
    """Check that what stood in the sentences before does so now."""
    return _stands_in(said, now, share=share) or not _stands_in(said, before, share=share)


def _stands_in(answer: str, sentences: Sequence[str], *, share: float = HALF) -> bool:
    """Check an answer's words, at least a share, and all its numbers."""
    there = set(stems(" ".join(sentences)))
    asked = content_words(answer) or stems(answer)
    if any(one.isdigit() and one not in there for one in asked):
        return False
    return sum(one in there for one in asked) >= share * len(asked)
