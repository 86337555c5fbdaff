"""Updates of facts without a chat model: similarity and slots (ERASE, 3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from dateline.facts.fact import Fact, FactHistory, FactJudgement, FoundFact
from dateline.facts.index import Vectors
from dateline.facts.late_documents import denied_enough, first_true_after, is_before
from dateline.facts.operation import AddFact, FactSource, MakeFalse, Operation, Reinforce, shared_fields
from dateline.facts.policy import ENOUGH_WITNESSES, Policy
from dateline.facts.review_queue import Draft
from dateline.facts.store import EVER, FactStore
from dateline.facts.updater import DraftingUpdater
from dateline.flow import Flow, call
from dateline.handwritten.facts.standalone import is_headline, standalone
from dateline.handwritten.facts.statement import Comparison, Statement
from dateline.language.assertion import EMPTY, asserted_part
from dateline.records import Evidence
from dateline.temporal.expressions import find_expressions
from dateline.temporal.interval import Interval
from dateline.text.assertions import ReadSentence, read_assertions
from dateline.text.embeddings import embed

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings

THRESHOLD = 0.7
"""Least cosine of facts that a document may edit (ERASE, appendix A.3)."""

CANDIDATES = 10
"""How many similar facts are looked at per sentence."""

_SETTLED, _PAGE, _LONGER = 4, 8, 4
"""Facts of a slot are looked at in pages that grow, until so many of them are settled. Chosen by hand."""

_NO_VECTORS: Vectors = np.empty((0, 0), dtype=np.float32)

_statement = lru_cache(maxsize=4096)(Statement.read)
"""A fact is compared with many others, so its text is taken apart once."""


class LocalUpdater(DraftingUpdater):
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
        self, store: FactStore, *, policy: Policy | None = None, threshold: float = THRESHOLD, headed: bool = False
    ) -> None:
        super().__init__(store, policy=policy, threshold=threshold)
        self.reader = FactReader(store.embeddings, headed=headed)
        self._ahead: dict[str, ReadDocument] = {}

    def read_ahead(self, document: Evidence, read: ReadDocument) -> None:
        """Take over what another process read of a document with this `reader`."""
        self._ahead = {document.id: read}

    def _drafting(self, document: Evidence, *, known_at: datetime) -> Flow[Draft]:
        read = self._ahead.pop(document.id, None)
        if read is None:
            read = yield from call(self.reader.read, document)
        operations = yield from call(self._operations, read, document=document, known_at=known_at)
        return Draft(operations=operations, skipped=read.skipped)

    def _operations(self, read: ReadDocument, *, document: Evidence, known_at: datetime) -> tuple[Operation, ...]:
        if not read.facts:
            return ()
        similar = self.store.search_vectors(
            read.vectors, as_of=EVER, k=CANDIDATES, which="any", threshold=self.threshold
        )
        return tuple(
            operation
            for fact, found in zip(read.facts, similar, strict=True)
            for operation in _decide(
                fact, self._close_to(fact, found, when=document.published), document=document, known_at=known_at
            )
        )

    def _close_to(self, fact: Fact, found: Sequence[FoundFact], *, when: Interval | None) -> list[FactHistory]:
        """Merge similar facts with neighbours of the slot, however differently worded."""
        neighbours = (
            history
            for tag in fact.tags
            for later in (False, True)
            for history in self._neighbours(fact, tag, when, later=later)
        )
        similar = (FactHistory(fact=other.fact, entries=other.entries) for other in found)
        histories = {history.fact.id: history for history in (*similar, *neighbours)}
        return [history for history in histories.values() if history.visible()]

    def _neighbours(self, fact: Fact, tag: str, when: Interval | None, *, later: bool) -> Iterator[FactHistory]:
        """Yield a slot's facts nearest in time, until the rest is settled.

        Every document denies what its slot said before it, so behind some rivals that are denied enough, or some
        newer ones that deny this fact, there is nothing left to deny.
        """
        seen: set[str] = set()
        settled, skip, page = 0, 0, _PAGE
        while when is not None and settled < _SETTLED:
            histories = self.store.beside(tag, when, later=later, skip=skip, limit=page)
            new = [history for history in histories if history.fact.id not in seen]
            settled += sum(_is_settled(fact, history, when, later=later) for history in new) if new else 1
            yield from new
            if not histories:
                return
            seen.update(history.fact.id for history in new)
            skip, page = skip + page, page * _LONGER


@dataclass(frozen=True, eq=False)
class ReadDocument:
    """Statements of a document, before any fact store is asked.

    Attributes:
        facts: the statements, each once, in order.
        skipped: why other sentences are none.
        vectors: one a statement, shape (n, dimensions).
    """

    facts: tuple[Fact, ...]
    skipped: tuple[str, ...]
    vectors: Vectors


@dataclass(frozen=True)
class FactReader:
    """Reader of documents' statements; also the work of `dateline.bulk`.

    Attributes:
        embeddings: those of the fact store.
        headed: as for `facts_of`.

    Example:
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> read = FactReader(LexicalEmbeddings()).read(Evidence.make("The mayor is Ada Berg. Lund is old."))
        >>> [fact.text for fact in read.facts], read.vectors.shape
        (['The mayor is Ada Berg.', 'Lund is old.'], (2, 1024))
    """

    embeddings: Embeddings
    headed: bool = False

    def read(self, document: Evidence) -> ReadDocument:
        """Read a document's statements and embed them."""
        facts, skipped = read_facts(document, headed=self.headed)
        vectors = embed([fact.text for fact in facts], embeddings=self.embeddings) if facts else _NO_VECTORS
        return ReadDocument(tuple(facts), tuple(skipped), vectors)

    def __call__(self, documents: Sequence[Evidence]) -> list[ReadDocument]:
        """Read a chunk of documents."""
        return [self.read(each) for each in documents]


