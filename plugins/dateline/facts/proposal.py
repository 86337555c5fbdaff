"""Waiting edits in readable words, and the decisions about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, Field, ValidationError

from dateline.errors import BadInput
from dateline.facts.fact import FactHistory
from dateline.facts.fact_reader import stated_fact
from dateline.facts.operation import AddFact, Erased, Forget, MakeFalse, Operation, Reinforce, Rewrite, UndoDocument
from dateline.facts.policy import EditKind
from dateline.facts.slot_reader import SlotReader
from dateline.handwritten.facts.statement import Statement
from dateline.records import Record
from dateline.temporal.interval import beginning

WaitsFor = Literal["sources", "person"]
"""What for: until enough sources agree, or until a person has decided."""

ReviewVerdict = Literal["approve", "edit", "reject"]


_SHOWN = {
    "id",
    "edit",
    "fact",
    "into",
    "before",
    "after",
    "ends",
    "document",
    "source",
    "channel",
    "title",
    "reason",
}


class ReviewDecision(Record):
    """Decision about a proposal."""

    id: str = Field(description="Id of the proposal.")
    verdict: ReviewVerdict
    text: str | None = Field(
        default=None,
        description="To edit: the statement to store in place of the proposed one; empty: the old one just ends.",
    )
    reason: str = ""
    decided_at: AwareDatetime | None = Field(default=None, description="Knowledge time; the review queue sets it.")


class Proposal(Record):
    """An edit that a document proposes and that has not landed."""

    id: str
    edit: EditKind
    fact: str = Field(description="The statement concerned.")
    into: str = Field(default="", description="What would take its place.")
    before: str = Field(description="Its truth now.")
    after: str = Field(description="Its truth once the edit has landed.")
    ends: tuple[str, ...] = Field(default=(), description="What ends with it.")
    document: str
    source: str = Field(default="", description="The document's own word for where it comes from.")
    channel: str = Field(default="", description="What it came through, as told by what loaded it.")
    title: str = ""
    reason: str = ""
    waits_for: WaitsFor
    sources_needed: int = 1
    operation: Annotated[Operation, Field(discriminator="kind")]
    companions: tuple[Annotated[Operation, Field(discriminator="kind")], ...] = Field(
        default=(), description="What makes sense only together with it."
    )
    decision: ReviewDecision | None = Field(default=None, description="None: it still waits.")

    def readable(self) -> dict[str, Any]:
        """Return the JSON that a person needs to decide."""
        told = self.model_dump(mode="json", include=_SHOWN)
        return {name: value for name, value in told.items() if value not in ("", [])}

    def operations(self, decision: ReviewDecision, *, known_at: datetime, slots: SlotReader) -> list[Operation]:
        """List operations that a decision lets land; a rejection lets none.

        `slots` reads what a person wrote instead.
        """
        if decision.verdict == "reject":
            return []
        if decision.verdict == "edit" and decision.text is None:
            raise BadInput(
                f"The changed edit {self.id!r} has no text; give the statement to store, or approve or reject it."
            )
        main = self.operation if decision.text is None else self._changed(decision.text, slots)
        companions = self.companions if decision.text is None else self._kept(decision.text, slots)
        return [replace(operation, known_at=known_at) for operation in (main, *companions)]

    def _kept(self, text: str, slots: SlotReader) -> tuple[Operation, ...]:
        """Return what stays when another statement takes its place.

        What is said of the statement itself goes, and all of it where it is not sure that the other one speaks of the same matter.
        """
        mine, theirs = (_slots_in(one, slots) for one in (self.fact, text))
        if not mine or mine != theirs:
            return ()
        own = {said.fact_id for said in self.operation.assertions}
        return tuple(one for one in self.companions if own.isdisjoint(said.fact_id for said in one.assertions))

    def _changed(self, text: str, slots: SlotReader) -> Operation:
        text, operation = text.strip(), self.operation
        stated = stated_fact(text, published=operation.when, slots=slots, about=self.title) if text else None
        if isinstance(operation, MakeFalse | Rewrite):
            if stated is None:
                return MakeFalse(**operation.shared, fact_id=operation.fact_id)
            return Rewrite(**operation.shared, fact_id=operation.fact_id, into=stated)
        if stated is None:
            raise BadInput("A new fact needs a statement; leave the edit out to reject it.")
        assert isinstance(operation, AddFact | Reinforce)
        return AddFact(**operation.shared, fact=stated)


def proposal_of(
    operation: Operation,
    *,
    history: FactHistory | None,
    waits_for: WaitsFor,
    sources_needed: int,
    title: str,
    companions: tuple[Operation, ...] = (),
    ends: tuple[str, ...] = (),
) -> Proposal:
    """Put an operation into words, with its fact's `history` where known."""
    fact = history.fact if history is not None else operation.facts[0]
    into = operation.into.text if isinstance(operation, Rewrite) else ""
    assert not isinstance(operation, UndoDocument | Erased | Forget)
    return Proposal(
        id=operation.id,
        edit=operation.kind,
        fact=fact.text,
        into=into,
        before=_truth(history),
        after=f"{'true' if operation.assertions[0].true else 'false'} from {beginning(operation.when)} on",
        ends=ends,
        document=operation.document,
        source=operation.origin,
        channel=operation.channel,
        title=title,
        reason=operation.reason,
        waits_for=waits_for,
        sources_needed=sources_needed,
        operation=operation,
        companions=companions,
    )


