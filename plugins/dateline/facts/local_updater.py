"""Updates of facts without a chat model: similarity and slots (ERASE, 3)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime
from time import perf_counter

from dateline.errors import BadInput
from dateline.facts.changes import Changes
from dateline.facts.fact import Fact, FactHistory, FactJudgement, FoundFact, event_order
from dateline.facts.operation import AddFact, FactSource, MakeFalse, Operation, Reinforce
from dateline.facts.policy import ENOUGH_WITNESSES, Policy
from dateline.facts.review_queue import Draft, ReviewQueue
from dateline.facts.store import FactStore
from dateline.handwritten.facts.standalone import is_headline, standalone
from dateline.handwritten.facts.statement import Statement
from dateline.records import Cost, Evidence
from dateline.temporal.expressions import find_expressions
from dateline.temporal.interval import Interval
from dateline.text.embeddings import embed
from dateline.text.sentences import split_sentences

THRESHOLD = 0.7
"""Least cosine of facts that a document may edit (ERASE, appendix A.3)."""

CANDIDATES = 10
"""How many similar facts are looked at per sentence."""


class LocalUpdater:
    """Updater that decides by rules which facts a document adds or ends.

    A sentence that says what a fact says reinforces it; one that gives another value to the same slot ("the CEO
    of Acme") makes it false, when the document is newer; any other sentence becomes a fact. A document that
    arrives late is fitted in: what it says counts until a newer document said otherwise. Undated documents
    add and reinforce, and make nothing false. Only what the document states is ever added, and its text is
    never more than text.

    Args:
        store: where facts are looked up and written.
        policy: who may edit, which edits need several sources, and which wait for a person.
        threshold: the least cosine of a fact that may be edited, -1 to 1.
        headed: keep every sentence behind its document's headline: sentences of news seldom say who they are about.
    """

    def __init__(
        self, store: FactStore, *, policy: Policy | None = None, threshold: float = THRESHOLD, headed: bool = False
    ) -> None:
        if not -1.0 <= threshold <= 1.0:
            raise BadInput(f"threshold is a cosine between -1 and 1, not {threshold}.")
        self.store = store
        self.review_queue = ReviewQueue(store, policy=policy)
        self.threshold = threshold
        self.headed = headed

    def update(self, evidence: Sequence[Evidence], *, known_at: datetime, dry_run: bool = False) -> list[Changes]:
        """Take in documents in order; return changes, with `dry_run` only planned.

        A document that the store has already is no change and costs nothing.

        Args:
            known_at: knowledge time, timezone-aware.
        """
        return [self._update(document, known_at=known_at, dry_run=dry_run) for document in evidence]

    async def aupdate(
        self, evidence: Sequence[Evidence], *, known_at: datetime, dry_run: bool = False
    ) -> list[Changes]:
        """Update asynchronously."""
        return await asyncio.to_thread(self.update, evidence, known_at=known_at, dry_run=dry_run)

    def plan(self, document: Evidence, *, known_at: datetime) -> list[Operation]:
        """The operations that a document amounts to; nothing is written."""
        facts = facts_of(document, headed=self.headed)
        if not facts:
            return []
        vectors = embed([fact.text for fact in facts], embeddings=self.store.embeddings)
        similar = self.store.search_vectors(vectors, k=CANDIDATES, which="any", threshold=self.threshold)
        return [
            operation
            for fact, found in zip(facts, similar, strict=True)
            for operation in _decide(fact, self._close_to(fact, found), document=document, known_at=known_at)
        ]

    def _close_to(self, fact: Fact, found: Sequence[FoundFact]) -> list[FactHistory]:
        """Merge similar facts with those of one slot, however differently worded."""
        same_slot = (history for tag in fact.tags for history in self.store.tagged(tag))
        similar = (FactHistory(fact=other.fact, entries=other.entries) for other in found)
        histories = {history.fact.id: history for history in (*similar, *same_slot)}
        return [history for history in histories.values() if history.visible()]

    def _update(self, document: Evidence, *, known_at: datetime, dry_run: bool) -> Changes:
        started = perf_counter()
        refused = self.review_queue.rejection(document, dry_run=dry_run)
        if refused is not None:
            return refused
        operations = tuple(self.plan(document, known_at=known_at))
        draft = Draft(operations=operations, cost=Cost(seconds=perf_counter() - started))
        return self.review_queue.submit(document, draft, known_at=known_at, dry_run=dry_run)


def facts_of(document: Evidence, *, headed: bool = False) -> list[Fact]:
    """Return a document's self-contained statements, each once, in order.

    See `standalone` for what is made of its sentences, and what is left out.

    Args:
        headed: where the title is a headline, it is a statement too, and every sentence stands behind it.
    """
    title = document.title
    texts = [title] if headed and is_headline(title) else []
    sentences = (sentence.text for sentence in split_sentences(document.text))
    texts += [text for sentence in sentences if (text := standalone(sentence, title=title, headed=headed))]
    facts = (Fact.make(text, validity=_validity(text, anchor=document.published), tags=_tags(text)) for text in texts)
    return list({fact.id: fact for fact in facts}.values())


def _tags(text: str) -> tuple[str, ...]:
    slot = Statement.read(text).slot
    return () if slot is None else (slot,)


def _validity(text: str, *, anchor: Interval | None) -> Interval | None:
    """Return a text's only range of time ("since May"), or `None`."""
    ranges = [found.interval for found in find_expressions(text, anchor=anchor) if found.kind == "range"]
    return ranges[0] if len(ranges) == 1 else None


def _decide(fact: Fact, close: Sequence[FactHistory], *, document: Evidence, known_at: datetime) -> list[Operation]:
    """Assert one sentence, and deny each conflicting fact that time settles."""
    statement = Statement.read(fact.text)
    compared = [
        (other, statement.compare(Statement.read(other.fact.text)))
        for other in close
        if not _of_other_times(fact.validity, other.fact.validity)
    ]
    same = next((other for other, comparison in compared if comparison == "same"), None)
    rivals = [other for other, comparison in compared if comparison == "conflict"]
    assertion: Operation
    if same is None:
        assertion = AddFact(
            document=document.id, when=document.published, known_at=known_at, origin=document.origin, fact=fact
        )
    else:
        assertion = Reinforce(
            document=document.id,
            when=document.published,
            known_at=known_at,
            origin=document.origin,
            fact_id=same.fact.id,
        )
    denials = (
        denial
        for rival in rivals
        for denial in (_older_made_false(assertion, rival), _made_false_by_newer(assertion, rival, same))
        if denial is not None
    )
    return [assertion, *denials]


def _of_other_times(mine: Interval | None, theirs: Interval | None) -> bool:
    """Check that two validities do not meet, so that both can hold."""
    return mine is not None and theirs is not None and not mine.overlaps(theirs)


def _older_made_false(assertion: Operation, rival: FactHistory) -> MakeFalse | None:
    """The rival was true before: false from now on."""
    earlier = [entry for entry in rival.visible() if _before(entry.when, assertion.when)]
    if not any(entry.true for entry in earlier):
        return None
    last_true = max(place for place, entry in enumerate(earlier) if entry.true)
    if _witnesses(earlier[last_true + 1 :]) >= ENOUGH_WITNESSES:
        return None
    return MakeFalse(
        document=assertion.document,
        when=assertion.when,
        known_at=assertion.known_at,
        origin=assertion.origin,
        fact_id=rival.fact.id,
        reason="A newer document gives another value.",
    )


def _made_false_by_newer(assertion: Operation, rival: FactHistory, same: FactHistory | None) -> MakeFalse | None:
    """End the document's statement where a later rival became true."""
    end = next((entry for entry in rival.visible() if entry.true and _before(assertion.when, entry.when)), None)
    if end is None:
        return None
    between = [
        entry
        for entry in ([] if same is None else same.visible())
        if _before(assertion.when, entry.when) and not _before(end.when, entry.when)
    ]
    if _witnesses([entry for entry in between if not entry.true]) >= ENOUGH_WITNESSES:
        return None
    return MakeFalse(
        document=assertion.document,
        when=end.when,
        known_at=assertion.known_at,
        fact_id=assertion.assertions[0].fact_id,
        rests_on=(FactSource(end.document, end.revision),),
        origin=assertion.origin,
        reason="A newer document, known before, gives another value.",
    )


def _witnesses(denials: Sequence[FactJudgement]) -> int:
    return len({denial.document for denial in denials})


def _before(earlier: Interval | None, later: Interval | None) -> bool:
    """Compare the beginnings of two dates; undated ones are never before."""
    if earlier is None or later is None:
        return False
    return event_order(earlier)[0] < event_order(later)[0]
