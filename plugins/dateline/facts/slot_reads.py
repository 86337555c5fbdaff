"""Structured reads of a fact store: values of slots, told and inferred."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from contextlib import AbstractContextManager
from datetime import datetime
from functools import cache

from dateline.errors import BadInput
from dateline.facts.fact import (
    Derivation,
    Fact,
    FactHistory,
    FactJudgement,
    FactSlot,
    FoundFact,
    Moment,
    event_order,
    folded,
    last_second,
    slot_key,
)
from dateline.facts.fold import Clocks, FactFilter, Fold
from dateline.facts.inference import Inference
from dateline.facts.slot_history import (
    FactTurn,
    SlotAnswer,
    SlotHistory,
    SlotPeriod,
    answer,
    compare_facts,
    periods_of,
    stated_value,
    turns_of,
)
from dateline.facts.slot_learning import learnt_cardinality
from dateline.facts.slot_reader import SlotReader
from dateline.facts.slots import LASTS, Cardinality, SlotPack, attribute_tag, slot_tags, value_tag
from dateline.temporal.as_of import AsOf, Clock, is_given, read_moment, read_time
from dateline.temporal.interval import Interval, seconds_of

_LOOKED_AT = 64
"""Facts of an undeclared attribute from which is learnt how many values it has; the newest. Chosen by hand."""

_MOST = 10_000
"""Facts of a slot beyond which none is shown as contested. Chosen by hand."""


class SlotReads(ABC):
    """Structured reads of `FactStore`.

    Attributes:
        clock: tells the moment of a read that names none.
        slots: the attributes that are declared, and what follows from them.
        fold: the truth of all facts.
        reader: reads sentences as values of slots.
    """

    clock: Clock
    slots: SlotPack
    fold: Fold
    reader: SlotReader
    _last_inference: tuple[tuple[int, Moment | None, datetime | None], Inference] | None = None

    def value(self, subject: str, *, attribute: str, as_of: AsOf = None, known_at: AsOf = None) -> SlotAnswer:
        """Tell a slot's value at a time, or when one is known.

        `None` means as for `search`. Values that documents stated in sentences of their own count where those can be read.
        """
        asked, known = self._moments(as_of, known_at)
        name = self.slots.name(attribute)
        rule = self.slots.rule(name)
        return answer(
            self._periods(subject, name, as_of=asked, known_at=known),
            ever=lambda: self._periods(subject, name, as_of=None, known_at=known),
            slot=(subject, name),
            as_of=asked,
            many=self._cardinality(name) == "many",
            lasts=None if rule is None else LASTS.get(rule.changes),
        )

    def learnt_at(self, known_at: AsOf) -> datetime:
        """Read a knowledge time, which may lie ahead; `None` is now.

        Raises:
            BadInput: for a moment that cannot be read.
        """
        return read_moment(known_at, clock=self.clock, future_ok=True)

    def history_of(self, subject: str, *, attribute: str, as_of: AsOf = None, known_at: AsOf = None) -> SlotHistory:
        """List the values that a slot had up to `as_of`.

        `None` means as for `search`; name a later `as_of` to see what is announced.
        """
        asked, known = self._moments(as_of, known_at)
        name = self.slots.name(attribute)
        periods = self._periods(subject, name, as_of=asked, known_at=known)
        return SlotHistory(subject=subject, attribute=name, cardinality=self._cardinality(name), periods=tuple(periods))

    def what_changed(
        self, *, since: AsOf, until: AsOf = None, as_of: AsOf = None, known_at: AsOf = None
    ) -> list[FactTurn]:
        """List what became true or ceased to be in a time.

        `changes` lists what the store *learnt* in a window of knowledge time: a move of 2020 that is told today is a change of
        today there, and one of 2020 here.

        Args:
            since: the first day or period of the window.
            until: the last; `None` is now.
            as_of: the asking day, behind which nothing is told; `None` leaves all of the window.
        """
        first = event_time(read_time(since, clock=self.clock))
        last, known = self._moments(until, known_at)
        window = event_order(first or Interval(None, None))[0], last_second(last)
        if window[1] < window[0]:
            raise BadInput(f"The window from {since} to {until or 'now'} ends before it begins; swap since and until.")
        if is_given(as_of):
            window = window[0], min(window[1], last_second(self._moments(as_of, None)[0]))
        with self._up_to_date() as fold:
            histories = fold.histories(fold.judged_between(*window)) if window[0] <= window[1] else []
        turns = [turn for history in histories for turn in turns_of(history, window=window, known_at=known)]
        return sorted(turns, key=lambda turn: (event_order(turn.when)[0], turn.true, turn.fact.text))

    def _periods(
        self, subject: str, attribute: str, *, as_of: Moment | None, known_at: datetime | None
    ) -> list[SlotPeriod]:
        """List the values of a slot, told and inferred."""

        with self._up_to_date():
            return self._inference(as_of, known_at).periods(subject, attribute)

    def _inference(self, as_of: Moment | None, known_at: datetime | None) -> Inference:
        """Return the inference at these times, kept until something is told."""
        key = self.fold.sequence, as_of, known_at
        if self._last_inference is None or self._last_inference[0] != key:

            @cache
            def told(subject: str, attribute: str) -> list[SlotPeriod]:
                return periods_of(self._values(subject, attribute), known_at=known_at, as_of=as_of)

            inference = Inference(self.slots, told=told, holders=cache(self._holders))
            self._last_inference = key, inference
        return self._last_inference[1]

    def _holders(self, attribute: str, value: str) -> list[str]:
        """List the subjects that are stated to have a value."""
        every = self.fold.tagged(attribute_tag(attribute))
        rows = self.fold.tagged(value_tag(attribute, value))
        if every and not any("=" in tag for tag in self.fold.histories(every[:1])[0].fact.tags):
            # Facts from before there were tags of values.
            rows = every[-_MOST:]
        stated = [each for told in self.fold.histories(rows) for each in self.reader.of(told.fact) if not each.ended]
        holding = [slot for slot, _ in stated if slot.attribute == attribute and folded(slot.value) == folded(value)]
        return list({folded(slot.subject): slot.subject for slot in holding}.values())

    def _is_known(self, name: str) -> bool:
        """Check that rules have something to say of a name."""
        tags = (tag for each in self.slots.in_rules for tag in (slot_key(name, each), value_tag(each, name)))
        return any(self.fold.tagged(tag) for tag in tags)

    def _following(
        self, question: str, *, as_of: Moment, known_at: datetime | None
    ) -> list[tuple[SlotPeriod, Derivation, FactJudgement]]:
        """List what follows of the asked slots and holds then."""
        with self._up_to_date():
            return [
                (period, period.derivation, period.began)
                for subject in filter(self._is_known, self.reader.subjects(question))
                for attribute in self.reader.asked(question)
                if self.slots.inferring(attribute)
                for period in self._periods(subject, attribute, as_of=as_of, known_at=known_at)
                if period.derivation is not None and period.began is not None and period.until is None
            ]

    def _ended_by_rule(self, fact: Fact, *, as_of: Moment, known_at: datetime | None) -> Derivation | None:
        """Tell by what a fact that nobody denied has ended."""
        for slot, ended in self.reader.of(fact):
            if not ended and self.slots.inferring(slot.attribute):
                periods = self._periods(slot.subject, slot.attribute, as_of=as_of, known_at=known_at)
                own = [each for each in periods if each.fact.id == fact.id]
                if own and own[-1].ended_by is not None:
                    return own[-1].ended_by
        return None

    def _by_rules(self, found: FoundFact, *, as_of: Moment, known_at: datetime | None) -> FoundFact:
        """Add what contests or has ended a true fact."""
        if not found.true or found.derivation is not None:
            return found
        with self._up_to_date():
            ended = self._ended_by_rule(found.fact, as_of=as_of, known_at=known_at)
            if ended is not None:
                found = found.model_copy(update={"true": False, "doubted": ended})
            slot = found.fact.slot
            return found if slot is None else self._questioned(found, slot, as_of=as_of, known_at=known_at)

    def _questioned(self, found: FoundFact, slot: FactSlot, *, as_of: Moment, known_at: datetime | None) -> FoundFact:
        alone = self._cardinality(slot.attribute) != "many"
        contested = self._contested(found.fact, Clocks.of(as_of, known_at)) if alone else ()
        if not self.slots.inferring(slot.attribute):
            return found.model_copy(update={"contested": contested})
        periods = self._periods(slot.subject, slot.attribute, as_of=as_of, known_at=known_at)
        own = [each for each in periods if each.fact.id == found.fact.id]
        inferred = (each.fact for each in periods if each.derivation is not None and each.until is None)
        rivals = [fact for fact in inferred if compare_facts(found.fact, fact) == "conflict"]
        doubted = found.doubted or (own[-1].doubted if own else None)
        return found.model_copy(update={"contested": (*contested, *rivals) if alone else (), "doubted": doubted})

    def _contested(self, fact: Fact, clocks: Clocks) -> tuple[Fact, ...]:
        """List facts that give the slot another value at a time."""
        wanted = FactFilter(clocks=clocks, tags=slot_tags(fact))
        others = self._histories(self.fold.few(wanted, limit=_MOST) or ())
        return tuple(each.fact for each in others.values() if is_rival(fact, each))

    def _cardinality(self, attribute: str) -> Cardinality | None:
        rule = self.slots.rule(attribute)
        if rule is not None:
            return rule.values
        with self._up_to_date() as fold:
            return learnt_cardinality(fold.histories(fold.tagged(attribute_tag(attribute))[-_LOOKED_AT:]))

    def _values(self, subject: str, attribute: str) -> list[tuple[FactHistory, str]]:
        """List the facts of a slot with its values."""
        tags = dict.fromkeys(self.slots.tags(named(subject, "subject"), named(attribute, "attribute")))
        own, *_ = tags
        with self._up_to_date() as fold:
            for history in fold.histories(fold.tagged(own)):
                if history.fact.slot is not None:
                    tags.update(dict.fromkeys(slot_tags(history.fact)))
            rows = sorted({row for tag in tags for row in fold.tagged(tag)})
            histories = fold.histories(rows)
        return [(history, value) for history in histories for value in self._stated(history.fact, own)]

    def _stated(self, fact: Fact, own: str) -> list[str]:
        """Return the values that a fact gives to a slot."""
        stated = [each for each in self.reader.of(fact) if each.slot.key == own]
        if stated or fact.slot is not None or own in fact.tags:
            return [each.slot.value for each in stated if not each.ended]
        return [stated_value(fact)]

    def _histories(self, rows: Iterable[int]) -> dict[int, FactHistory]:
        some = list(rows)
        return dict(zip(some, self.fold.histories(some), strict=True))

    def _moments(self, as_of: AsOf, known_at: AsOf) -> tuple[Moment, datetime | None]:
        known = self.learnt_at(known_at) if is_given(known_at) else None
        return read_time(as_of if is_given(as_of) else "now", clock=self.clock) or self.clock(), known

    @abstractmethod
    def _up_to_date(self) -> AbstractContextManager[Fold]:
        """Hold the lock, with all entries of the ledger taken in."""


def is_rival(fact: Fact, history: FactHistory) -> bool:
    """Check that two facts give one slot two values."""
    return compare_facts(fact, history.fact) == "conflict"


def named(text: str, what: str) -> str:
    """Return a name without superfluous white space; an empty one is refused."""
    if not text.strip():
        raise BadInput(f"The {what} is empty; give some text.")
    return " ".join(text.split())


def event_time(read: datetime | Interval | None) -> Interval | None:
    """Return a moment as the second that it is."""
    return Interval(seconds_of(read), seconds_of(read) + 1, "second") if isinstance(read, datetime) else read
