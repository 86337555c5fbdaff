"""Proposals and decisions, as a ledger's notes keep them."""

from __future__ import annotations

from pydantic_core import to_json

from dateline.facts.notes import Notes
from dateline.facts.proposal import Proposal, ReviewDecision


class ReviewNotes:
    """Reads what was proposed and decided."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes

    def proposals(self, *, about: str = "") -> list[Proposal]:
        """List all proposals ever queued, in arrival order, without decisions.

        Args:
            about: the id of a fact; those that do not mention it may be left out.
        """
        written = to_json(about).decode()
        texts = self._notes.all("proposal").values()
        return [Proposal.model_validate_json(text) for text in texts if not about or written in text]

    def decisions(self) -> dict[str, ReviewDecision]:
        """Return what people decided, by the ids of proposals."""
        return {id: ReviewDecision.model_validate_json(text) for id, text in self._notes.all("decision").items()}

    def decision(self, id: str) -> ReviewDecision | None:
        """Return the decision about a proposal, or `None`."""
        text = self._notes.read("decision", id)
        return None if text is None else ReviewDecision.model_validate_json(text)
