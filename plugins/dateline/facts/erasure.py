"""Plan of an erasure from a ledger, and the trace that stays."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from secrets import token_hex
from typing import Any, NamedTuple

from pydantic import AwareDatetime, Field

from dateline.errors import BadInput
from dateline.facts.operation import Erased, Forget, Operation, alias_of
from dateline.records import Record

Entries = Callable[[], Iterable[tuple[int, Operation]]]
"""Reads a ledger's entries from the first one; a plan reads them twice."""


class Forgotten(Record):
    """Trace of a document or a fact that was erased."""

    what: str = Field(description="Hash of the document's or the fact's id, behind its kind.")
    by: str
    reason: str
    known_at: AwareDatetime
    entries: int = Field(description="Number of entries of the ledger that were erased.")
    facts: int = Field(description="Number of facts of which nothing is left.")

    @classmethod
    def of(cls, forget: Forget) -> Forgotten:
        return cls(
            what=forget.document,
            by=forget.by,
            reason=forget.reason,
            known_at=forget.known_at,
            entries=len(forget.entries),
            facts=forget.facts_erased,
        )

    def describe(self) -> str:
        """Return one sentence."""
        return (
            f"{self.what} was erased on {self.known_at.date()} by {self.by} ({self.reason}): "
            f"{self.entries} entries, {self.facts} facts."
        )


