"""Instances of a growing benchmark, with evidence (GrowOVER, section 3)."""

from __future__ import annotations

import hashlib
from typing import Literal

from pydantic import Field

from dateline.records import Cost, Record

InstanceType = Literal["New", "Changed", "Unchanged", "Undecided", "Deleted"]
"""What became of the evidence in the last month; Undecided (ours) where its sentence has no label, Deleted in dialogues only."""

MadeBy = Literal["model", "template"]

COUNTED: tuple[InstanceType, ...] = ("Unchanged", "New", "Changed")
"""The types that a month is evaluated on."""


class GrownQuestion(Record):
    """A question whose answer stands in an article."""

    id: str
    article: str = Field(description="The article's id.")
    title: str
    type: InstanceType
    born: str = Field(description="The month it was made in.")
    question: str
    answer: str
    previous_answer: str = Field(default="", description="For a Changed question: the answer by the old sentence.")
    evidence: tuple[str, ...] = Field(description="The sentences that the answer stands in, as of the month.")
    indices: tuple[int, ...] = Field(description="Their places in the article.")
    made_by: MadeBy
    replaces: tuple[str, ...] = Field(default=(), description="Ids of the dropped questions that it renews.")


class GrownTurn(Record):
    """Turn of a dialogue: user's words, expert's answer from evidence."""

    type: InstanceType
    user: str
    expert: str
    evidence: tuple[str, ...]
    indices: tuple[int, ...]


class GrownDialogue(Record):
    """A conversation about one paragraph."""

    id: str
    article: str
    title: str
    type: InstanceType = Field(description="Unchanged after its first month while a turn of it is.")
    born: str
    modified: str = Field(description="The last month in which it, or a type of its turns, changed.")
    turns: tuple[GrownTurn, ...]
    made_by: MadeBy


class Grown(Record):
    """One article's instances of a month."""

    article: str
    questions: tuple[GrownQuestion, ...] = ()
    dialogues: tuple[GrownDialogue, ...] = ()
    dropped: tuple[str, ...] = Field(default=(), description="Ids of the questions and dialogues that went.")
    deleted_turns: int = Field(default=0, description="Turns whose evidence went this month.")
    notes: tuple[str, ...] = Field(default=(), description="What could not be made, and why, a sentence each.")
    cost: Cost = Cost()


def stable_id(*parts: str) -> str:
    """Return an id that depends on the parts alone."""
    return hashlib.blake2b("\n".join(parts).encode(errors="replace"), digest_size=8).hexdigest()
