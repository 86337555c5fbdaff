"""Queue of drafts: a policy lets edits land, wait or be refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from dateline.errors import BadInput
from dateline.evidence.knowledge import published_from, split_known, was_known
from dateline.facts.changes import Change, Changes
from dateline.facts.draft import Draft
from dateline.facts.index import Vectors
from dateline.facts.operation import AddFact, FactSource, Operation, Reinforce
from dateline.facts.policy import Policy, ended_fact
from dateline.facts.proposal import Proposal, ReviewDecision, WaitsFor
from dateline.facts.proposals import Proposals
from dateline.facts.sorted_draft import SortedDraft
from dateline.facts.store import FactStore
from dateline.records import Evidence
from dateline.temporal.as_of import AsOf


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
        self.proposals = Proposals(store)
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
        return self._submit(document, draft, known_at=known_at, dry_run=dry_run, vectors={})

    def _submit(
        self,
        document: Evidence,
        draft: Draft,
        *,
        known_at: datetime,
        vectors: Mapping[str, Vectors],
        dry_run: bool = False,
    ) -> Changes:
        """Submit with the vectors that the caller has; others are embedded."""
        sorted_draft = SortedDraft(
            draft.revised(self.store.revision(document.id)),
            document=document,
            policy=self.policy,
            proposals=self.proposals,
        )
        if dry_run:
            changes = self._previewed(sorted_draft, document, known_at=known_at)
        else:
            others = _edits(one for one, _ in sorted_draft.agreed)
            vectors = {**vectors, **self._embedded([*sorted_draft.landing, *others], known=vectors)}
            with self.store.together():
                queued = (*sorted_draft.pending, *sorted_draft.joined)
                self._notes.write("proposal", {one.id: one.model_dump_json() for one in queued})
                changes = self._land(sorted_draft.agreed, known_at=known_at, vectors=vectors)
                changes += self.store.apply(document.id, sorted_draft.landing, vectors=vectors)
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
        told = {**told, "channel": channel, "known_at": known_at}
        with self.store.writing():
            # Embedding comes first: inside, other processes wait, so that none tells the slot another value meanwhile.
            expected = self.store.operations_of(subject, **told)
            others = self._agreeing({ended_fact(each) for each in expected} - {""})
            vectors = self._embedded([*expected, *_edits(others)])
            with self.store.together():
                return self._remember(self.store.operations_of(subject, **told), told=told, vectors=vectors)

    def _remember(
        self, operations: Sequence[Operation], *, told: Mapping[str, Any], vectors: Mapping[str, Vectors]
    ) -> Changes:
        said = operations[0]
        source, channel = told.get("source") or "", told["channel"]
        document = Evidence(id=said.document, text=said.facts[0].text, source=source, channel=channel)
        learnt = self.store.learnt_at(told["known_at"])
        refused = self.rejection(document, known_at=learnt)
        return refused or self._submit(document, Draft.of([operations]), known_at=learnt, vectors=vectors)

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
        return self.proposals.pending(waits_for)

    def history(self) -> list[Proposal]:
        """Return all proposals ever queued, with their decisions, in arrival order."""
        return self.proposals.history()

    def decide(self, decisions: Sequence[ReviewDecision], *, known_at: AsOf) -> list[Changes]:
        """Apply what a person approved or changed, and return changes by document.

        Decisions and edits are stored together, or nothing is. Where an approved edit ends a fact, proposals of other sources
        that waited to end it land with it.

        Raises:
            BadInput: for an unknown proposal, or one that is decided already; nothing lands then.
        """
        with self.store.writing():
            learnt, decided = self.store.learnt_at(known_at), self._waiting(decisions)
            operations = [
                (proposal.document, proposal.operations(decision, known_at=learnt, slots=self.store.reader))
                for proposal, decision in decided
            ]
            vectors = self.store.embed([fact for _, some in operations for each in some for fact in each.facts])
            settled = {decision.id: decision.model_copy(update={"decided_at": learnt}) for _, decision in decided}
            ended = {ended_fact(one.operation) for one, decision in decided if decision.verdict != "reject"} - {""}
            vectors |= self._embedded(_edits(self._agreeing(ended)), known=vectors)
            with self.store.together():
                self._waiting(decisions)  # another process may have decided since
                changes = [change for document, some in operations for change in self._applied(document, some, vectors)]
                self._notes.write("decision", {id: decision.model_dump_json() for id, decision in settled.items()})
                alone = [(one, ()) for one in self._agreeing(ended)]
                changes += self._land(alone, known_at=learnt, vectors=vectors)
            documents = dict.fromkeys((*(document for document, _ in operations), *(each.document for each in changes)))
            return [
                Changes(
                    document=id,
                    changes=tuple(each for each in changes if each.document == id),
                    notes=tuple(
                        _rejected(one, by) for one, by in decided if one.document == id and by.verdict == "reject"
                    ),
                )
                for id in documents
            ]

    def _waiting(self, decisions: Sequence[ReviewDecision]) -> list[tuple[Proposal, ReviewDecision]]:
        """Return the proposals that are decided, each once."""
        proposals = {one.id: one for one in self.pending()}
        for id, times in Counter(decision.id for decision in decisions).items():
            if id not in proposals:
                raise BadInput(f"No edit {id!r} is waiting; see ReviewQueue.pending() for those that are.")
            if times > 1:
                raise BadInput(f"The edit {id!r} is decided twice; give one decision for each.")
        return [(proposals[decision.id], decision) for decision in decisions]

    def _applied(self, document: str, operations: Sequence[Operation], vectors: Mapping[str, Vectors]) -> list[Change]:
        """Apply what was approved, with the ends that slots tell now."""
        stated = (each for each in operations if isinstance(each, AddFact | Reinforce))
        held = {(one.document, ended_fact(one.operation)) for one in self.pending()}
        ends = (
            end
            for each in stated
            for end in self.store.ends_of(each)
            if self.policy.lets_land(end) and (document, end.fact_id) not in held
        )
        return self.store.apply(document, [*operations, *ends], vectors=vectors)

    def _agreeing(self, ended: Collection[str]) -> list[Proposal]:
        """List what waits for others who would end these facts."""
        return [one for one in self.pending("sources") if ended_fact(one.operation) in ended] if ended else []

    def _embedded(self, operations: Sequence[Operation], *, known: Collection[str] = ()) -> dict[str, Vectors]:
        """Embed the facts that neither the store nor the caller knows yet."""
        spelt = {fact.id: fact for each in operations for fact in each.facts if fact.id not in known}
        stored = self.store.fold.facts(spelt)
        return self.store.embed([fact for id, fact in spelt.items() if id not in stored])

    def _previewed(self, draft: SortedDraft, document: Evidence, *, known_at: datetime) -> list[Change]:
        """List what would land, of others too."""
        others = [
            change
            for one, sources in draft.agreed
            for change in self.store.preview(one.document, _landing(one, sources, known_at=known_at))
        ]
        # What ends by their word is not ended once more by this document's.
        ended = {change.fact.id for change in others if change.after is False}
        own = self.store.preview(document.id, draft.landing)
        return [*others, *(each for each in own if each.kind != "made_false" or each.fact.id not in ended)]

    def _land(
        self,
        agreed: Iterable[tuple[Proposal, Collection[FactSource]]],
        *,
        known_at: datetime,
        vectors: Mapping[str, Vectors],
    ) -> list[Change]:
        """Let edits land, each resting on what goes with it."""
        return [
            change
            for one, sources in agreed
            for change in self.store.apply(one.document, _landing(one, sources, known_at=known_at), vectors=vectors)
        ]


def _landing(proposal: Proposal, sources: Collection[FactSource], *, known_at: datetime) -> list[Operation]:
    """Return a proposal's edits as they land, resting on these sources."""
    return [replace(each.resting_on(sources), known_at=known_at) for each in _edits([proposal])]


def _edits(proposals: Iterable[Proposal]) -> list[Operation]:
    """List what proposals would write."""
    return [each for one in proposals for each in (one.operation, *one.companions)]


def _rejected(proposal: Proposal, decision: ReviewDecision) -> str:
    """Say what a person rejected, and why."""
    why = f" ({decision.reason})" if decision.reason else ""
    return f"Rejected{why}: {proposal.edit.replace('_', ' ')} {proposal.fact!r}."
