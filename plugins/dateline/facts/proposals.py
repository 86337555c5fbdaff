"""Proposals of a store with what was decided about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dateline.channels import publisher_of
from dateline.errors import BadInput
from dateline.evidence.knowledge import end_of_knowledge
from dateline.facts.fact import FactHistory
from dateline.facts.late_documents import is_before, last_affirmed
from dateline.facts.operation import FactSource, Operation
from dateline.facts.policy import ended_fact
from dateline.facts.proposal import Proposal, ReviewDecision, WaitsFor
from dateline.facts.review_notes import ReviewNotes
from dateline.facts.store import EVER, FactStore

AGREED = "Enough sources agree."


class Proposals:
    """All proposals of a store, read with its ledger and decisions."""

    def __init__(self, store: FactStore) -> None:
        self._store = store
        self._notes = ReviewNotes(store.ledger.notes)

    def pending(self, waits_for: WaitsFor | None = None) -> list[Proposal]:
        """List proposals that nobody has decided about, in the order of arrival."""
        return [one for one in self.history() if waits_for in (None, one.waits_for) and self._waits(one)]

    def history(self) -> list[Proposal]:
        """Return all proposals ever queued, with their decisions, in arrival order."""
        decisions = self._notes.decisions()
        return [
            one.model_copy(update={"decision": decisions.get(one.id) or self._agreement_on(one)})
            for one in self._notes.proposals()
        ]

    def decision(self, id: str) -> ReviewDecision | None:
        """Return the decision about a proposal, or `None`."""
        return self._notes.decision(id)

    def waiting(self, fact_id: str) -> list[Proposal]:
        """List what waits for sources to end a fact, oldest first."""
        return [
            one
            for one in self._notes.proposals(about=fact_id)
            if one.waits_for == "sources"
            and ended_fact(one.operation) == fact_id
            and self._notes.decision(one.id) is None
            and self._waits(one.model_copy(update={"decision": self._agreement_on(one)}))
        ]

    def denials(self, operation: Operation, *, beside: Sequence[Operation]) -> Mapping[str, FactSource | None]:
        """Return the publishers against a fact by a denial's day.

        Of what landed, only what denies it by then speaks for an end then. What waits also does where it speaks later, unless
        it was announced for later, or the fact was affirmed in between.

        Args:
            beside: what waits.
        """
        history, when = self.fact_history(ended_fact(operation)), operation.when
        told = () if history is None else history.visible()
        entries = [entry for entry in told if not is_before(when, entry.when)]
        last = last_affirmed(entries)
        spoken: dict[str, FactSource | None] = {publisher_of(entry.speaker): None for entry in entries[last + 1 :]}
        for each in beside:
            by_then = [entry for entry in told if not is_before(each.when, entry.when)]
            if last_affirmed(by_then) == last and not (is_before(when, each.when) and _is_announced(each)):
                spoken.setdefault(publisher_of(each.speaker), each.source)
        return spoken

    def fact_history(self, fact_id: str) -> FactHistory | None:
        """Return a fact's history, `None` where the store does not know it."""
        try:
            return self._store.history(fact_id, as_of=EVER)
        except BadInput:
            return None

    def _waits(self, proposal: Proposal) -> bool:
        own = proposal.operation
        return proposal.decision is None and self._store.revision(own.document) == own.revision

    def _agreement_on(self, proposal: Proposal) -> ReviewDecision | None:
        """Tell by what stands that sources agreed.

        Withdrawing one of them opens the edit again.
        """
        history = self.fact_history(ended_fact(proposal.operation)) if proposal.waits_for == "sources" else None
        landed = (
            entry
            for entry in (() if history is None else history.visible())
            if not entry.true
            and entry.when == proposal.operation.when  # its document may have denied more
            and (entry.document, entry.revision) == proposal.operation.source
        )
        entry = next(landed, None)
        if entry is None:
            return None
        return ReviewDecision(id=proposal.id, verdict="approve", reason=AGREED, decided_at=entry.known_at)


def _is_announced(operation: Operation) -> bool:
    """Check that an edit was still to come when it was learnt."""
    when = operation.when
    return when is not None and when.start is not None and when.start >= end_of_knowledge(operation.known_at)
