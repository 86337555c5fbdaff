"""Slots whose values a fact store calls contested itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Self

import numpy as np

from dateline.audit.clashes import Clash
from dateline.audit.statements import NearPairs, Statements
from dateline.facts.fact import Fact, FactSlot, folded
from dateline.facts.renames import NAME
from dateline.facts.slot_history import SlotPeriod
from dateline.facts.store import FactStore
from dateline.records import Evidence


def contested_values(store: FactStore, facts: Iterable[Fact], *, as_of: datetime) -> list[tuple[SlotPeriod, ...]]:
    """List each contested slot's values, where several were told.

    What was told under its subject's other names counts.

    Args:
        facts: those that the store holds for true.

    Example:
        >>> from dateline.facts import ExactIndex, MemoryLedger
        >>> from dateline.temporal.as_of import now
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())
        >>> for place, since in (("Porto", "2019"), ("Lisbon", "2021")):
        ...     _ = store.remember("Ada", attribute="birthplace", value=place, since=since)
        >>> facts = [each.fact for each in store.at("2024")]
        >>> [[each.value for each in some] for some in contested_values(store, facts, as_of=now())]
        [['Porto', 'Lisbon']]
    """
    values: dict[str, set[str]] = defaultdict(set)
    slots: dict[str, FactSlot] = {}
    for slot in (each.slot for fact in facts for each in store.reader.of(fact) if not each.ended):
        values[slot.key].add(folded(slot.value))
        slots[slot.key] = slot
    names = {folded(name) for slot in slots.values() if slot.attribute == NAME for name in (slot.subject, slot.value)}
    asked = (slot for key, slot in slots.items() if len(values[key]) > 1 or folded(slot.subject) in names)
    answers = (
        store.value(slot.subject, attribute=slot.attribute, as_of=as_of) for slot in asked if _may_clash(slot, store)
    )
    return [answer.periods for answer in answers if answer.contested]


def _may_clash(slot: FactSlot, store: FactStore) -> bool:
    rule = store.slots.rule(slot.attribute)
    return rule is None or rule.values != "many"


@dataclass(frozen=True)
class ContestedSlots:
    """Contested slots by the passages that state their values.

    Attributes:
        stated: for each slot the passages, with the values they state.
    """

    stated: tuple[tuple[tuple[int, SlotPeriod], ...], ...] = ()

    @classmethod
    def of(cls, slots: Iterable[Sequence[SlotPeriod]], *, passages: Sequence[Evidence]) -> Self:
        """Find the values of slots among passages, by their facts' ids."""
        places = {piece.id: place for place, piece in enumerate(passages)}
        told = (tuple((places[each.fact.id], each) for each in some if each.fact.id in places) for some in slots)
        return cls(tuple(told))

    def clashes(self) -> Iterator[Clash]:
        """Yield each passage with the first that gives its slot another value."""
        for stated in self.stated:
            firsts: dict[str, tuple[int, SlotPeriod]] = {}
            for place, period in stated:
                firsts.setdefault(folded(period.value), (place, period))
            for place, period in stated:
                rivals = (each for value, each in firsts.items() if value != folded(period.value) and each[0] != place)
                if (rival := next(rivals, None)) is not None:
                    yield Clash(place, period.fact.text, rival[0], rival[1].fact.text, 1.0, None)

    def left_by(self, near: NearPairs, *, said: Statements) -> NearPairs:
        """Leave out the pairs that give one contested slot two values."""
        pairs = said.homes[near.places].tolist()
        return near.where(np.array([not self._differ(one, other) for one, other in pairs], dtype=np.bool_))

    def _differ(self, one: int, other: int) -> bool:
        told = self._of[other]
        return any(told.get(slot, value) != value for slot, value in self._of[one].items())

    @cached_property
    def _of(self) -> defaultdict[int, dict[int, str]]:
        """The contested slots of each passage, with their values."""
        found: defaultdict[int, dict[int, str]] = defaultdict(dict)
        for slot, stated in enumerate(self.stated):
            for place, period in stated:
                found[place][slot] = folded(period.value)
        return found
