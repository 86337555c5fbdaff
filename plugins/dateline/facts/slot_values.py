"""Values that a fact store holds for slots, told and inferred."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from functools import cache, lru_cache, partial

from dateline.errors import BadInput
from dateline.facts.fact import Fact, FactHistory, Moment, folded
from dateline.facts.fold import Fold
from dateline.facts.inference import Inference
from dateline.facts.renames import NAME, Renames
from dateline.facts.slot_history import SlotPeriod, give_way, periods_of, stated_value, told_again
from dateline.facts.slot_learning import learnt_cardinality
from dateline.facts.slot_reader import SlotReader
from dateline.facts.slots import Cardinality, SlotPack, slot_tags
from dateline.temporal.as_of import AsOf, Clock, is_given, read_moment, read_time

_LOOKED_AT = 64
"""Facts of an undeclared attribute from which is learnt how many values it has; the newest. Chosen by hand."""

MOST = 10_000
"""Facts of a slot beyond which none is shown as contested. Chosen by hand."""


class SlotValues(ABC):
    """Values of slots in `FactStore` at any two times.

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
    _last_learnt: tuple[tuple[int, datetime | None], Callable[[str], Cardinality | None]] | None = None
    _last_inference: tuple[tuple[int, Moment | None, datetime | None], Inference] | None = None

    def learnt_at(self, known_at: AsOf) -> datetime:
        """Read a knowledge time, which may lie ahead; `None` is now.

        Raises:
            BadInput: for a moment that cannot be read.
        """
        return read_moment(known_at, clock=self.clock, future_ok=True)

    def declared_of(self, subject: str) -> list[str]:
        """List the declared attributes of which something was told of a subject."""
        with self._up_to_date() as fold:
            return [name for name in self.slots.rules if fold.tagged(*self.slots.keys(subject, name))]

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
            def under(subject: str, attribute: str) -> list[SlotPeriod]:
                return periods_of(self._values(subject, attribute), known_at=known_at, as_of=as_of)

            renames = self._renames(known_at)

            @cache
            def told(subject: str, attribute: str) -> list[SlotPeriod]:
                if renames is None or self.slots.name(attribute) == NAME:
                    return under(subject, attribute)
                found = renames.told(subject, under=lambda name: under(name, attribute), as_of=as_of)
                merged = any(each.renamed is not None for each in found)
                return give_way(told_again(found)) if merged and self._gives_way(attribute) else found

            inference = Inference(self.slots, told=told, holders=cache(self._holders))
            self._last_inference = key, inference
        return self._last_inference[1]

    def _renames(self, known_at: datetime | None) -> Renames | None:
        """Return the finder of other names, if anybody has one."""
        if self._first(NAME) is None:
            return None

        @cache
        def names(subject: str) -> list[SlotPeriod]:
            return periods_of(self._values(subject, NAME), known_at=known_at)

        return Renames(names, bearers=cache(partial(self._holders, NAME)))

    def _gives_way(self, attribute: str) -> bool:
        """Check that a newer value of an attribute ends the older."""
        rule = self.slots.rule(attribute)
        return self._cardinality(attribute) == "one" if rule is None else rule.replaces

    def _holders(self, attribute: str, value: str) -> list[str]:
        """List the subjects that are stated to have a value."""
        rows, first = self.fold.tagged(*self.slots.value_tags(attribute, value)), self._first(attribute)
        if first is not None and not any("=" in tag for tag in self.fold.histories([first])[0].fact.tags):
            # Facts from before there were tags of values.
            rows = self.fold.tagged(*self.slots.attribute_tags(attribute))[-MOST:]
        read = (each for told in self.fold.histories(rows) for each in self.reader.of(told.fact))
        stated = [each.slot for each in read if not each.ended]
        holding = [slot for slot in stated if slot.attribute == attribute and folded(slot.value) == folded(value)]
        return list({folded(slot.subject): slot.subject for slot in holding}.values())

    def _first(self, attribute: str) -> int | None:
        """Return the row of an attribute's first fact, if anybody has one."""
        # Asked tag by tag, no store has to look at all rows of several.
        firsts = (self.fold.tagged(tag, limit=1) for tag in self.slots.attribute_tags(attribute))
        return min((row for rows in firsts for row in rows), default=None)

    def _cardinality(self, attribute: str, *, known_at: datetime | None = None) -> Cardinality | None:
        declared = self.slots.cardinality(attribute)
        return declared or self._learnt_cardinality(self.slots.name(attribute), known_at)

    def _learnt_cardinality(self, attribute: str, known_at: datetime | None) -> Cardinality | None:
        """Learn an undeclared attribute's cardinality, kept until something is told."""
        with self._up_to_date():
            key = self.fold.sequence, known_at
            if self._last_learnt is None or self._last_learnt[0] != key:
                self._last_learnt = key, lru_cache(lambda name: learnt_cardinality(self._newest(name, known_at)))
            return self._last_learnt[1](attribute)

    def _newest(self, attribute: str, known_at: datetime | None) -> list[FactHistory]:
        """List an attribute's newest facts, as known at a time."""
        found: list[FactHistory] = []
        with self._up_to_date() as fold:
            rows = fold.tagged(*self.slots.attribute_tags(attribute))
            while rows and len(found) < _LOOKED_AT:
                page = (history.known(known_at) for history in fold.histories(rows[-_LOOKED_AT:]))
                found = [*(history for history in page if history.entries), *found]
                rows = rows[:-_LOOKED_AT]
        return found[-_LOOKED_AT:]

    def _values(self, subject: str, attribute: str) -> list[tuple[FactHistory, str]]:
        """List the facts of a slot with its values."""
        subject, attribute = named(subject, "subject"), named(attribute, "attribute")
        own, *others = self.slots.keys(subject, attribute)
        tags = dict.fromkeys(self.slots.tags(subject, attribute))
        with self._up_to_date() as fold:
            for history in fold.histories(fold.tagged(own, *others)):
                if history.fact.slot is not None:
                    tags.update(dict.fromkeys(slot_tags(history.fact)))
            histories = fold.histories(fold.tagged(*tags))
        return [(history, value) for history in histories for value in self._stated(history.fact, own, others)]

    def _stated(self, fact: Fact, own: str, others: Sequence[str]) -> list[str]:
        """Return the values that a fact gives to a slot."""
        stated = [each for each in self.reader.of(fact) if each.slot.key == own]
        if stated or fact.slot is not None or not {own, *others}.isdisjoint(fact.tags):
            return [each.slot.value for each in stated if not each.ended]
        return [stated_value(fact)]

    def _tags_of(self, fact: Fact) -> list[str]:
        """List the tags under which facts of a fact's slots are found."""
        own = slot_tags(fact)
        read = [each.slot for each in self.reader.of(fact)]
        others = [key for slot in read for key in self.slots.keys(slot.subject, slot.attribute) if key not in own]
        with self._up_to_date() as fold:
            # Few stores know an attribute by another name.
            known = fold.tagged(*others) if others else []
            return [*own, *(key for key in others if known and fold.tagged(key))]

    def _moments(self, as_of: AsOf, known_at: AsOf) -> tuple[Moment, datetime | None]:
        known = self.learnt_at(known_at) if is_given(known_at) else None
        return read_time(as_of if is_given(as_of) else "now", clock=self.clock) or self.clock(), known

    @abstractmethod
    def _up_to_date(self) -> AbstractContextManager[Fold]:
        """Hold the lock, with all entries of the ledger taken in."""


def named(text: str, what: str) -> str:
    """Return a name without superfluous white space; an empty one is refused."""
    if not text.strip():
        raise BadInput(f"The {what} is empty; give some text.")
    return " ".join(text.split())
