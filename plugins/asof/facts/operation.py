"""What can be written into the ledger: frozen values, each with its document and both clocks (ERASE, section 3).

An operation's id depends on what it says and in which document, not on when we learnt it, so the same
document ingested again writes nothing.
"""

from __future__ import annotations

import hashlib
from functools import cached_property
from typing import Annotated, Literal, NamedTuple, Self, TypeAlias

from pydantic import AwareDatetime, Field, TypeAdapter

from asof.facts.fact import Fact
from asof.records import Record
from asof.temporal.interval import Interval

OperationKind = Literal["add", "reinforce", "make_false", "rewrite", "undo"]


class Source(NamedTuple):
    """A document, and how often it had been undone when it spoke."""

    document: str
    revision: int = 0


class Said(NamedTuple):
    """One judgement that an operation passes."""

    fact_id: str
    true: bool


class _Operation(Record):
    document: str = Field(min_length=1, description="Id of the document that says so.")
    revision: int = Field(default=0, ge=0, description="How often the document had been undone before.")
    when: Interval | None = Field(default=None, description="Event time; None: the document is undated.")
    known_at: AwareDatetime = Field(description="Knowledge time.")
    rests_on: tuple[Source, ...] = Field(default=(), description="Other documents that it needs; undone with them.")

    reason: str = Field(default="", description="Why, in one sentence.")

    @property
    def source(self) -> Source:
        return Source(self.document, self.revision)

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The facts that it spells out."""
        return ()

    @property
    def said(self) -> tuple[Said, ...]:
        """The judgements that it passes."""
        return ()

    def revised(self, revision: int) -> Self:
        """The same word, said by a document that had been undone `revision` times."""
        fields = {name: getattr(self, name) for name in type(self).model_fields}
        return type(self)(**fields | {"revision": revision})

    @cached_property
    def id(self) -> str:
        """Stable: the same word of the same document gives the same id, whenever it arrives.

        Adding a fact and reinforcing it are the same word: which of the two it is depends on what came before.
        """
        words = (f"{fact_id}:{true}" for fact_id, true in self.said)
        sources = (f"{source.document}@{source.revision}" for source in (self.source, *self.rests_on))
        parts = (*sources, str(self.when), *words)
        return hashlib.blake2b("\n".join(parts).encode(errors="replace"), digest_size=16).hexdigest()


class AddFact(_Operation):
    """A fact that the document states; adding a fact that exists already reinforces it."""

    kind: Literal["add"] = "add"
    fact: Fact

    @property
    def facts(self) -> tuple[Fact, ...]:
        return (self.fact,)

    @property
    def said(self) -> tuple[Said, ...]:
        return (Said(self.fact.id, True),)


class Reinforce(_Operation):
    """The document supports a known fact: (when, true) joins its history."""

    kind: Literal["reinforce"] = "reinforce"
    fact_id: str

    @property
    def said(self) -> tuple[Said, ...]:
        return (Said(self.fact_id, True),)


class MakeFalse(_Operation):
    """The document contradicts a known fact: (when, false) joins its history."""

    kind: Literal["make_false"] = "make_false"
    fact_id: str

    @property
    def said(self) -> tuple[Said, ...]:
        return (Said(self.fact_id, False),)


class Rewrite(_Operation):
    """The document contradicts a known fact and implies another in its place."""

    kind: Literal["rewrite"] = "rewrite"
    fact_id: str
    into: Fact

    @property
    def facts(self) -> tuple[Fact, ...]:
        return (self.into,)

    @property
    def said(self) -> tuple[Said, ...]:
        return (Said(self.fact_id, False), Said(self.into.id, True))


class UndoDocument(_Operation):
    """Withdraw all that a document said, up to and including this revision; what it closed is open again."""

    kind: Literal["undo"] = "undo"


Operation: TypeAlias = AddFact | Reinforce | MakeFalse | Rewrite | UndoDocument

OPERATION: TypeAdapter[Operation] = TypeAdapter(Annotated[Operation, Field(discriminator="kind")])
"""Reads an operation back from its JSON form."""
