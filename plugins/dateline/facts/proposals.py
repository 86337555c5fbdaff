"""Proposals of a store with what was decided about them."""

from __future__ import annotations

from collections.abc import Mapping

from dateline.channels import publisher_of
from dateline.errors import BadInput
from dateline.facts.fact import FactHistory
from dateline.facts.late_documents import is_before
from dateline.facts.policy import ended_fact
from dateline.facts.proposal import Proposal, ReviewDecision, WaitsFor
from dateline.facts.review_notes import ReviewNotes
from dateline.facts.store import EVER, FactStore
from dateline.temporal.interval import Interval

AGREED = "Enough sources agree."


class Proposals:
    """All proposals of a store, read with its ledger and decisions."""

    def __init__(self, store: FactStore) -> None:
        self._store = store
        self._notes = ReviewNotes(store.ledger.notes)

    def pending(self, waits_for: WaitsFor | None = None) -> list[Proposal]:
        """List proposals that nobody has decided about, in the order of arrival."""
        return [
            one
            for one in self.history()
            if one.decision is None
            and waits_for in (None, one.waits_for)
            and self._store.revision(one.document) == one.operation.revision
        ]

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

    def denials(self, fact_id: str, *, when: Interval | None) -> Mapping[str, Proposal | None]:
        """Return the publishers against a fact, with their waiting proposals.

        Of what landed, only what denies it by `when` speaks for an end then.
        """
        history = self.fact_history(fact_id)
        entries = () if history is None else history.visible()
        last = max((place for place, entry in enumerate(entries) if entry.true), default=-1)
        affirmed = entries[last].when if last >= 0 else None
        landed = (entry for entry in entries[last + 1 :] if not is_before(when, entry.when))
        spoken: dict[str, Proposal | None] = {publisher_of(entry.speaker): None for entry in landed}
        for one in self.pending("sources"):
            if ended_fact(one.operation) == fact_id and not is_before(one.operation.when, affirmed):
                spoken.setdefault(publisher_of(one.operation.speaker), one)
        return spoken

    def fact_history(self, fact_id: str) -> FactHistory | None:
        """Return a fact's history, `None` where the store does not know it."""
        try:
            return self._store.history(fact_id, as_of=EVER)
        except BadInput:
            return None

    def _agreement_on(self, proposal: Proposal) -> ReviewDecision | None:
        """Tell by what stands that sources agreed.

        Withdrawing one of them opens the edit again.
        """
        history = self.fact_history(ended_fact(proposal.operation)) if proposal.waits_for == "sources" else None
        landed = (
            entry
            for entry in (() if history is None else history.visible())
            if not entry.true and (entry.document, entry.revision) == proposal.operation.source
        )
        entry = next(landed, None)
        if entry is None:
            return None
        return ReviewDecision(id=proposal.id, verdict="approve", reason=AGREED, decided_at=entry.known_at)
