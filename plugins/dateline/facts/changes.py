"""Changes that an update made or would make, in readable words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Literal

from pydantic import AwareDatetime, Field

from dateline.facts.fact import Fact, FactHistory, FactJudgement
from dateline.facts.fold import Fold
from dateline.facts.operation import FactSource, Operation, Rewrite, UndoDocument
from dateline.facts.proposal import Proposal
from dateline.records import Cost, Record, Step
from dateline.temporal.interval import Interval

ChangeKind = Literal["added", "reinforced", "made_false", "rewritten", "reopened", "withdrawn"]
"""`reopened` and `withdrawn`: an undo made a fact true again, or took away all that spoke for it."""


class Change(Record):
    """One fact, before and after."""

    kind: ChangeKind
    fact: Fact
    before: bool | None = Field(description="Its truth before, at the latest event time; None: not known.")
    after: bool | None = Field(description="Its truth after.")
    when: Interval | None = Field(default=None, description="Event time of the word that changed it.")
    document: str
    known_at: AwareDatetime
    into: Fact | None = Field(default=None, description="What a rewrite put in its place.")
    reason: str = Field(default="", description="Why, in one sentence.")


class Changes(Record):
    """Changes that one document made."""

    document: str
    changes: tuple[Change, ...] = ()
    cost: Cost = Cost()
    dry_run: bool = Field(default=False, description="True: nothing was written.")
    skipped: tuple[str, ...] = Field(default=(), description="What was left out, and why.")
    notes: tuple[str, ...] = Field(default=(), description="What else is worth knowing, one sentence each.")
    pending: tuple[Proposal, ...] = Field(default=(), description="Edits that the policy holds back.")

    @property
    def added(self) -> tuple[Change, ...]:
        return self._of("added")

    @property
    def reinforced(self) -> tuple[Change, ...]:
        return self._of("reinforced")

    @property
    def made_false(self) -> tuple[Change, ...]:
        return (*self._of("made_false"), *self._of("rewritten"))

    def summary(self) -> str:
        """Summarise in one sentence."""
        if not self.changes and not self.pending:
            return f"No change by {self.document}."
        kinds = [change.kind for change in self.changes]
        counts = [f"{kinds.count(kind)} {kind.replace('_', ' ')}" for kind in dict.fromkeys(kinds)]
        parts = ", ".join([*counts, *([f"{len(self.pending)} pending"] if self.pending else [])])
        return f"{'Would change' if self.dry_run else 'Changed'} by {self.document}: {parts}."

    def step(self) -> Step:
        """Return a line of the trace."""
        return Step(name="facts", summary=self.summary(), details=self.model_dump(mode="json"), cost=self.cost)

    def _of(self, kind: ChangeKind) -> tuple[Change, ...]:
        return tuple(change for change in self.changes if change.kind == kind)


class KnownSoFar:
    """Knowledge of a moment, as its words arrive in turn."""

    def __init__(self, known_at: datetime) -> None:
        self._known_at = known_at
        self._said: dict[str, tuple[FactSource, ...]] = {}
        self._undone: set[FactSource] = set()

    def take(self, operation: Operation) -> None:
        """Take in the next of the moment's words."""
        self._said[operation.id] = operation.rests_on
        if isinstance(operation, UndoDocument):
            self._undone.add(operation.source)

    def truth(self, history: FactHistory) -> bool | None:
        """Judge a fact at the latest event time; `None`: nothing was known."""
        return next((entry.true for entry in reversed(history.entries) if self._counts(entry)), None)

    def _counts(self, entry: FactJudgement) -> bool:
        said = entry.known_at < self._known_at or entry.operation in self._said
        if entry.undone_at is None or entry.undone_at > self._known_at:
            return said
        return said and entry.undone_at == self._known_at and not self._withdrew(entry)

    def _withdrew(self, entry: FactJudgement) -> bool:
        """Check that an undo of this moment took a word away."""
        own = FactSource(entry.document, entry.revision)
        if entry.operation in self._said:
            return not self._undone.isdisjoint((own, *self._said[entry.operation]))
        # What was said earlier rests on what stood then, which the first undo withdraws.
        return own in self._undone or any(undone.document in entry.rests_on for undone in self._undone)


def touched_facts(operations: Iterable[Operation], *, fold: Fold) -> list[str]:
    """Return ids of the facts whose truth these operations may change."""
    touched: dict[str, None] = {}
    for operation in operations:
        if isinstance(operation, UndoDocument):
            touched.update(dict.fromkeys(fold.facts_of(operation.document)))
        touched.update(dict.fromkeys(fact_id for fact_id, _ in operation.assertions))
    return list(touched)


def changes_of(
    operation: Operation,
    *,
    facts: Mapping[str, Fact],
    before: Mapping[str, bool | None],
    after: Mapping[str, bool | None],
) -> list[Change]:
    """List an operation's changes, given its facts' truth before and after.

    A denial of what was false before and after is left out, and what concerned a fact that is forgotten. An undo has changed each of
    `facts` whose truth turned.
    """
    spelt = {**facts, **{fact.id: fact for fact in operation.facts}}

    def change(kind: ChangeKind, fact_id: str, into: Fact | None = None) -> Change:
        return Change(
            kind=kind,
            fact=spelt[fact_id],
            before=before[fact_id],
            after=after[fact_id],
            when=operation.when,
            document=operation.document,
            known_at=operation.known_at,
            into=into,
            reason=operation.reason,
        )

    if isinstance(operation, UndoDocument):
        turned = [fact_id for fact_id in facts if before[fact_id] != after[fact_id]]
        return [change(_undone_kind(after[fact_id]), fact_id) for fact_id in turned]
    if isinstance(operation, Rewrite):
        return [change("rewritten", operation.fact_id, operation.into)] if operation.fact_id in spelt else []
    return [
        change(_said_kind(true, before[fact_id]), fact_id)
        for fact_id, true in operation.assertions
        if fact_id in spelt and (true or before[fact_id] is not False or after[fact_id] is not False)
    ]


def _said_kind(true: bool, before: bool | None) -> ChangeKind:
    if not true:
        return "made_false"
    return "added" if before is None else "reinforced"


def _undone_kind(after: bool | None) -> ChangeKind:
    if after is None:
        return "withdrawn"
    return "reopened" if after else "made_false"