def read_decisions(answer: Any, *, proposals: Mapping[str, Proposal]) -> list[ReviewDecision]:
    """Read a person's decisions on proposals, one for each.

    Takes "approve", "reject", a list of edits, or {"decision": "approve" | "reject" | "edit", "edits": [...],
    "reason": "..."}. In a list of edits, each with its id, those kept as they are land, those whose `fact` (of a new
    fact) or `into` was changed land so, and those left out are rejected.

    Raises:
        BadInput: for anything else, in one sentence.
    """
    if isinstance(answer, str):
        answer = {"decision": answer.strip().casefold()}
    elif isinstance(answer, list):
        answer = {"decision": "edit", "edits": answer}
    decision = answer.get("decision") if isinstance(answer, Mapping) else None
    if decision not in ("approve", "reject", "edit"):
        raise BadInput(f"Cannot read the decision {str(answer)[:80]!r}; answer approve, reject, or a list of edits.")
    reason = str(answer.get("reason") or "")
    if decision != "edit":
        return [ReviewDecision(id=id, verdict=decision, reason=reason) for id in proposals]
    kept = _kept(answer.get("edits"), proposals)
    return [
        _decision(proposal, kept[id], reason=reason)
        if id in kept
        else ReviewDecision(id=id, verdict="reject", reason=reason or "Left out of the changed list.")
        for id, proposal in proposals.items()
    ]


def _kept(edits: Any, proposals: Mapping[str, Proposal]) -> dict[str, Mapping[str, Any]]:
    if not isinstance(edits, list) or not all(isinstance(edit, Mapping) for edit in edits):
        raise BadInput("A changed decision needs its edits as a list, each with the id of the edit it changes.")
    kept = {str(edit.get("id")): edit for edit in edits}
    strangers = [id for id in kept if id not in proposals]
    if strangers:
        raise BadInput(f"There is no proposed edit {strangers[0]!r}; use the ids of the list that was shown.")
    return kept


def _decision(proposal: Proposal, edit: Mapping[str, Any], *, reason: str) -> ReviewDecision:
    field, proposed = ("into", proposal.into) if proposal.edit in ("make_false", "rewrite") else ("fact", proposal.fact)
    given = edit.get(field, "" if field == "into" and proposal.edit == "rewrite" and "edit" in edit else proposed)
    if given is None and field == "into":
        given = ""
    if given is None:
        raise BadInput(
            f"The {field} of the edit {proposal.id!r} must be text, not null; leave the edit out to reject it."
        )
    try:
        if given == proposed:
            return ReviewDecision(id=proposal.id, verdict="approve", reason=reason)
        return ReviewDecision(id=proposal.id, verdict="edit", text=given, reason=reason)
    except ValidationError as cause:
        raise BadInput(f"The {field} of the edit {proposal.id!r} must be text, not {type(given).__name__}.") from cause


def _slots_in(text: str, slots: SlotReader) -> set[str]:
    """Return the slots that a statement fills, as documents' statements do."""
    stated = Statement.read(text).slot
    return {*(each.slot.key for each in slots.read(text)), *([] if stated is None else [stated])}


def _truth(history: FactHistory | None) -> str:
    entries = history.visible() if history is not None else ()
    if not entries:
        return "not known"
    last = entries[-1]
    return f"{'true' if last.true else 'false'} since {beginning(last.when)}"