class TraceToWrite(NamedTuple):
    """A `Forget` without its entries, and where these stand."""

    forget: Forget
    sequences: list[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Changes to a ledger that erase what was asked.

    Attributes:
        remainders: what stays of entries, by their place.
        traces: what is appended.
        facts: ids of the facts that nobody spells out any more.
        documents: ids of the documents that are forgotten.
    """

    remainders: dict[int, Erased] = field(default_factory=dict)
    traces: list[TraceToWrite] = field(default_factory=list)
    facts: set[str] = field(default_factory=set)
    documents: frozenset[str] = frozenset()

    def mentions(self, text: str) -> bool:
        """Check that a note, or its key, names what is erased."""
        return any(id in self.facts or id in self.documents for id in (text, *_named(_parsed(text))))


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """Documents and facts to forget.

    With a document go the facts that only it stated, and what other documents said resting on it. With a fact go all
    judgements on it.

    Raises:
        BadInput: where nobody is named as who forgets, or no reason is.
    """

    documents: frozenset[str] = frozenset()
    facts: frozenset[str] = frozenset()
    by: str
    reason: str
    known_at: datetime

    def __post_init__(self) -> None:
        if not self.by.strip() or not self.reason.strip():
            raise BadInput("Forgetting leaves a trace; say by= whom and for what reason=.")

    def plan(self, entries: Entries) -> Plan:
        """Work out what stays of each entry, reading them twice."""
        targets = {alias_of("document", id): id for id in sorted(self.documents)}
        targets |= {alias_of("fact", id): id for id in sorted(self.facts)}
        owners, revisions = self._owners(entries(), targets)
        whole = {sequence for sequence, owner in owners.items() if owner.startswith("document:")}
        stated: set[str] = set()
        spelling: dict[str, list[int]] = {}
        touched: dict[int, Operation] = {}
        for sequence, operation in entries():
            if sequence in owners or isinstance(operation, Erased):
                touched[sequence] = operation  # what is erased may hold a fact only for a document that goes now
            if sequence not in whole:
                stated.update(said.fact_id for said in operation.assertions if said.true)
            for fact in operation.facts:
                spelling.setdefault(fact.id, []).append(sequence)
        spelt = {fact.id for operation in touched.values() for fact in operation.facts}
        gone = {id for id in spelt if id in self.facts or id not in stated}
        first = {spelling[id][0] for id in gone}
        remainders = {
            sequence: self._remainder(operation, gone, whole=sequence in whole, numbered=sequence in first)
            for sequence, operation in touched.items()
            if sequence in owners or any(fact.id in gone for fact in operation.facts)
        }
        return Plan(
            remainders=remainders,
            traces=self._traces(targets, owners, revisions, touched=remainders, gone={id: spelling[id] for id in gone}),
            facts=gone,
            documents=self.documents,
        )

    def _owners(
        self, entries: Iterable[tuple[int, Operation]], targets: Mapping[str, str]
    ) -> tuple[dict[int, str], dict[str, int]]:
        """Return the target of each entry that goes, and their last revisions."""
        owners: dict[int, str] = {}
        revisions = dict.fromkeys(targets, -1)
        for sequence, operation in entries:
            if operation.document in targets:  # a trace of an earlier time, or what it left
                traced = operation.revision + isinstance(operation, Forget)
                revisions[operation.document] = max(revisions[operation.document], traced)
                continue
            judged = [said.fact_id for said in operation.assertions if said.fact_id in self.facts]
            own = alias_of("document", operation.document) if operation.document in self.documents else ""
            resting = [source.document for source in operation.rests_on if source.document in self.documents]
            if own:
                revisions[own] = max(revisions[own], operation.revision)
            if own or resting or judged:
                owners[sequence] = own or alias_of(*(("document", resting[0]) if resting else ("fact", judged[0])))
        return owners, revisions

    def _remainder(self, operation: Operation, gone: set[str], *, whole: bool, numbered: bool) -> Erased:
        says = () if whole else tuple(said for said in operation.assertions if said.fact_id not in self.facts)
        own = operation.document in self.documents
        left = next((fact for fact in operation.facts if fact.id not in gone), None)
        if own and left is not None:
            left = left.model_copy(update={"about": ""})  # the title of what is forgotten
        return Erased(
            document=alias_of("document", operation.document) if own else operation.document,
            revision=operation.revision,
            known_at=operation.known_at if says else self.known_at,
            when=operation.when if says else None,
            rests_on=operation.rests_on if says else (),
            origin=operation.origin if says else "",
            channel=operation.channel if says else "",
            token=token_hex(16),
            fact=left,
            says=says,
            numbered=numbered or (isinstance(operation, Erased) and operation.numbered),
        )

    def _traces(
        self,
        targets: Mapping[str, str],
        owners: Mapping[int, str],
        revisions: Mapping[str, int],
        *,
        touched: Mapping[int, Erased],
        gone: Mapping[str, list[int]],
    ) -> list[TraceToWrite]:
        last = list(targets)[-1]
        sequences: dict[str, list[int]] = {alias: [] for alias in targets}
        facts = dict.fromkeys(targets, 0)
        for sequence in touched:
            sequences[owners.get(sequence, last)].append(sequence)
        for spelt_by in gone.values():
            facts[next((owners[sequence] for sequence in spelt_by if sequence in owners), last)] += 1
        return [
            TraceToWrite(
                Forget(
                    document=alias,
                    # What was never undone is at its first revision; behind a trace, also of another store, comes another one.
                    revision=max(revisions[alias], 0),
                    known_at=self.known_at,
                    reason=self.reason,
                    by=self.by,
                    facts_erased=facts[alias],
                ),
                sequences[alias],
            )
            for alias in targets
        ]


_NAMING = ("id", "document", "fact_id", "rests_on")
"""Fields of a note that hold ids."""


def _parsed(text: str) -> Any:
    """Read a note as JSON; `None` where it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _named(value: Any, *, naming: bool = False) -> Iterator[str]:
    """Yield the ids of documents and facts in a note's fields."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _named(inner, naming=name in _NAMING)
    elif isinstance(value, list):
        for inner in value:
            yield from _named(inner, naming=naming)
    elif naming and isinstance(value, str):
        yield value


def is_barred(operation: Operation, forgotten: Mapping[str, Forget]) -> bool:
    """Check that an operation would bring back what was forgotten.

    Args:
        forgotten: the newest trace of each alias that `aliases` names.
    """
    if not forgotten:
        return False
    documents = ((forgotten.get(alias_of("document", source.document)), source) for source in operation.sources)
    facts = (forgotten.get(alias_of("fact", said.fact_id)) for said in operation.assertions)
    return any(trace is not None and source.revision <= trace.revision for trace, source in documents) or any(
        trace is not None and operation.known_at <= trace.known_at for trace in facts
    )


def aliases(operation: Operation) -> set[str]:
    """Return the names by which traces would bar an operation."""
    documents = {alias_of("document", source.document) for source in operation.sources}
    return documents | {alias_of("fact", said.fact_id) for said in operation.assertions}