def facts_of(document: Evidence, *, headed: bool = False) -> list[Fact]:
    """Return a document's self-contained statements, each once, in order.

    See `standalone` for what is made of its sentences, and what is left out.

    Args:
        headed: where the title is a headline, it is a statement too, and every sentence stands behind it.
    """
    return read_facts(document, headed=headed)[0]


def read_facts(document: Evidence, *, headed: bool = False) -> tuple[list[Fact], list[str]]:
    """Return a document's statements as `facts_of`, and why others are none."""
    title = document.title
    texts, skipped = [title] if headed and is_headline(title) and asserted_part(title) else [], []
    for sentence in read_assertions(document.text, title=title):
        text = standalone(sentence.text, title=title, headed=headed)
        if text and _is_asserted(sentence):
            texts.append(text)
        elif text:
            skipped.append(f"Not asserted as fact ({', '.join(sentence.kinds)}): {quoted(text)}")
    facts = (Fact.make(text, validity=_validity(text, anchor=document.published), tags=_tags(text)) for text in texts)
    return list({fact.id: fact for fact in facts}.values()), skipped


def quoted(text: str) -> str:
    """Return a text between quotation marks, cut where it is long."""
    shown = text if len(text) <= 120 else f"{text[:119].rstrip()}…"
    return f"“{shown}”"


def _is_asserted(sentence: ReadSentence) -> bool:
    """Check that what the rules read in a sentence is asserted.

    One that they cannot read must say something at least.
    """
    slot = Statement.read_as_written(sentence.text).slot if sentence.kinds else None
    if slot is not None:
        return Statement.read_as_written(sentence.asserted).slot == slot
    return bool(sentence.asserted) or EMPTY.isdisjoint(sentence.kinds)


def _tags(text: str) -> tuple[str, ...]:
    slot = _statement(text).slot
    return () if slot is None else (slot,)


def _validity(text: str, *, anchor: Interval | None) -> Interval | None:
    """Return a text's only range of time ("since May"), or `None`."""
    ranges = [found.interval for found in find_expressions(text, anchor=anchor) if found.kind == "range"]
    return ranges[0] if len(ranges) == 1 else None


def _decide(fact: Fact, close: Sequence[FactHistory], *, document: Evidence, known_at: datetime) -> list[Operation]:
    """Assert one sentence, and deny each conflicting fact that time settles."""
    compared = [(other, _compare(fact, other.fact)) for other in close]
    same = next((other for other, comparison in compared if comparison == "same"), None)
    rivals = [other for other, comparison in compared if comparison == "conflict"]
    shared = shared_fields(document, known_at=known_at)
    assertion: Operation = AddFact(**shared, fact=fact) if same is None else Reinforce(**shared, fact_id=same.fact.id)
    older = (_older_made_false(assertion, rival) for rival in rivals)
    return [assertion, *(denial for denial in older if denial is not None), *_ends(assertion, rivals, same)]


def _compare(fact: Fact, other: Fact) -> Comparison:
    """Compare two facts; both can hold where their validities do not meet."""
    if _of_other_times(fact.validity, other.validity):
        return "different"
    return _statement(fact.text).compare(_statement(other.text))


def _is_settled(fact: Fact, rival: FactHistory, when: Interval, *, later: bool) -> bool:
    """Check that a rival is denied already, or denies this fact."""
    if _compare(fact, rival.fact) != "conflict":
        return False
    return later or denied_enough([entry for entry in rival.visible() if is_before(entry.when, when)])


def _of_other_times(mine: Interval | None, theirs: Interval | None) -> bool:
    """Check that two validities do not meet, so that both can hold."""
    return mine is not None and theirs is not None and not mine.overlaps(theirs)


def _older_made_false(assertion: Operation, rival: FactHistory) -> MakeFalse | None:
    """End a rival that was true before the assertion."""
    earlier = [entry for entry in rival.visible() if is_before(entry.when, assertion.when)]
    if not any(entry.true for entry in earlier) or denied_enough(earlier):
        return None
    return MakeFalse(
        **{**assertion.shared, "reason": "A newer document gives another value."},
        fact_id=rival.fact.id,
    )


def _ends(assertion: Operation, rivals: Sequence[FactHistory], same: FactHistory | None) -> list[MakeFalse]:
    """End the document's statement where the first later rivals became true."""
    ends = [end for rival in rivals if (end := first_true_after(rival, assertion.when)) is not None]
    ends.sort(key=FactJudgement.order)
    denied = [] if same is None else [entry for entry in same.visible() if not entry.true]
    made: list[MakeFalse] = []
    for end in ends:
        between = [e for e in denied if is_before(assertion.when, e.when) and not is_before(end.when, e.when)]
        if len({each.rests_on for each in made}) >= ENOUGH_WITNESSES or denied_enough(between):
            break
        made.append(_made_false_by_newer(assertion, end))
    return made


def _made_false_by_newer(assertion: Operation, end: FactJudgement) -> MakeFalse:
    ends = {
        "when": end.when,
        "rests_on": (FactSource(end.document, end.revision),),
        "reason": "A newer document, known before, gives another value.",
    }
    return MakeFalse(**{**assertion.shared, **ends}, fact_id=assertion.assertions[0].fact_id)
