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
from dateline.facts.rivals import is_rival
from dateline.facts.slot_reader import SlotReader
from dateline.facts.store import FactStore
from dateline.records import Evidence


def contested_values(store: FactStore, facts: Iterable[Fact], *, as_of: datetime) -> list[tuple[Fact, ...]]:
    """List each contested slot's facts, where several values were told.

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
        >>> [[fact.slot.value for fact in some] for some in contested_values(store, facts, as_of=now())]
        [['Porto', 'Lisbon']]
    """
    values: dict[str, set[str]] = defaultdict(set)
    slots: dict[str, FactSlot] = {}
    for slot in (each.slot for fact in facts for each in store.reader.of(fact) if not each.ended):
        values[slot.key].add(folded(slot.value))
        slots[slot.key] = slot
    several = (slots[key] for key, told in values.items() if len(told) > 1)
    asked = (slot for slot in several if store.slots.cardinality(slot.attribute) != "many")
    answers = (store.value(slot.subject, attribute=slot.attribute, as_of=as_of) for slot in asked)
    # What was told under another name is compared by the judge, as any two statements are.
    return [
        tuple(each.fact for each in answer.periods if each.renamed is None) for answer in answers if answer.contested
    ]


@dataclass(frozen=True)
class ContestedSlots:
    """Contested slots by the passages that state their values.

    Attributes:
        stated: for each slot the passages, with what they state.
    """

    stated: tuple[tuple[tuple[int, Fact], ...], ...] = ()

    @classmethod
    def of(cls, slots: Iterable[Sequence[Fact]], *, passages: Sequence[Evidence]) -> Self:
        """Find the facts of slots among passages, by their ids."""
        places = {piece.id: place for place, piece in enumerate(passages)}
        return cls(tuple(tuple((places[each.id], each) for each in facts if each.id in places) for facts in slots))

    def clashes(self, slots: SlotReader) -> Iterator[Clash]:
        """Yield each passage with the first that gives its slot another value."""
        for stated in self.stated:
            for place, fact in stated:
                rivals = (each for each in stated if is_rival(fact, each[1], slots=slots))
                if (rival := next(rivals, None)) is not None:
                    yield Clash(place, fact.text, rival[0], rival[1].text, 1.0, None)

    def left_by(self, near: NearPairs, *, said: Statements) -> NearPairs:
        """Leave out the pairs that both state one contested slot."""
        pairs = said.homes[near.places].tolist()
        return near.where(np.array([self._of[one].isdisjoint(self._of[other]) for one, other in pairs], dtype=np.bool_))

    @cached_property
    def _of(self) -> defaultdict[int, set[int]]:
        """The contested slots of each passage."""
        found: defaultdict[int, set[int]] = defaultdict(set)
        for number, stated in enumerate(self.stated):
            for place, _ in stated:
                found[place].add(number)
        return found
