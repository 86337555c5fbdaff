"""Where updaters hand in what a document amounts to: the policy decides what lands, what waits and what is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from dateline.errors import BadInput
from dateline.facts.changes import Change, Changes
from dateline.facts.fact import FactHistory
from dateline.facts.operation import AddFact, Operation, Reinforce, Rewrite
from dateline.facts.policy import CLOSING, Policy
from dateline.facts.proposal import Proposal, Ruling, Waits, proposal_of
from dateline.facts.store import FactStore
from dateline.records import Cost, Evidence, Record

AGREED = "Enough sources agree."


class Draft(Record):
    """What an updater makes of a document, before anything is written."""

    operations: tuple[Annotated[Operation, Field(discriminator="kind")], ...] = ()
    cost: Cost = Cost()
    skipped: tuple[str, ...] = Field(default=(), description="What was left out, and why.")
    notes: tuple[str, ...] = ()


class Desk:
    """Applies drafts under a policy, and keeps what waits beside the ledger until it is decided.

    Args:
        policy: by default every edit lands at once.
    """

    def __init__(self, store: FactStore, *, policy: Policy | None = None) -> None:
        self.store = store
        self.policy = policy or Policy()
        self._notes = store.ledger.notes

    def refuse(self, document: Evidence, *, dry_run: bool = False) -> Changes | None:
        """Why a document is not worth a look: its source may not edit, or the store has it. `None`: it is."""
        reason = ""
        if not self.policy.allows(document.source):
            allowed = ", ".join(self.policy.sources or ())
            reason = f"The source {document.source!r} may not edit; the policy allows {allowed}."
        elif self.store.stands(document.id):
            reason = "The store has this document already."
        return Changes(document=document.id, dry_run=dry_run, skipped=(reason,)) if reason else None

    def submit(self, document: Evidence, draft: Draft, *, known_at: datetime, dry_run: bool = False) -> Changes:
        """Let land what the policy lets pass, all of it in one transaction, and keep the rest as proposals.

        Handing in the same draft again changes nothing; what was rejected stays so.

        Args:
            dry_run: write nothing, say what would land and what would wait.
        """
        sorting = _Sorting(self, document, draft)
        if dry_run:
            changes = self.store.preview(document.id, sorting.landing)
        else:
            self._notes.write("proposal", {one.id: one.model_dump_json() for one in sorting.waiting})
            # Those that waited come first: after a crash in between, this document's word is still counted anew.
            changes = self._land(sorting.agreed, known_at=known_at) + self.store.apply(document.id, sorting.landing)
        return Changes(
            document=document.id,
            changes=tuple(changes),
            cost=draft.cost,
            dry_run=dry_run,
            skipped=(*draft.skipped, *sorting.rejected),
            notes=draft.notes,
            waiting=tuple(sorting.waiting),
        )

    def waiting(self, waits_for: Waits | None = None) -> list[Proposal]:
        """The proposals that nobody has decided about, in the order of arrival."""
        return [
            one
            for one in self.trail()
            if one.ruling is None
            and waits_for in (None, one.waits_for)
            and self.store.revision(one.document) == one.operation.revision
        ]

    def trail(self) -> list[Proposal]:
        """Every edit that ever waited, with what was decided about it and why, in the order of arrival."""
        rulings = {id: Ruling.model_validate_json(text) for id, text in self._notes.all("decision").items()}
        proposals = map(Proposal.model_validate_json, self._notes.all("proposal").values())
        return [one.model_copy(update={"ruling": rulings.get(one.id)}) for one in proposals]

    def decide(self, rulings: Sequence[Ruling], *, known_at: datetime) -> list[Changes]:
        """Let land what a person approves or changes, document by document; what changed.

        Where an approved edit ends a fact, proposals of other sources that waited to end it land with it.

        Raises:
            BadInput: for an unknown proposal, or one that is decided already; nothing lands then.
        """
        proposals = {one.id: one for one in self.waiting()}
        for ruling in rulings:
            if ruling.id not in proposals:
                raise BadInput(f"No edit {ruling.id!r} is waiting; see Desk.waiting() for those that are.")
        by_document: dict[str, list[Operation]] = {}
        for ruling in rulings:
            document = proposals[ruling.id].document
            by_document.setdefault(document, []).extend(proposals[ruling.id].operations(ruling, known_at=known_at))
        changes = {id: self.store.apply(id, operations) for id, operations in by_document.items()}
        self._settle([ruling.model_copy(update={"decided_at": known_at}) for ruling in rulings])
        ended = {_ended(proposals[ruling.id].operation) for ruling in rulings if ruling.verdict != "reject"} - {""}
        agreed = [one for one in self.waiting("sources") if _ended(one.operation) in ended]
        for change in self._land(agreed, known_at=known_at):
            changes.setdefault(change.document, []).append(change)
        return [Changes(document=id, changes=tuple(changed)) for id, changed in changes.items()]

    def denials(self, fact_id: str) -> Mapping[str, Proposal | None]:
        """The sources that speak against a fact, in lower case, with their proposals where these wait."""
        history = self.history(fact_id)
        entries = () if history is None else history.visible()
        last = max((place for place, entry in enumerate(entries) if entry.true), default=-1)
        spoken: dict[str, Proposal | None] = {
            _source(entry.origin, entry.document): None for entry in entries[last + 1 :]
        }
        for one in self.waiting("sources"):
            if _ended(one.operation) == fact_id:
                spoken.setdefault(_source(one.source, one.document), one)
        return spoken

    def history(self, fact_id: str) -> FactHistory | None:
        """A fact's history, `None` where the store does not know it."""
        try:
            return self.store.history(fact_id)
        except BadInput:
            return None

    def ruling(self, id: str) -> Ruling | None:
        """What was decided about a proposal, `None` where nothing was."""
        text = self._notes.read("decision", id)
        return None if text is None else Ruling.model_validate_json(text)

    def _land(self, agreed: Sequence[Proposal], *, known_at: datetime) -> list[Change]:
        changes: list[Change] = []
        for one in agreed:
            ruling = Ruling(id=one.id, verdict="approve", reason=AGREED, decided_at=known_at)
            changes += self.store.apply(one.document, one.operations(ruling, known_at=known_at))
            self._settle([ruling])
        return changes

    def _settle(self, rulings: Sequence[Ruling]) -> None:
        self._notes.write("decision", {ruling.id: ruling.model_dump_json() for ruling in rulings})


