"""Operations of the ledger, each with document and clocks (ERASE, section 3).

An operation's id depends on what it says and in which document, not on when we learnt it, so the same
document ingested again writes nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from typing import Annotated, Any, Literal, NamedTuple, Self, TypeAlias

from pydantic import Field, TypeAdapter

from dateline.errors import BadInput
from dateline.facts.fact import Fact
from dateline.records import Evidence
from dateline.temporal.interval import Interval


class FactSource(NamedTuple):
    """A document, and how often it had been undone when it spoke."""

    document: str
    revision: int = 0


class Assertion(NamedTuple):
    """One judgement that an operation passes."""

    fact_id: str
    true: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Operation:
    """Fields of all operations.

    Attributes:
        document: id of the document that says so.
        when: event time; `None`: the document is undated.
        known_at: knowledge time, timezone-aware.
        revision: how often the document had been undone before; the store sets it.
        rests_on: other documents that it needs; it is undone with them.
        origin: the document's own word for where it comes from, as shown to people.
        channel: what it came through, as told by what loaded it; empty in ledgers that knew none.
        reason: why, in one sentence.
        salt: random letters that a ledger stores with it, so that the hash which stays of an erased entry confirms no guess.

    Raises:
        BadInput: for an empty document id, a negative revision or a `known_at` without a time zone.
    """

    document: str
    when: Interval | None = None
    known_at: datetime
    revision: int = 0
    rests_on: tuple[FactSource, ...] = ()
    origin: str = ""
    channel: str = ""
    reason: str = ""
    salt: str = field(default="", compare=False, repr=False)

    def __post_init__(self) -> None:
        if not self.document:
            raise BadInput("An operation needs the id of its document, not an empty one.")
        if self.revision < 0:
            raise BadInput(f"A revision counts undos from 0, it cannot be {self.revision}.")
        if self.known_at.tzinfo is None:
            raise BadInput(
                f"known_at must carry a time zone, but {self.known_at.isoformat()} has none; add tzinfo=UTC."
            )

    @property
    def speaker(self) -> str:
        """Whose word it counts as."""
        return self.channel or self.origin or self.document

    @property
    def source(self) -> FactSource:
        return FactSource(self.document, self.revision)

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The facts that it spells out."""
        return ()

    @property
    def assertions(self) -> tuple[Assertion, ...]:
        """The judgements that it passes."""
        return ()

    @property
    def shared(self) -> dict[str, Any]:
        """The fields that all operations have, for another one of its document."""
        return {each.name: getattr(self, each.name) for each in fields(_Operation) if each.name != "salt"}

    def revised(self, revision: int) -> Self:
        """Return a copy, said by a document that was undone `revision` times."""
        return self if revision == self.revision else replace(self, revision=revision)

    def resting_on(self, sources: Collection[FactSource]) -> Self:
        """Return a copy that needs these sources beside its own."""
        more = sorted(source for source in sources if source.document != self.document)
        return replace(self, rests_on=(*self.rests_on, *more))

    @property
    def id(self) -> str:
        """Id of this word of this document, whenever it arrives.

        Adding a fact and reinforcing it are the same word: which of the two it is depends on what came before.
        """
        words = (f"{fact_id}:{true}" for fact_id, true in self.assertions)
        sources = (f"{source.document}@{source.revision}" for source in (self.source, *self.rests_on))
        parts = (*sources, str(self.when), *words)
        return hashlib.blake2b("\n".join(parts).encode(errors="replace"), digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class AddFact(_Operation):
    """Fact that a document states; adding an existing one reinforces it."""

    kind: Literal["add"] = "add"
    fact: Fact

    @property
    def facts(self) -> tuple[Fact, ...]:
        return (self.fact,)

    @property
    def assertions(self) -> tuple[Assertion, ...]:
        return (Assertion(self.fact.id, True),)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reinforce(_Operation):
    """Support of a known fact: (when, true) joins its history."""

    kind: Literal["reinforce"] = "reinforce"
    fact_id: str

    @property
    def assertions(self) -> tuple[Assertion, ...]:
        return (Assertion(self.fact_id, True),)


@dataclass(frozen=True, slots=True, kw_only=True)
class MakeFalse(_Operation):
    """Contradiction of a known fact: (when, false) joins its history."""

    kind: Literal["make_false"] = "make_false"
    fact_id: str

    @property
    def assertions(self) -> tuple[Assertion, ...]:
        return (Assertion(self.fact_id, False),)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewrite(_Operation):
    """Contradiction of a known fact that puts another in its place."""

    kind: Literal["rewrite"] = "rewrite"
    fact_id: str
    into: Fact

    @property
    def facts(self) -> tuple[Fact, ...]:
        return (self.into,)

    @property
    def assertions(self) -> tuple[Assertion, ...]:
        return (Assertion(self.fact_id, False), Assertion(self.into.id, True))


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoDocument(_Operation):
    """Withdrawal of a document up to this revision; what it closed reopens."""

    kind: Literal["undo"] = "undo"


@dataclass(frozen=True, slots=True, kw_only=True)
class Erased(_Operation):
    """Remainder of an operation that was forgotten, in its place.

    Attributes:
        token: its id; the old one would tell what it said.
        fact: the fact it spells out, where others state it too.
        says: judgements on facts that were not forgotten.
        numbered: it was the first to spell out a fact that is gone, which keeps its number.
    """

    kind: Literal["erased"] = "erased"
    token: str
    fact: Fact | None = None
    says: tuple[Assertion, ...] = ()
    numbered: bool = False

    @property
    def facts(self) -> tuple[Fact, ...]:
        return () if self.fact is None else (self.fact,)

    @property
    def assertions(self) -> tuple[Assertion, ...]:
        return self.says

    @property
    def id(self) -> str:
        return self.token


class ErasedEntry(NamedTuple):
    """Place of an erased entry, its hash and its remainder's."""

    sequence: int
    hash: str
    remainder: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Forget(_Operation):
    """Trace of a document or fact that was erased.

    Attributes:
        document: the alias of what was erased.
        by: who had it erased.
        facts_erased: number of facts of which nothing is left.
        entries: the ledger's entries that were erased.
    """

    kind: Literal["forget"] = "forget"
    by: str
    facts_erased: int = 0
    entries: tuple[ErasedEntry, ...] = ()


Operation: TypeAlias = AddFact | Reinforce | MakeFalse | Rewrite | UndoDocument | Erased | Forget


def alias_of(kind: Literal["document", "fact"], id: str) -> str:
    """Return the name by which a forgotten document or fact is known."""
    return f"{kind}:{hashlib.blake2b(f'{kind} {id}'.encode(errors='replace'), digest_size=16).hexdigest()}"


OPERATION: TypeAdapter[Operation] = TypeAdapter(Annotated[Operation, Field(discriminator="kind")])
"""Writes an operation as JSON and reads it back."""


def shared_fields(document: Evidence, *, known_at: datetime) -> dict[str, Any]:
    """Return the fields that every operation of a document has."""
    return {
        "document": document.id,
        "when": document.published,
        "known_at": known_at,
        "origin": document.origin,
        "channel": document.channel,
    }
