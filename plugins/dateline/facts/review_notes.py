"""Proposals and decisions, as a ledger's notes keep them."""

from __future__ import annotations

from dateline.facts.notes import Notes
from dateline.facts.proposal import Proposal, ReviewDecision


class ReviewNotes:
    """Reads what was proposed and decided."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes

    def proposals(self) -> list[Proposal]:
        """List all proposals ever queued, in arrival order, without decisions."""
        return list(map(Proposal.model_validate_json, self._notes.all("proposal").values()))

    def decisions(self) -> dict[str, ReviewDecision]:
        """Return what people decided, by the ids of proposals."""
        return {id: ReviewDecision.model_validate_json(text) for id, text in self._notes.all("decision").items()}

    def decision(self, id: str) -> ReviewDecision | None:
        """Return the decision about a proposal, or `None`."""
        text = self._notes.read("decision", id)
        return None if text is None else ReviewDecision.model_validate_json(text)