class _Sorting:
    """A draft's operations by what the policy does with them."""

    def __init__(self, desk: Desk, document: Evidence, draft: Draft) -> None:
        self._desk = desk
        self._document = document
        self.landing: list[Operation] = []
        self.waiting: list[Proposal] = []
        self.agreed: list[Proposal] = []
        self.rejected: list[str] = []
        revision = desk.store.revision(document.id)
        operations = [operation.revised(revision) for operation in draft.operations]
        held = {operation.id: waits for operation in operations if (waits := self._waits_for(operation)) is not None}
        companions = self._companions(operations, held)
        for operation in operations:
            if operation.id in held:
                self._hold(operation, held[operation.id], companions.get(operation.id, ()))
            elif not any(operation in some for some in companions.values()):
                self.landing.append(operation)

    def _waits_for(self, operation: Operation) -> Waits | Literal["nothing"] | None:
        """What an operation waits for; "nothing" where it was decided that it does not land."""
        policy = self._desk.policy
        needed = policy.sources_needed(operation, kind=self._document.kind)
        if (needed == 1 and not policy.asks_for(operation)) or self._denies_again(operation):
            return None
        ruling = self._desk.ruling(operation.id)
        if ruling is not None:
            return None if ruling.verdict == "approve" else "nothing"
        if needed > 1:
            spoken = self._desk.denials(_ended(operation))
            if len({*spoken, _source(operation.origin, operation.document)}) < needed:
                return "sources"
            if not policy.asks_for(operation):
                self.agreed += [
                    one for one in spoken.values() if one is not None and one.document != operation.document
                ]
        return "person" if policy.asks_for(operation) else None

    def _denies_again(self, operation: Operation) -> bool:
        """Whether an edit only repeats that a fact was false then; nobody needs to be asked about that."""
        if operation.kind != "make_false":
            return False
        history = self._desk.history(operation.fact_id)
        return history is not None and history.true_at(operation.when) is False

    def _companions(self, operations: Sequence[Operation], held: Mapping[str, str]) -> dict[str, tuple[Operation, ...]]:
        """What speaks of statements that wait, by the operation that makes the statement."""
        stated = {
            said.fact_id: operation.id
            for operation in operations
            if operation.id in held and isinstance(operation, AddFact | Reinforce | Rewrite)
            for said in operation.said
            if said.true
        }
        found: dict[str, tuple[Operation, ...]] = {}
        for operation in operations:
            base = next((stated[said.fact_id] for said in operation.said if said.fact_id in stated), None)
            if base is not None and operation.id not in held:
                found[base] = (*found.get(base, ()), operation)
        return found

    def _hold(self, operation: Operation, waits: str, companions: tuple[Operation, ...]) -> None:
        fact_id = operation.said[0].fact_id
        history = self._desk.history(fact_id)
        if waits == "nothing":
            text = history.fact.text if history else operation.facts[0].text
            self.rejected.append(f"A person decided otherwise before: “{text}”")
            return
        self.waiting.append(
            proposal_of(
                operation,
                history=history,
                waits_for="person" if waits == "person" else "sources",
                sources_needed=self._desk.policy.sources_needed(operation, kind=self._document.kind),
                title=self._document.title,
                companions=companions,
            )
        )


def _ended(operation: Operation) -> str:
    """Id of the fact that an operation ends, empty where it ends none."""
    return operation.said[0].fact_id if operation.kind in CLOSING else ""


def _source(origin: str, document: str) -> str:
    return (origin or document).casefold()
