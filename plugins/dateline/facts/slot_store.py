"""Structured side of a fact store: values of slots, told and asked."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import datetime

from dateline.channels import GIVEN
from dateline.closable import Closable
from dateline.errors import BadInput
from dateline.facts.changes import Change
from dateline.facts.fact import Fact, FactHistory, FactSlot, FoundFact, Moment, event_order, last_second
from dateline.facts.fold import Clocks, FactFilter, Fold
from dateline.facts.operation import AddFact, MakeFalse, Operation
from dateline.facts.slot_history import (
    FactTurn,
    SlotAnswer,
    SlotHistory,
    answer,
    compare_facts,
    periods_of,
    turns_of,
)
from dateline.facts.slot_learning import learnt_cardinality
from dateline.facts.slots import LASTS, Cardinality, SlotPack, attribute_tag
from dateline.facts.succession import denials, ended_before, from_then_on, neighbours
from dateline.temporal.as_of import AsOf, Clock, is_given, read_moment, read_time
from dateline.temporal.interval import Interval, seconds_of

_LOOKED_AT = 64
"""Facts of an undeclared attribute from which is learnt how many values it has; the newest. Chosen by hand."""

_MOST = 10_000
"""Facts of a slot beyond which none is shown as contested. Chosen by hand."""


class SlotStore(Closable, ABC):
    """Structured part of `FactStore`.

    Attributes:
        clock: tells the moment of what is told without one.
        slots: the attributes that are declared.
        fold: the truth of all facts.
    """

    clock: Clock
    slots: SlotPack
    fold: Fold

    # -- writing ------------------------------------------------------------------------------

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
                from an unknown day. Before its day it is not true.
            until: from when on it no longer holds.
            source: whose word it is; also the channel.
            known_at: when it was learnt; `None` is now.

        Returns:
            The changes; each names the `document` that `undo` takes.

        Raises:
            BadInput: for an empty name or value, and for an end that does not come after the beginning.
        """
        with self._up_to_date():
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
            return self.apply(operations[0].document, operations)

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
        slot = FactSlot(
            subject=_named(subject, "subject"),
            attribute=self.slots.name(_named(attribute, "attribute")),
            value=_named(str(value), "value"),
        )
        begins = since if is_given(since) or is_given(until) else known_at if is_given(known_at) else "now"
        when, end = (_event_time(read_time(each, clock=self.clock)) for each in (begins, until))
        if when is not None and end is not None and event_order(end)[0] <= event_order(when)[0]:
            raise BadInput(f"A value must end after it begins, not hold from {when} until {end}; give a later until.")
        assertion = AddFact(
            document=_document(slot, when, end, source),
            when=when,
            known_at=read_moment(known_at, clock=self.clock, future_ok=True),
            origin=source,
            channel=channel or GIVEN,
            fact=self.slots.fact(slot),
        )
        with self._up_to_date():
            return [assertion, *self._what_follows(assertion, until=end)]

    def _what_follows(self, assertion: AddFact, *, until: Interval | None) -> list[Operation]:
        told = {**assertion.shared, "when": from_then_on(until), "reason": "Told with its end."}
        ends: list[Operation] = [] if until is None else [MakeFalse(**told, fact_id=assertion.fact.id)]
        if not self._replaces(assertion.fact):
            return ends
        own = next(iter(self._histories(self.fold.rows([assertion.fact.id]).values()).values()), None)
        rivals = self._rivals(assertion.fact, assertion.when)
        return [*ends, *denials(assertion, rivals=rivals, own=own, until=until)]

    def _replaces(self, fact: Fact) -> bool:
        attribute = fact.slot.attribute if fact.slot is not None else ""
        rule = self.slots.rule(attribute)
        return self._cardinality(attribute) == "one" if rule is None else rule.replaces

    def _rivals(self, fact: Fact, when: Interval | None) -> list[FactHistory]:
        """List the values around a date that cannot hold beside this one."""
        if when is None:
            return []
        sides = [(tag, later) for tag in _slot_tags(fact) for later in (False, True)]
        near = (history for tag, later in sides for history in self._neighbours(fact, tag, when, later=later))
        return list({history.fact.id: history for history in near if _is_rival(fact, history)}.values())

    def _neighbours(self, fact: Fact, tag: str, when: Interval, *, later: bool) -> Iterator[FactHistory]:
        def settled(rival: FactHistory) -> bool:
            return _is_rival(fact, rival) and (later or ended_before(rival, when))

        return neighbours(
            lambda skip, limit: self.beside(tag, when, later=later, skip=skip, limit=limit), settled=settled
        )

    # -- reading ------------------------------------------------------------------------------

    def value(self, subject: str, *, attribute: str, as_of: AsOf = None, known_at: AsOf = None) -> SlotAnswer:
        """Tell a slot's value at a time, or when one is known.

        `None` means as for `search`. Values that documents stated in sentences of their own count where those can be read.
        """
        asked, known = self._moments(as_of, known_at)
        name = self.slots.name(attribute)
        rule = self.slots.rule(name)
        return answer(
            self._values(subject, attribute),
            slot=(subject, name),
            as_of=asked,
            known_at=known,
            many=self._cardinality(name) == "many",
            lasts=None if rule is None else LASTS.get(rule.changes),
        )

    def history_of(self, subject: str, *, attribute: str, as_of: AsOf = None, known_at: AsOf = None) -> SlotHistory:
        """List the values that a slot had up to `as_of`.

        `None` means as for `search`; name a later `as_of` to see what is announced.
        """
        asked, known = self._moments(as_of, known_at)
        periods = periods_of(self._values(subject, attribute), known_at=known, as_of=asked)
        return SlotHistory(
            subject=subject,
            attribute=self.slots.name(attribute),
            cardinality=self._cardinality(self.slots.name(attribute)),
            periods=tuple(periods),
        )

    def what_changed(self, *, since: AsOf, until: AsOf = None, known_at: AsOf = None) -> list[FactTurn]:
        """List what became true or ceased to be in a time.

        `changes` lists what the store *learnt* in a window of knowledge time: a move of 2020 that is told today is a change of
        today there, and one of 2020 here.

        Args:
            since: the first day or period of the window.
            until: the last; `None` is now.
        """
        first = _event_time(read_time(since, clock=self.clock))
        last, known = self._moments(until, known_at)
        window = event_order(first or Interval(None, None))[0], last_second(last)
        if window[1] < window[0]:
            raise BadInput(f"The window from {since} to {until or 'now'} ends before it begins; swap since and until.")
        with self._up_to_date() as fold:
            histories = fold.histories(fold.judged_between(*window))
        turns = [turn for history in histories for turn in turns_of(history, window=window, known_at=known)]
        return sorted(turns, key=lambda turn: (event_order(turn.when)[0], turn.true, turn.fact.text))

    def _with_contested(self, found: Sequence[FoundFact], clocks: Clocks) -> list[FoundFact]:
        """Add what contests each true fact at a time."""
        slots = [each.fact.slot if each.true else None for each in found]
        attributes = {slot.attribute for slot in slots if slot is not None}
        with self._up_to_date():
            several = {attribute for attribute in attributes if self._cardinality(attribute) == "many"}
            return [
                each
                if slot is None or slot.attribute in several
                else each.model_copy(update={"contested": self._contested(each.fact, clocks)})
                for each, slot in zip(found, slots, strict=True)
            ]

    def _contested(self, fact: Fact, clocks: Clocks) -> tuple[Fact, ...]:
        """List facts that give the slot another value at a time."""
        wanted = FactFilter(clocks=clocks, tags=_slot_tags(fact))
        others = self._histories(self.fold.few(wanted, limit=_MOST) or ())
        return tuple(each.fact for each in others.values() if _is_rival(fact, each))

    def _cardinality(self, attribute: str) -> Cardinality | None:
        rule = self.slots.rule(attribute)
        if rule is not None:
            return rule.values
        with self._up_to_date() as fold:
            return learnt_cardinality(fold.histories(fold.tagged(attribute_tag(attribute))[-_LOOKED_AT:]))

    def _values(self, subject: str, attribute: str) -> list[FactHistory]:
        """List the facts of a slot, read from sentences or told."""
        tags = dict.fromkeys(self.slots.tags(_named(subject, "subject"), _named(attribute, "attribute")))
        own, *_ = tags
        with self._up_to_date() as fold:
            for history in fold.histories(fold.tagged(own)):
                tags.update(dict.fromkeys(_slot_tags(history.fact)))
            rows = sorted({row for tag in tags for row in fold.tagged(tag)})
            histories = fold.histories(rows)
        return [each for each in histories if each.fact.slot is None or each.fact.slot.key == own]

    def _histories(self, rows: Iterable[int]) -> dict[int, FactHistory]:
        some = list(rows)
        return dict(zip(some, self.fold.histories(some), strict=True))

    def _moments(self, as_of: AsOf, known_at: AsOf) -> tuple[Moment, datetime | None]:
        known = read_moment(known_at, clock=self.clock, future_ok=True) if is_given(known_at) else None
        return read_time(as_of if is_given(as_of) else "now", clock=self.clock) or self.clock(), known

    @abstractmethod
    def apply(self, document: str, operations: Sequence[Operation]) -> list[Change]:
        """Store all that a document says or nothing."""

    @abstractmethod
    def beside(self, tag: str, when: Interval, *, later: bool, skip: int = 0, limit: int = 16) -> list[FactHistory]:
        """List a tag's facts asserted before or after a date, nearest first."""

    @abstractmethod
    def _up_to_date(self) -> AbstractContextManager[Fold]:
        """Hold the lock, with all entries of the ledger taken in."""


def _is_rival(fact: Fact, history: FactHistory) -> bool:
    return compare_facts(fact, history.fact) == "conflict"


def _slot_tags(fact: Fact) -> tuple[str, ...]:
    """Return the tags of a fact that name its slot."""
    general = attribute_tag(fact.slot.attribute) if fact.slot is not None else ""
    return tuple(tag for tag in fact.tags if tag != general)


def _named(text: str, what: str) -> str:
    if not text.strip():
        raise BadInput(f"The {what} is empty; give some text.")
    return " ".join(text.split())


def _event_time(read: datetime | Interval | None) -> Interval | None:
    """Return a moment as the second that it is."""
    return Interval(seconds_of(read), seconds_of(read) + 1, "second") if isinstance(read, datetime) else read


def _document(slot: FactSlot, when: Interval | None, until: Interval | None, source: str) -> str:
    parts = (*slot.model_dump().values(), str(when), str(until), source)
    return f"told-{hashlib.blake2b(chr(10).join(parts).encode(errors='replace'), digest_size=12).hexdigest()}"
