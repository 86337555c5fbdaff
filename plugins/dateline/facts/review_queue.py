"""Queue of drafts: a policy lets edits land, wait or be refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any, Literal, Self

from pydantic import Field

from dateline.channels import publisher_of
from dateline.errors import BadInput
from dateline.evidence.knowledge import published_from, split_known, was_known
from dateline.facts.changes import Change, Changes
from dateline.facts.fact import FactHistory
from dateline.facts.late_documents import is_before
from dateline.facts.operation import AddFact, FactSource, Operation, Reinforce, Rewrite
from dateline.facts.policy import CLOSING, Policy
from dateline.facts.proposal import Proposal, ReviewDecision, WaitsFor, proposal_of
from dateline.facts.store import EVER, FactStore
from dateline.records import Cost, Evidence, Record
from dateline.temporal.as_of import AsOf
from dateline.temporal.interval import Interval, opening

AGREED = "Enough sources agree."


class Draft(Record):
    """Operations that an updater proposes for a document."""

    operations: tuple[Annotated[Operation, Field(discriminator="kind")], ...] = ()
    brought_by: Mapping[str, tuple[str, ...]] = Field(
        default_factory=dict, description="Ids of ends, with those of the statements that bring them."
    )
    cost: Cost = Cost()
    skipped: tuple[str, ...] = Field(default=(), description="What was left out, and why.")
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, told: Iterable[Sequence[Operation]], *, skipped: tuple[str, ...] = ()) -> Self:
        """Draft statements, each given in front of the ends it brings."""
        operations: dict[str, Operation] = {}
        brought_by: dict[str, tuple[str, ...]] = {}
        for statement, *ends in told:
            # Two statements may bring the same end.
            operations.update({operation.id: operation for operation in (statement, *ends)})
            brought_by.update({end.id: (*brought_by.get(end.id, ()), statement.id) for end in ends})
        return cls(operations=tuple(operations.values()), brought_by=brought_by, skipped=skipped)


class ReviewQueue:
    """Queue that applies drafts under a policy and keeps what waits.

    Args:
        policy: by default every edit lands at once.

    Example:
        >>> from dateline import Evidence
        >>> from dateline.facts import ExactIndex, FactStore, LocalUpdater, MemoryLedger, Policy, ReviewDecision
        >>> from dateline.temporal.as_of import now
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())
        >>> updater = LocalUpdater(store, policy=Policy(interrupt_on=("add",)))
        >>> _ = updater.update([Evidence.make("The mayor is Ada Berg.")], known_at=now())
        >>> waiting = updater.review_queue.pending()
        >>> decided = updater.review_queue.decide([ReviewDecision(id=waiting[0].id, verdict="approve")], known_at=now())
        >>> [history.fact.text for history in store.at()]
        ['The mayor is Ada Berg.']
    """

    def __init__(self, store: FactStore, *, policy: Policy | None = None) -> None:
        self.store = store
        self.policy = policy or Policy()
        self._notes = store.ledger.notes

    def rejection(self, document: Evidence, *, known_at: datetime, dry_run: bool = False) -> Changes | None:
        """Refuse documents that are stored, may not edit, or come early.

        A document of a later day is kept, and due on it. `None`: the document may be taken in.
        """
        reason = ""
        if not self.policy.allows(document.channel):
            allowed = ", ".join(self.policy.sources or ())
            reason = f"What comes through {document.channel!r} may not edit; the policy allows {allowed}."
        elif self.store.was_forgotten(document.id):
            reason = "It was forgotten, and is not taken in again."
        elif self.store.stands(document.id):
            reason = "The store has this document already."
        elif not was_known(document, as_of=known_at):
            reason = f"It is of {document.published}, which is still to come, and waits until then."
            if not dry_run:
                self._notes.write("later", {document.id: document.model_dump_json()})
        return Changes(document=document.id, dry_run=dry_run, skipped=(reason,)) if reason else None

    def submit(self, document: Evidence, draft: Draft, *, known_at: datetime, dry_run: bool = False) -> Changes:
        """Apply what the policy passes in one transaction; queue the rest.

        Handing in the same draft again changes nothing; what was rejected stays so.

        Args:
            dry_run: write nothing, say what would land and what would wait.
        """
        sorted_draft = _SortedDraft(self, document, draft)
        if dry_run:
            changes = self.store.preview(document.id, sorted_draft.landing)
        else:
            queued = (*sorted_draft.pending, *sorted_draft.joined)
            self._notes.write("proposal", {one.id: one.model_dump_json() for one in queued})
            # Those that waited come first: after a crash in between, this document's word is still counted anew.
            changes = self._land(sorted_draft.agreed, known_at=known_at)
            changes += self.store.apply(document.id, sorted_draft.landing)
        return Changes(
            document=document.id,
            changes=tuple(changes),
            cost=draft.cost,
            dry_run=dry_run,
            skipped=(*draft.skipped, *sorted_draft.rejected),
            notes=draft.notes,
            pending=tuple(sorted_draft.pending),
        )

    def remember(self, subject: str, *, channel: str, known_at: AsOf, **told: Any) -> Changes:
        """Store a value as `FactStore.remember` does, under the policy.

        Args:
            channel: what it came through, as told by whoever calls; the policy looks at it and not at `source`.
            told: `attribute`, `value`, `since`, `until` and `source`, as for the store.

        Raises:
            BadInput: as `FactStore.remember`.
        """
        with self.store.writing():
            operations = self.store.operations_of(subject, channel=channel, known_at=known_at, **told)
            said = operations[0]
            document = Evidence(
                id=said.document, text=said.facts[0].text, source=told.get("source") or "", channel=channel
            )
            learnt = self.store.learnt_at(known_at)
            refused = self.rejection(document, known_at=learnt)
            return refused or self.submit(document, Draft.of([operations]), known_at=learnt)

    def later(self) -> list[Evidence]:
        """List documents that wait for the day they are of, earliest first."""
        arrived = self._notes.all("arrived")
        waiting = (text for id, text in self._notes.all("later").items() if id not in arrived)
        return sorted(map(Evidence.model_validate_json, waiting), key=published_from)

    def due(self, known_at: datetime) -> list[Evidence]:
        """List documents that waited for a day that has come.

        What the policy refuses is left to an updater whose policy allows it.
        """
        known, _ = split_known(self.later(), as_of=known_at)
        return [document for document in known if self.policy.allows(document.channel)]

    def arrive(self, document: Evidence, *, known_at: datetime) -> None:
        """Note that a document that waited for its day was taken in."""
        self._notes.write("arrived", {document.id: known_at.isoformat()})

    def pending(self, waits_for: WaitsFor | None = None) -> list[Proposal]:
        """List proposals that nobody has decided about, in the order of arrival."""
        return [
            one
            for one in self.history()
            if one.decision is None
            and waits_for in (None, one.waits_for)
            and self.store.revision(one.document) == one.operation.revision
        ]

    def history(self) -> list[Proposal]:
        """Return all proposals ever queued, with their decisions, in arrival order."""
        decisions = {id: ReviewDecision.model_validate_json(text) for id, text in self._notes.all("decision").items()}
        proposals = map(Proposal.model_validate_json, self._notes.all("proposal").values())
        return [
            one.model_copy(update={"decision": decisions.get(one.id) or self._agreement_on(one)}) for one in proposals
        ]

    def _agreement_on(self, proposal: Proposal) -> ReviewDecision | None:
        """Tell by what stands that sources agreed.

        Withdrawing one of them opens the edit again."""
        history = self.fact_history(_ended(proposal.operation)) if proposal.waits_for == "sources" else None
        landed = (
            entry
            for entry in (() if history is None else history.visible())
            if not entry.true and (entry.document, entry.revision) == proposal.operation.source
        )
        entry = next(landed, None)
        if entry is None:
            return None
        return ReviewDecision(id=proposal.id, verdict="approve", reason=AGREED, decided_at=entry.known_at)

    def decide(self, decisions: Sequence[ReviewDecision], *, known_at: AsOf) -> list[Changes]:
        """Apply what a person approved or changed, and return changes by document.

        Where an approved edit ends a fact, proposals of other sources that waited to end it land with it.

        Raises:
            BadInput: for an unknown proposal, or one that is decided already; nothing lands then.
        """
        with self.store.writing():
            learnt, proposals = self.store.learnt_at(known_at), {one.id: one for one in self.pending()}
            reader = self.store.reader
            for id, times in Counter(decision.id for decision in decisions).items():
                if id not in proposals:
                    raise BadInput(f"No edit {id!r} is waiting; see ReviewQueue.pending() for those that are.")
                if times > 1:
                    raise BadInput(f"The edit {id!r} is decided twice; give one decision for each.")
            decided = [
                (proposals[decision.id], proposals[decision.id].operations(decision, known_at=learnt, slots=reader))
                for decision in decisions
            ]
            changes: dict[str, list[Change]] = {}
            for proposal, operations in decided:
                changes.setdefault(proposal.document, []).extend(self._applied(proposal.document, operations))
            self._settle([decision.model_copy(update={"decided_at": learnt}) for decision in decisions])
            ended = {
                _ended(proposals[decision.id].operation) for decision in decisions if decision.verdict != "reject"
            } - {""}
            alone = [(one, ()) for one in self.pending("sources") if _ended(one.operation) in ended]
            for change in self._land(alone, known_at=learnt):
                changes.setdefault(change.document, []).append(change)
            return [Changes(document=id, changes=tuple(changed)) for id, changed in changes.items()]

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
            if _ended(one.operation) == fact_id and not is_before(one.operation.when, affirmed):
                spoken.setdefault(publisher_of(one.operation.speaker), one)
        return spoken

    def fact_history(self, fact_id: str) -> FactHistory | None:
        """Return a fact's history, `None` where the store does not know it."""
        try:
            return self.store.history(fact_id, as_of=EVER)
        except BadInput:
            return None

    def decision(self, id: str) -> ReviewDecision | None:
        """Return the decision about a proposal, or `None`."""
        text = self._notes.read("decision", id)
        return None if text is None else ReviewDecision.model_validate_json(text)

    def _applied(self, document: str, operations: Sequence[Operation]) -> list[Change]:
        """Apply what was approved, with the ends that slots tell now."""
        stated = (each for each in operations if isinstance(each, AddFact | Reinforce))
        held = {(one.document, _ended(one.operation)) for one in self.pending()}
        ends = (
            end
            for each in stated
            for end in self.store.ends_of(each)
            if self.policy.lets_land(end) and (document, end.fact_id) not in held
        )
        return self.store.apply(document, [*operations, *ends])

    def _land(self, agreed: Iterable[tuple[Proposal, Collection[FactSource]]], *, known_at: datetime) -> list[Change]:
        """Let edits land, each resting on what goes with it."""
        return [
            change
            for one, sources in agreed
            for change in self.store.apply(
                one.document,
                [replace(_resting(each, sources), known_at=known_at) for each in (one.operation, *one.companions)],
            )
        ]

    def _settle(self, decisions: Sequence[ReviewDecision]) -> None:
        self._notes.write("decision", {decision.id: decision.model_dump_json() for decision in decisions})


