"""Role of an updater, which learns from documents, and its base."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from datetime import datetime
from time import perf_counter
from typing import Any, Protocol, runtime_checkable

from dateline.errors import BadInput, StoreFailed
from dateline.facts.changes import Changes
from dateline.facts.draft import Draft
from dateline.facts.operation import Operation
from dateline.facts.policy import Policy
from dateline.facts.review_queue import ReviewQueue
from dateline.facts.slots import slot_tags
from dateline.facts.store import FactStore
from dateline.flow import Flow, arun, call, run
from dateline.options import wrong_part
from dateline.records import Cost, Evidence
from dateline.secrets import without_secrets
from dateline.stopping import Stopped, in_thread
from dateline.temporal.as_of import AsOf
from dateline.visible import logger

_LOG = logger(__name__)

_DRAFTS = 4
"""How often a document is drafted at most, where others write meanwhile; chosen by hand."""


@runtime_checkable
class Updater(Protocol):
    """Updater of a fact store: `LocalUpdater`, `ChatUpdater` or your own.

    Example:
        >>> from dateline.facts import ExactIndex, FactStore, LocalUpdater, MemoryLedger
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> store = FactStore(ledger=MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())
        >>> isinstance(LocalUpdater(store), Updater)
        True
    """

    @property
    def review_queue(self) -> ReviewQueue:
        """Queue in which proposed edits are committed, held or rejected."""
        ...

    def update(self, evidence: Sequence[Evidence], *, known_at: datetime, dry_run: bool = False) -> Sequence[Changes]:
        """Learn from documents and return changes, with `dry_run` only proposed."""
        ...

    async def aupdate(
        self, evidence: Sequence[Evidence], *, known_at: datetime, dry_run: bool = False
    ) -> Sequence[Changes]:
        """Update asynchronously."""
        ...


def check_updater(part: Any) -> None:
    """Refuse what is no updater, such as the store itself.

    Raises:
        BadInput: for a part of the wrong kind.
    """
    if not callable(getattr(part, "update", None)):
        raise wrong_part(part, name="updater", give="an updater of facts, such as LocalUpdater(store)")


class DraftingUpdater(ABC):
    """Base of updaters that draft operations and submit them for review.

    Threads and tasks that share a store and bring the same document at once wait for the first of them; where that
    one fails, the next one tries. A draft is made anew, up to three times, where others told of one of its slots
    meanwhile.

    Args:
        store: where facts are looked up and written.
        policy: who may edit, which edits need several sources, and which wait for a person.
        threshold: the least cosine of a fact that may be edited, -1 to 1.
    """

    def __init__(self, store: FactStore, *, policy: Policy | None, threshold: float) -> None:
        if not -1.0 <= threshold <= 1.0:
            raise BadInput(f"threshold is a cosine between -1 and 1, not {threshold}.")
        self.store = store
        self.review_queue = ReviewQueue(store, policy=policy)
        self.threshold = threshold

    @abstractmethod
    def _drafting(self, document: Evidence, *, known_at: datetime) -> Flow[Draft]:
        """Draft a document's operations; the caller adds the seconds."""

    def update(self, evidence: Sequence[Evidence], *, known_at: AsOf, dry_run: bool = False) -> list[Changes]:
        """Take in documents in order; return changes, with `dry_run` only planned.

        A document that the store has already is no change and costs nothing. One that was published after `known_at` waits
        for its day; those whose day has come are taken in first, once a day. One of them that fails is told in its `Changes.skipped`,
        and waits on.

        Args:
            known_at: knowledge time, in any form of a moment; a period means its end.

        Raises:
            BadInput: for a moment that cannot be read.
            ModelFailed: when a model fails; documents before are stored, and replies so far are kept.
        """
        moment = self.store.learnt_at(known_at)
        changes = [] if dry_run else self._arrived(moment)
        for document in evidence:
            with self.store.locks.hold(document.id):
                changes.append(run(self._updating(document, known_at=moment, dry_run=dry_run)))
        return changes

    async def aupdate(self, evidence: Sequence[Evidence], *, known_at: AsOf, dry_run: bool = False) -> list[Changes]:
        """Update asynchronously."""
        moment = self.store.learnt_at(known_at)
        changes = [] if dry_run else await in_thread(self._arrived, moment)
        for document in evidence:
            async with self.store.locks.ahold(document.id):
                changes.append(await arun(self._updating(document, known_at=moment, dry_run=dry_run)))
        return changes

    def _arrived(self, known_at: datetime) -> list[Changes]:
        """Take in documents whose day has come, once a day."""
        sources = self.review_queue.policy.sources
        if self.store.looked_for_due.get(sources) == known_at.date():
            return []
        changes = [self._arriving(document, known_at=known_at) for document in self.review_queue.due(known_at)]
        self.store.looked_for_due[sources] = known_at.date()
        return changes

    def _arriving(self, document: Evidence, *, known_at: datetime) -> Changes:
        """Take in a document that waited; one that fails waits on."""
        try:
            with self.store.locks.hold(document.id):
                changes = run(self._updating(document, known_at=known_at, dry_run=False))
            self.review_queue.arrive(document, known_at=known_at)
        except Stopped:
            raise
        except Exception as error:  # whatever a model or a store raises: the next document goes on
            reason = without_secrets(f"{type(error).__name__}: {error}")
            _LOG.warning("A document that waited for its day could not be taken in: %s", reason)
            # Clients of a server see what was skipped, and are not told where its storage lies.
            told = "the store failed" if isinstance(error, StoreFailed) else reason
            skipped = f"It waited for its day, could not be taken in, and waits on: {told}"
            return Changes(document=document.id, skipped=(skipped,))
        return changes

    def _updating(self, document: Evidence, *, known_at: datetime, dry_run: bool) -> Flow[Changes]:
        refused = yield from call(self.review_queue.rejection, document, known_at=known_at, dry_run=dry_run)
        if refused is not None:
            return refused
        changes: Changes | None = None
        drafts, cost = 0, Cost()
        while changes is None:
            seen, started = (yield from call(self.store.ledger.last)), perf_counter()
            draft = yield from self._drafting(document, known_at=known_at)
            drafts, cost = drafts + 1, cost + draft.cost + Cost(seconds=perf_counter() - started)
            draft = draft.model_copy(update={"cost": cost})
            since = seen if drafts < _DRAFTS else None
            changes = yield from call(self._submit, document, draft, since=since, known_at=known_at, dry_run=dry_run)
        return changes

    def _submit(
        self, document: Evidence, draft: Draft, *, since: int | None, known_at: datetime, dry_run: bool
    ) -> Changes | None:
        """Submit a draft, unless another process stored the document meanwhile.

        Args:
            since: the newest entry when the draft was begun, where it may be made anew.

        Returns:
            `None` where newer entries than that tell of a slot of the draft.
        """
        with self.store.writing():
            refused = self.review_queue.rejection(document, known_at=known_at, dry_run=dry_run)
            if refused is not None:
                return refused.model_copy(update={"cost": draft.cost})
            if since is not None and self._is_overtaken(draft, since=since):
                return None
            return self.review_queue.submit(document, draft, known_at=known_at, dry_run=dry_run)

    def _is_overtaken(self, draft: Draft, *, since: int) -> bool:
        newer = [entry.operation for entry in self.store.ledger.operations(after=since)]
        return bool(newer) and not self._slots_of(draft.operations).isdisjoint(self._slots_of(newer))

    def _slots_of(self, operations: Sequence[Operation]) -> set[str]:
        """Return the slots of all facts that operations spell out or judge."""
        spelt = [fact for operation in operations for fact in operation.facts]
        judged = {said.fact_id for operation in operations for said in operation.assertions}
        known = self.store.fold.facts(judged - {fact.id for fact in spelt})
        return {tag for fact in (*spelt, *known.values()) for tag in slot_tags(fact)}
