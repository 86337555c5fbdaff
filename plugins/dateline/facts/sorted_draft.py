"""A draft's operations, sorted into what lands, waits or is refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from dateline.facts.draft import Draft
from dateline.facts.operation import AddFact, FactSource, Operation, Reinforce, Rewrite
from dateline.facts.policy import Policy, ended_fact
from dateline.facts.proposal import Proposal, WaitsFor, proposal_of
from dateline.facts.proposals import Proposals
from dateline.records import Evidence
from dateline.temporal.interval import opening


class SortedDraft:
    """A draft's operations by what the policy does with them."""

    def __init__(self, draft: Draft, *, document: Evidence, policy: Policy, proposals: Proposals) -> None:
        self._document, self._policy, self._proposals = document, policy, proposals
        self.landing: list[Operation] = []
        self.pending: list[Proposal] = []
        self.agreed: list[tuple[Proposal, frozenset[FactSource]]] = []
        """What others said and lands because this document agrees, and who does."""
        self.joined: list[Proposal] = []
        """This document's own part of it, which waits again where another is withdrawn."""
        self._agreeing: dict[str, frozenset[FactSource]] = {}
        self.rejected: list[str] = []
        operations = draft.operations
        held = {operation.id: waits for operation in operations if (waits := self._waits_for(operation)) is not None}
        waiting = {id: waits for id, waits in held.items() if waits != "agreed"}
        companions = self._companions(operations, waiting, brought_by=draft.brought_by)
        for operation in operations:
            if operation.id in held:
                self._hold(operation, held[operation.id], companions.get(operation.id, ()))
            if operation.id not in waiting and not any(operation in some for some in companions.values()):
                self.landing.append(operation.resting_on(self._agreeing.get(operation.id, ())))

    def _waits_for(self, operation: Operation) -> WaitsFor | Literal["nothing", "agreed"] | None:
        """Return the reason to wait; "nothing" for an edit decided against.

        "agreed": with it enough sources agree, and it lands with theirs.
        """
        policy = self._policy
        needed = policy.sources_needed(operation, kind=self._document.kind)
        free = needed == 1 and not policy.needs_approval(operation)
        if free or self._denies_nothing(operation):
            return None
        decision = self._proposals.decision(operation.id)
        if decision is not None:
            return None if decision.verdict == "approve" else "nothing"
        return self._waits_for_others(operation, needed) if needed > 1 else "person"

    def _waits_for_others(self, operation: Operation, needed: int) -> WaitsFor | Literal["agreed"] | None:
        """Count who denies a fact; land what enough sources bear out."""
        waiting = [one for one in self._proposals.waiting(ended_fact(operation)) if one.document != operation.document]
        said = [operation, *(one.operation for one in waiting)]
        spoken = self._proposals.denials(operation, beside=said)
        enough = len(spoken) >= needed
        if self._policy.needs_approval(operation):
            return "person" if enough else "sources"
        self.agreed += self._landing_of(waiting, said)
        if not enough:
            return "sources"
        agreeing = frozenset({operation.source, *_sources(spoken)})
        if len(agreeing) == 1:
            return None
        self._agreeing[operation.id] = agreeing
        return "agreed"

    def _landing_of(
        self, waiting: Sequence[Proposal], said: Sequence[Operation]
    ) -> Iterator[tuple[Proposal, frozenset[FactSource]]]:
        """Yield what waited and lands, each with all that it rests on.

        Each needs enough sources by its own day.
        """
        for one in waiting:
            spoken = self._proposals.denials(one.operation, beside=[one.operation, *said])
            if len(spoken) >= one.sources_needed:
                yield one, _sources(spoken)

    def _denies_nothing(self, operation: Operation) -> bool:
        """Recognise the end of what nobody else stated, or was false then."""
        if operation.kind != "make_false":
            return False
        history = self._proposals.fact_history(operation.fact_id)
        # Of an end that is open, the day on which it begins.
        return history is None or history.true_at(opening(operation.when)) is False

    def _companions(
        self, operations: Sequence[Operation], held: Mapping[str, str], *, brought_by: Mapping[str, Sequence[str]]
    ) -> dict[str, tuple[Operation, ...]]:
        """Group what only waiting statements bring under each of these."""
        stated = {
            said.fact_id: operation.id
            for operation in operations
            if operation.id in held and isinstance(operation, AddFact | Reinforce | Rewrite)
            for said in operation.assertions
            if said.true
        }
        found: dict[str, tuple[Operation, ...]] = {}
        for operation in (each for each in operations if each.id not in held):
            own = [stated[said.fact_id] for said in operation.assertions if said.fact_id in stated]
            bases = own or brought_by.get(operation.id, ())
            if bases and held.keys() >= set(bases):
                found.update({base: (*found.get(base, ()), operation) for base in bases})
        return found

    def _hold(self, operation: Operation, waits: str, companions: tuple[Operation, ...]) -> None:
        fact_id = operation.assertions[0].fact_id
        history = self._proposals.fact_history(fact_id)
        if waits == "nothing":
            text = history.fact.text if history else operation.facts[0].text
            self.rejected.append(f"A person decided otherwise before: “{text}”")
            return
        queue = self.joined if waits == "agreed" else self.pending
        queue.append(
            proposal_of(
                operation,
                history=history,
                waits_for="person" if waits == "person" else "sources",
                sources_needed=self._policy.sources_needed(operation, kind=self._document.kind),
                title=self._document.title,
                companions=companions,
                ends=self._ends(companions, operation),
            )
        )

    def _ends(self, companions: Sequence[Operation], operation: Operation) -> tuple[str, ...]:
        own = {said.fact_id for said in operation.assertions}
        ended = (ended_fact(one) for one in companions)
        histories = (self._proposals.fact_history(fact_id) for fact_id in ended if fact_id and fact_id not in own)
        return tuple(history.fact.text for history in histories if history is not None)


def _sources(spoken: Mapping[str, FactSource | None]) -> frozenset[FactSource]:
    """Return the sources of those whose word has not landed."""
    return frozenset(source for source in spoken.values() if source is not None)