class _SortedDraft:
    """A draft's operations by what the policy does with them."""

    def __init__(self, queue: ReviewQueue, document: Evidence, draft: Draft) -> None:
        self._queue = queue
        self._document = document
        self.landing: list[Operation] = []
        self.pending: list[Proposal] = []
        self.agreed: list[tuple[Proposal, frozenset[FactSource]]] = []
        """What others said lands because this document agrees, and who does."""
        self.joined: list[Proposal] = []
        """This document's own part of it, which waits again where another is withdrawn."""
        self._agreeing: dict[str, frozenset[FactSource]] = {}
        self.rejected: list[str] = []
        revision = queue.store.revision(document.id)
        operations = [operation.revised(revision) for operation in draft.operations]
        held = {operation.id: waits for operation in operations if (waits := self._waits_for(operation)) is not None}
        waiting = {id: waits for id, waits in held.items() if waits != "agreed"}
        companions = self._companions(operations, waiting, brought_by=_revised(draft, operations))
        for operation in operations:
            if operation.id in held:
                self._hold(operation, held[operation.id], companions.get(operation.id, ()))
            if operation.id not in waiting and not any(operation in some for some in companions.values()):
                self.landing.append(_resting(operation, self._agreeing.get(operation.id, ())))

    def _waits_for(self, operation: Operation) -> WaitsFor | Literal["nothing", "agreed"] | None:
        """Return the reason to wait; "nothing" for an edit decided against.

        "agreed": with it enough sources agree, and it lands with theirs.
        """
        policy = self._queue.policy
        needed = policy.sources_needed(operation, kind=self._document.kind)
        free = needed == 1 and not policy.needs_approval(operation)
        if free or self._denies_nothing(operation):
            return None
        decision = self._queue.decision(operation.id)
        if decision is not None:
            return None if decision.verdict == "approve" else "nothing"
        if needed > 1:
            spoken = self._queue.denials(_ended(operation), when=operation.when)
            if len({*spoken, publisher_of(operation.speaker)}) < needed:
                return "sources"
            if not policy.needs_approval(operation):
                return self._agree(operation, [one for one in spoken.values() if one is not None])
        return "person"

    def _agree(self, operation: Operation, waiting: Sequence[Proposal]) -> Literal["agreed"] | None:
        """Let what waited land, each resting on all others."""
        others = [one for one in waiting if one.document != operation.document]
        if not others:
            return None
        agreeing = frozenset({operation.source, *(one.operation.source for one in others)})
        self.agreed += [(one, agreeing) for one in others]
        self._agreeing[operation.id] = agreeing
        return "agreed"

    def _denies_nothing(self, operation: Operation) -> bool:
        """Recognise the end of what nobody else stated, or was false then."""
        if operation.kind != "make_false":
            return False
        history = self._queue.fact_history(operation.fact_id)
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
        history = self._queue.fact_history(fact_id)
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
                sources_needed=self._queue.policy.sources_needed(operation, kind=self._document.kind),
                title=self._document.title,
                companions=companions,
                ends=self._ends(companions, operation),
            )
        )

    def _ends(self, companions: Sequence[Operation], operation: Operation) -> tuple[str, ...]:
        own = {said.fact_id for said in operation.assertions}
        ended = (_ended(one) for one in companions)
        histories = (self._queue.fact_history(fact_id) for fact_id in ended if fact_id and fact_id not in own)
        return tuple(history.fact.text for history in histories if history is not None)


def _revised(draft: Draft, operations: Sequence[Operation]) -> dict[str, list[str]]:
    """Return what brings a draft's ends, by revised ids."""
    now = {old.id: new.id for old, new in zip(draft.operations, operations, strict=True)}
    return {now[end]: [now[statement] for statement in some] for end, some in draft.brought_by.items()}


def _resting(operation: Operation, sources: Collection[FactSource]) -> Operation:
    """Let an operation rest on sources beside its own."""
    more = sorted(source for source in sources if source.document != operation.document)
    return replace(operation, rests_on=(*operation.rests_on, *more))


def _ended(operation: Operation) -> str:
    """Return the id of the fact that an operation ends, or nothing."""
    return operation.assertions[0].fact_id if operation.kind in CLOSING else ""
