"""Updates of facts without a chat model (ERASE, 3)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from dateline.facts.draft import Draft
from dateline.facts.fact import Fact, FactHistory, FoundFact
from dateline.facts.fact_reader import FactReader, ReadDocument
from dateline.facts.onset import announced_days
from dateline.facts.operation import AddFact, Operation, Reinforce, shared_fields
from dateline.facts.policy import Policy
from dateline.facts.rivals import Compared, compared
from dateline.facts.setting import settings_of
from dateline.facts.store import EVER, FactStore
from dateline.facts.succession import denials
from dateline.facts.updater import DraftingUpdater
from dateline.flow import Flow, call
from dateline.protocols import EffectJudge
from dateline.reading.still import shared_still_judge
from dateline.records import Evidence
from dateline.temporal.interval import Interval

THRESHOLD = 0.2
"""Least cosine of facts that a document may edit. Chosen by hand on notes of `benchmarks/notes`, with an earlier judge;
0.7 in ERASE (appendix A.3), where a language model decides."""

CANDIDATES = 12
"""How many similar facts are looked at per sentence: of marked changes in `training/changes` 77 in 100 are among them."""


class LocalUpdater(DraftingUpdater):
    """Updater without a chat model: slots, and a trained judge.

    Every statement becomes a fact or reinforces the one that says it already. Near facts are compared with it: what fills
    the same slot with another value ("the CEO of Acme"), and what the judge says the later statement ends, is false from the
    later one's day, or the day that it tells ("from 1 July"). A document that arrives late is fitted in: what it says counts
    until a newer document said otherwise. What is announced ("from 1 July") is true from its day on. Undated documents
    add and reinforce, and make nothing false. Only what the document states is ever added, and its text is never more
    than text.

    Args:
        store: where facts are looked up and written.
        policy: who may edit, which edits need several sources, and which wait for a person.
        threshold: the least cosine of a fact that may be edited, -1 to 1.
        headed: keep every sentence behind its document's headline: sentences of news seldom say who they are about.
        judge: tells what a later statement does to an earlier one; by default the trained one.

    Example:
        >>> from datetime import UTC, datetime
        >>> from dateline import Evidence, Interval
        >>> from dateline.facts import ExactIndex, FactStore, MemoryLedger
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())
        >>> news = [Evidence.make(f"The mayor is {who}.", published=Interval.of_year(year))
        ...         for who, year in (("Ada Berg", 2020), ("Jon Holm", 2023))]
        >>> updates = LocalUpdater(store).update(news, known_at=datetime(2024, 1, 1, tzinfo=UTC))
        >>> [change.kind for update in updates for change in update.changes]
        ['added', 'added', 'made_false']
    """

    def __init__(
        self,
        store: FactStore,
        *,
        policy: Policy | None = None,
        threshold: float = THRESHOLD,
        headed: bool = False,
        judge: EffectJudge | None = None,
    ) -> None:
        super().__init__(store, policy=policy, threshold=threshold)
        self.reader = FactReader(store.embeddings, headed=headed, slots=store.reader)
        self._judge = judge or shared_still_judge()
        self._ahead: dict[str, ReadDocument] = {}

    def read_ahead(self, document: Evidence, read: ReadDocument) -> None:
        """Take over what another process read of a document with this `reader`."""
        self._ahead = {document.id: read}

    def _drafting(self, document: Evidence, *, known_at: datetime) -> Flow[Draft]:
        read = self._ahead.pop(document.id, None)
        if read is None:
            read = yield from call(self.reader.read, document)
        told = yield from call(self._told, read, document=document, known_at=known_at)
        return Draft.of(told, skipped=read.skipped)

    def _told(self, read: ReadDocument, *, document: Evidence, known_at: datetime) -> list[list[Operation]]:
        """Return each statement in front of the ends that it brings."""
        if not read.facts:
            return []
        similar = self.store.search_vectors(
            read.vectors, as_of=EVER, k=CANDIDATES, which="any", threshold=self.threshold
        )
        when = document.published
        close = [self._close_to(fact, found, when=when) for fact, found in zip(read.facts, similar, strict=True)]
        found = compared(
            read.facts,
            close,
            when=when,
            settings=settings_of(read.facts),
            settings_of=self.store.settings,
            judge=self._judge,
            slots=self.store.reader,
        )
        begins = announced_days([fact.text for fact in read.facts], anchor=when, judge=self._judge)
        return [
            _decide(fact, near, document=document, known_at=known_at, begins=day)
            for fact, near, day in zip(read.facts, found, begins, strict=True)
        ]

    def _close_to(self, fact: Fact, found: Sequence[FoundFact], *, when: Interval | None) -> list[FactHistory]:
        """Merge similar facts with neighbours of the slot, however differently worded."""
        similar = (FactHistory(fact=other.fact, entries=other.entries) for other in found)
        histories = {history.fact.id: history for history in (*similar, *self.store.neighbours_of(fact, when))}
        return [history for history in histories.values() if history.visible()]


def _decide(
    fact: Fact, close: Sequence[Compared], *, document: Evidence, known_at: datetime, begins: Interval | None
) -> list[Operation]:
    """Assert one sentence, and deny each conflicting fact that time settles.

    `begins` is the day to come for which it is announced.
    """
    same = next((each.history for each in close if each.comparison == "same"), None)
    rivals = [each.history for each in close if each.comparison == "conflict"]
    shared = shared_fields(document, known_at=known_at)
    told = next((each.starts for each in close if each.starts is not None), None)
    shared["when"] = told or begins or document.published
    assertion: Operation = AddFact(**shared, fact=fact) if same is None else Reinforce(**shared, fact_id=same.fact.id)
    return [assertion, *denials(assertion, rivals=rivals, own=same)]
