"""Rules on who may edit a store, and which edits wait."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

from pydantic import Field, PositiveInt

from dateline.channels import names_of
from dateline.facts.operation import Operation
from dateline.records import EvidenceKind, Record

EditKind = Literal["add", "reinforce", "make_false", "rewrite"]
"""What an edit does: state a new fact, support a known one, end one, or put another in its place."""

CLOSING: tuple[EditKind, ...] = ("make_false", "rewrite")
"""The edits that end a fact; these are what several sources have to agree on."""


class Policy(Record):
    """Rules on who may edit a store, and which edits wait.

    Example:
        >>> policy = Policy(sources=("gazette.example", "notes"), min_sources=2, interrupt_on=("make_false",))
        >>> [policy.allows(channel) for channel in ("news.gazette.example", "notes/minutes", "blog.example")]
        [True, True, False]
    """

    sources: tuple[str, ...] | None = Field(
        default=None,
        description="Channels that may edit: libraries, folders of them (notes/gazette), domains, retrievers, tools; "
        "None: every one. What a document says of its own source does not count.",
    )
    min_sources: PositiveInt = Field(
        default=1, description="How many different channels must speak against a fact before it is made false."
    )
    min_sources_by_kind: Mapping[EvidenceKind, PositiveInt] = Field(
        default_factory=dict, description="The same for documents of a kind, such as {'organic': 2}."
    )
    interrupt_on: tuple[EditKind, ...] = Field(default=(), description="Kinds of edits that wait for a person.")
    approvers: tuple[str, ...] | None = Field(
        default=None,
        description="Identities that may decide about waiting edits, as a server knows them; None: anyone.",
    )

    def tightened(self, other: Policy) -> Policy:
        """Return both policies at once: nothing passes that either stops.

        Example:
            >>> own = Policy(sources=("gazette.example", "notes"), interrupt_on=("make_false",))
            >>> both = own.tightened(Policy(sources=("notes/minutes", "blog.example"), min_sources=2))
            >>> (both.sources, both.min_sources, both.interrupt_on)
            (('notes/minutes',), 2, ('make_false',))
        """
        kinds = {*self.min_sources_by_kind, *other.min_sources_by_kind}
        return Policy(
            sources=self._channels_in_both(other),
            min_sources=max(self.min_sources, other.min_sources),
            min_sources_by_kind={kind: max(self._sources_by(kind), other._sources_by(kind)) for kind in kinds},
            interrupt_on=tuple(dict.fromkeys((*self.interrupt_on, *other.interrupt_on))),
            approvers=_shared(self.approvers, other.approvers),
        )

    def may_decide(self, identity: str) -> bool:
        """Check that a person may decide about waiting edits."""
        return self.approvers is None or identity in self.approvers

    def allows(self, channel: str) -> bool:
        """Check that a channel may edit the store, in any letter case."""
        return self.sources is None or not {name.casefold() for name in self.sources}.isdisjoint(names_of(channel))

    def sources_needed(self, operation: Operation, *, kind: EvidenceKind) -> int:
        """Return the number of sources that this edit needs."""
        if operation.kind not in CLOSING or ends_own_statement(operation):
            return 1
        return self._sources_by(kind)

    def needs_approval(self, operation: Operation) -> bool:
        """Check for an edit that must wait for a person."""
        return operation.kind in self.interrupt_on and not ends_own_statement(operation)

    def lets_land(self, operation: Operation) -> bool:
        """Check that an edit lands at once from any kind of document."""
        kinds: tuple[EvidenceKind, ...] = get_args(EvidenceKind)
        return not self.needs_approval(operation) and all(
            self.sources_needed(operation, kind=kind) == 1 for kind in kinds
        )

    def _channels_in_both(self, other: Policy) -> tuple[str, ...] | None:
        if self.sources is None or other.sources is None:
            return other.sources if self.sources is None else self.sources
        narrow = [*filter(other.allows, self.sources), *filter(self.allows, other.sources)]
        return tuple({name.casefold(): name for name in reversed(narrow)}.values())[::-1]

    def _sources_by(self, kind: EvidenceKind) -> int:
        return self.min_sources_by_kind.get(kind, self.min_sources)


def ended_fact(operation: Operation) -> str:
    """Return the id of the fact that an operation ends, or nothing."""
    return operation.assertions[0].fact_id if operation.kind in CLOSING else ""


def ends_own_statement(operation: Operation) -> bool:
    """Recognise an edit that only ends the document's own word."""
    return operation.kind == "make_false" and bool(operation.rests_on)


def _shared(ours: tuple[str, ...] | None, theirs: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """Return the names in both lists; `None` is every name."""
    if ours is None or theirs is None:
        return theirs if ours is None else ours
    return tuple(name for name in ours if name in theirs)
