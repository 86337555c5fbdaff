"""Rules applied to facts that a search found."""

from __future__ import annotations

from datetime import datetime

from dateline.facts.fact import Derivation, Fact, FactJudgement, FactSlot, FoundFact, Moment
from dateline.facts.fold import Clocks, FactFilter
from dateline.facts.rivals import is_rival
from dateline.facts.slot_history import SlotPeriod
from dateline.facts.slot_values import MOST, SlotValues


class RuledFacts(SlotValues):
    """Rules of `FactStore` applied to found facts: what follows, contests, has ended."""

    def _is_known(self, name: str) -> bool:
        """Check that rules have something to say of a name."""
        pack = self.slots
        return bool(
            self.fold.tagged(
                *(tag for each in pack.in_rules for tag in (*pack.keys(name, each), *pack.value_tags(each, name)))
            )
        )

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
        for slot in (each.slot for each in self.reader.of(fact) if not each.ended):
            if self.slots.inferring(slot.attribute):
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
        alone = self._cardinality(slot.attribute, known_at=known_at) != "many"
        contested = self._contested(found.fact, Clocks.of(as_of, known_at)) if alone else ()
        if not self.slots.inferring(slot.attribute):
            return found.model_copy(update={"contested": contested})
        periods = self._periods(slot.subject, slot.attribute, as_of=as_of, known_at=known_at)
        own = [each for each in periods if each.fact.id == found.fact.id]
        inferred = (each.fact for each in periods if each.derivation is not None and each.until is None)
        rivals = [fact for fact in inferred if is_rival(found.fact, fact, slots=self.reader)]
        doubted = found.doubted or (own[-1].doubted if own else None)
        return found.model_copy(update={"contested": (*contested, *rivals) if alone else (), "doubted": doubted})

    def _contested(self, fact: Fact, clocks: Clocks) -> tuple[Fact, ...]:
        """List facts that give the slot another value at a time."""
        wanted = FactFilter(clocks=clocks, tags=tuple(self._tags_of(fact)))
        others = self.fold.histories(list(self.fold.few(wanted, limit=MOST) or ()))
        return tuple(each.fact for each in others if is_rival(fact, each.fact, slots=self.reader))
