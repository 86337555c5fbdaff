"""Values that a few facts lead to from a question's names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from dateline.facts.fact import Fact, FactSlot, Moment, folded
from dateline.facts.slot_history import SlotAnswer
from dateline.facts.store import FactStore
from dateline.temporal.as_of import AsOf
from dateline.text.words import stems

_NEAR = 40
"""Facts near a question that may name whom it asks about. Chosen by hand."""


class FactPath(NamedTuple):
    """Values, and the facts that lead to them.

    Attributes:
        asked: the question that they answer, in plain words.
        facts: in the order in which they lead there.
        answer: the slot that has the values; `None` where they are whoever has a value.
    """

    asked: str
    values: tuple[str, ...]
    facts: tuple[Fact, ...]
    answer: SlotAnswer | None = None

    @property
    def text(self) -> str:
        return " ".join(dict.fromkeys(fact.text for fact in self.facts))


@dataclass(frozen=True)
class FactPaths:
    """Finder of what a store knows around the names in a question.

    Example:
        >>> from dateline.facts import ExactIndex, MemoryLedger
        >>> from dateline.temporal.as_of import now
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())
        >>> changes = store.remember("Ada", attribute="employer", value="Tolvex", since="2020")
        >>> changes = store.remember("Tolvex", attribute="owner", value="Jon", since="2019")
        >>> for path in FactPaths("Who owns the firm that Ada works for?", store=store, as_of=now()).every():
        ...     print(path.asked, path.values)
        What is the employer of Ada? ('Tolvex',)
        What is the owner of the employer of Ada? ('Jon',)
    """

    question: str
    store: FactStore
    as_of: Moment
    known_at: AsOf = None

    def every(self) -> list[FactPath]:
        """List the paths from the question's names, shorter ones first."""
        # Of several who have a value each leads to values of its own.
        every = {(path.asked, path.values): path for fact, slot in self._said for path in self._from(fact, slot)}
        return sorted(every.values(), key=lambda path: len(path.facts))

    @cached_property
    def _said(self) -> list[tuple[Fact, FactSlot]]:
        found = self.store.search(self.question, as_of=self.as_of, known_at=self.known_at, k=_NEAR)
        return [(each.fact, one.slot) for each in found for one in self.store.reader.of(each.fact) if not one.ended]

    def _from(self, fact: Fact, slot: FactSlot) -> Iterator[FactPath]:
        if self._names(slot.subject):
            yield from self._value(slot.attribute, of=slot.subject, whose=slot.subject)
            yield from self._onward(fact, slot, to=slot.value, whose=f"the {slot.attribute} of {slot.subject}")
        if self._names(slot.value):
            asked = f"Whose {slot.attribute} is {slot.value}?"
            holders = self.store.holders(slot.attribute, value=slot.value, as_of=self.as_of, known_at=self.known_at)
            yield FactPath(asked, tuple(holders), (fact,))
            whose = f"the one whose {slot.attribute} is {slot.value}"
            yield from self._onward(fact, slot, to=slot.subject, whose=whose)

    def _onward(self, fact: Fact, slot: FactSlot, *, to: str, whose: str) -> Iterator[FactPath]:
        """Yield what is known of the other end of a fact."""
        if not self._names(to):
            near = (each.attribute for _, each in self._said if folded(each.subject) == folded(to))
            for attribute in dict.fromkeys([*self.store.declared_of(to), *near]):
                if attribute != slot.attribute:
                    yield from self._value(attribute, of=to, whose=whose, by=(fact,))

    def _value(self, attribute: str, *, of: str, whose: str, by: tuple[Fact, ...] = ()) -> Iterator[FactPath]:
        answer = self.store.value(of, attribute=attribute, as_of=self.as_of, known_at=self.known_at)
        if answer.values:
            facts = (*by, *(period.fact for period in answer.periods))
            yield FactPath(f"What is the {attribute} of {whose}?", answer.values, facts, answer)

    def _names(self, name: str) -> bool:
        """Check that the question holds all words of a name."""
        own = stems(name)
        said = self._stems
        return bool(own) and any(said[place : place + len(own)] == own for place in range(len(said)))

    @cached_property
    def _stems(self) -> list[str]:
        return stems(self.question)
