"""Structured writes of a fact store: values of slots, told."""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime

from dateline.channels import GIVEN
from dateline.closable import Closable
from dateline.errors import BadInput
from dateline.facts.changes import Change
from dateline.facts.fact import Fact, FactHistory, FactJudgement, FactSlot, event_start, folded
from dateline.facts.fold import Clocks, FactFilter
from dateline.facts.index import Vectors
from dateline.facts.late_documents import ended_before, first_true_after, is_before
from dateline.facts.operation import AddFact, FactSource, MakeFalse, Operation, Reinforce
from dateline.facts.rivals import is_rival
from dateline.facts.slot_reads import SlotReads, event_time
from dateline.facts.slot_values import named
from dateline.facts.succession import denials, from_then_on, neighbours
from dateline.temporal.as_of import AsOf, is_given, read_time
from dateline.temporal.interval import Interval


class SlotStore(SlotReads, Closable):
    """Structured part of `FactStore`."""

    def remember(
        self,
        subject: str,
        *,
        attribute: str,
        value: str | int | float,
        since: AsOf = None,
        until: AsOf = None,
        source: str = "",
        known_at: AsOf = None,
    ) -> list[Change]:
        """Store that an attribute of a subject has a value.

        Of a declared attribute with one value at a time the newer value ends the older from its day, in whatever order they
        arrive; of one with many, all stand. What nobody declared is learnt from the store's own history; where that does not
        tell, all values stand and are contested.

        Args:
            since: from when on it holds; left out, from the moment at which it is told (`known_at`), or with `until` alone,
                from an unknown day, unless one is told of the same value. Before its day it is not true.
            until: from when on it no longer holds.
            source: whose word it is; also the channel.
            known_at: when it was learnt; `None` is now.

        Returns:
            The changes; each names the `document` that `undo` takes.

        Raises:
            BadInput: for an empty name or value, and for an end that does not come after the beginning.
        """
        fact = self.slots.fact(self._slot(subject, attribute, value))
        with self._up_to_date():
            known = self.fold.rows([fact.id])
        # Embedding comes first: inside, other processes wait, so that none tells the slot another value meanwhile.
        vectors = {} if known else self.embed([fact])
        with self.together(), self._up_to_date():
            operations = self.operations_of(
                subject,
                attribute=attribute,
                value=value,
                since=since,
                until=until,
                source=source,
                channel=source,
                known_at=known_at,
            )
            return self.apply(operations[0].document, operations, vectors=vectors)

    def operations_of(
        self,
        subject: str,
        *,
        attribute: str,
        value: str | int | float,
        since: AsOf = None,
        until: AsOf = None,
        source: str = "",
        channel: str = "",
        known_at: AsOf = None,
    ) -> list[Operation]:
        """List the operations with which a value is remembered, its own first.

        Arguments and errors are those of `remember`.
        """
        slot = self._slot(subject, attribute, value)
        begins = since if is_given(since) or is_given(until) else known_at if is_given(known_at) else "now"
        when, end = (event_time(read_time(each, clock=self.clock)) for each in (begins, until))
        if when is not None and end is not None and event_start(end) <= event_start(when):
            raise BadInput(f"A value must end after it begins, not hold from {when} until {end}; give a later until.")
        assertion = AddFact(
            document=_document(slot, when, end, source),
            when=when,
            known_at=self.learnt_at(known_at),
            origin=source,
            channel=channel or GIVEN,
            fact=self.slots.fact(slot),
        )
        ends = (*self._told_ends(assertion, slot, end), *self.ends_of(assertion, until=end))
        return [assertion, *self._told_beginnings(assertion, slot, end), *ends]

    def _slot(self, subject: str, attribute: str, value: str | int | float) -> FactSlot:
        return FactSlot(
            subject=named(subject, "subject"),
            attribute=self.slots.name(named(attribute, "attribute")),
            value=named(str(value), "value"),
        )

    def ends_of(self, assertion: AddFact | Reinforce, *, until: Interval | None = None) -> list[MakeFalse]:
        """Return the ends that an assertion brings, as slots tell.

        Args:
            until: when it says itself that it ends.
        """
        with self._up_to_date() as fold:
            (fact_id, _), *_ = assertion.assertions
            own = next(iter(fold.histories_of([fact_id])), None)
            fact = assertion.fact if isinstance(assertion, AddFact) else None if own is None else own.fact
            if fact is None or not self._replaces(fact):
                return []
            return denials(assertion, rivals=self._rivals(fact, assertion.when), own=own, until=until)

    def _told_beginnings(self, assertion: AddFact, slot: FactSlot, end: Interval | None) -> Iterator[MakeFalse]:
        """Take from a value its unknown beginning where one is told.

        An end without a beginning says that a value held, not since when: another word on it may tell, before or after.
        """
        shared = {**assertion.shared, "when": None, "reason": "Its beginning is told."}
        if assertion.when is not None:
            for history in self._of_value(slot, undated=True):
                if _ends_without_beginning(history, assertion.when):
                    yield MakeFalse(**shared, fact_id=history.fact.id)
            return
        for history, value in self._values(slot.subject, slot.attribute):
            begun = _first_true_by(history, end) if folded(value) == folded(slot.value) else None
            if begun is not None:
                # The unknown beginning is back once what told the known one is withdrawn.
                resting = shared | {"rests_on": (FactSource(begun.document, begun.revision),)}
                yield MakeFalse(**resting, fact_id=assertion.fact.id)

    def _told_ends(self, assertion: AddFact, slot: FactSlot, end: Interval | None) -> list[MakeFalse]:
        """End a value as told, in whatever words it was stated before."""
        if end is None:
            return []
        standing = [
            history.fact.id
            for history, value in self._values(slot.subject, slot.attribute)
            if folded(value) == folded(slot.value) and _stands_until(history, end)
        ]
        told = {**assertion.shared, "when": from_then_on(end), "reason": "Told with its end."}
        return [MakeFalse(**told, fact_id=each) for each in dict.fromkeys((assertion.fact.id, *standing))]

    def _ends_again(self, fact_ids: Collection[str], *, known_at: datetime) -> Iterator[MakeFalse]:
        """Yield the ends of values by later ones that stood already.

        Of the later ones a value is denied by two at most; once these are withdrawn, the next ones count.
        """
        # What an app keeps with its data it orders itself, whatever the texts say of each other.
        for history in (each for each in self.fold.histories_of(fact_ids) if not each.fact.data):
            # A value may hold more than once, and each time ends by what follows it.
            for said in {entry.when: entry for entry in history.visible() if entry.true}.values():
                shared = {name: getattr(said, name) for name in ("document", "revision", "when", "origin", "channel")}
                assertion = Reinforce(**shared, known_at=known_at, fact_id=history.fact.id)
                yield from (end for end in self.ends_of(assertion) if end.rests_on)

    def _replaces(self, fact: Fact) -> bool:
        if fact.slot is None:
            return True  # Sentences are compared by what is declared.
        return self._gives_way(fact.slot.attribute)

    def _rivals(self, fact: Fact, when: Interval | None) -> list[FactHistory]:
        """List the values around a date that cannot hold beside this one."""
        near = self.neighbours_of(fact, when)
        rivals = (history for history in near if is_rival(fact, history.fact, slots=self.reader))
        return list({history.fact.id: history for history in rivals}.values())

    def neighbours_of(self, fact: Fact, when: Interval | None) -> Iterator[FactHistory]:
        """Yield the facts around a date that may share a slot.

        Every document denies what its slot said before it, so behind some rivals that are denied enough, or some newer ones
        that deny this fact, there is nothing left to deny. Of many values none ends another: only what is told of the same
        value is looked at, which may end it.
        """
        if when is None:
            return
        many = self._beside_others(fact)
        keys = {key for slot in many for key in self.slots.keys(slot.subject, slot.attribute)}
        for tag in (tag for tag in self._tags_of(fact) if tag not in keys):
            for later in (False, True):
                yield from self._beside(fact, tag, when, later=later)
        for slot in many:
            yield from self._of_value(slot)

    def _beside_others(self, fact: Fact) -> list[FactSlot]:
        """List the slots with many values to which a sentence gives one."""
        read = () if fact.slot is not None else self.reader.read(fact.text)
        return [each.slot for each in read if not each.ended and self.slots.cardinality(each.slot.attribute) == "many"]

    def _of_value(self, slot: FactSlot, *, undated: bool = False) -> list[FactHistory]:
        """List what is told of one value of a slot.

        Args:
            undated: only what something undated was said of.
        """
        with self._up_to_date() as fold:
            # A subject may have many values, and a value many subjects: histories are read of neither.
            rows = {*fold.tagged(*self.slots.keys(slot.subject, slot.attribute))}
            if undated:
                rows = {*fold.passing(rows, FactFilter(clocks=Clocks(event_start(None)), true_only=False))}
            if rows:
                rows.intersection_update(fold.tagged(*self.slots.value_tags(slot.attribute, slot.value)))
            return fold.histories(sorted(rows))

    def _beside(self, fact: Fact, tag: str, when: Interval, *, later: bool) -> Iterator[FactHistory]:
        def settled(rival: FactHistory) -> bool:
            return is_rival(fact, rival.fact, slots=self.reader) and (later or ended_before(rival, when))

        return neighbours(
            lambda skip, limit: self.beside(tag, when, later=later, skip=skip, limit=limit), settled=settled
        )

    @abstractmethod
    def together(self) -> AbstractContextManager[None]:
        """Store all that is written inside or nothing, while nobody else writes."""

    @abstractmethod
    def embed(self, facts: Sequence[Fact]) -> dict[str, Vectors]:
        """Embed facts; return their unit vectors by id."""

    @abstractmethod
    def apply(
        self, document: str, operations: Sequence[Operation], *, vectors: Mapping[str, Vectors] | None = None
    ) -> list[Change]:
        """Store all that a document says or nothing."""

    @abstractmethod
    def beside(self, tag: str, when: Interval, *, later: bool, skip: int = 0, limit: int = 16) -> list[FactHistory]:
        """List a tag's facts asserted before or after a date, nearest first."""


def _stands_until(history: FactHistory, end: Interval) -> bool:
    """Check that a fact held until a day and not later."""
    return history.true_at(Interval(None, end.start)) is True and first_true_after(history, end) is None


def _first_true_by(history: FactHistory, end: Interval | None) -> FactJudgement | None:
    """Return the first dated word for a fact up to an end."""
    dated = (entry for entry in history.visible() if entry.true and entry.when is not None)
    return next((entry for entry in dated if not is_before(end, entry.when)), None)


def _ends_without_beginning(history: FactHistory, when: Interval) -> bool:
    """Check that an end was told alone of a day since."""
    entries = history.visible()
    undated = {entry.document for entry in entries if entry.true and entry.when is None}
    ends = (entry.when for entry in entries if not entry.true and entry.document in undated and not entry.rests_on)
    return any(end is not None and not is_before(end, when) for end in ends)


def _document(slot: FactSlot, when: Interval | None, until: Interval | None, source: str) -> str:
    parts = (*slot.model_dump().values(), str(when), str(until), source)
    return f"told-{hashlib.blake2b(chr(10).join(parts).encode(errors='replace'), digest_size=12).hexdigest()}"
