"""Store of facts, readable at any two times (ERASE, section 3)."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from datetime import datetime, timedelta
from threading import RLock
from typing import TYPE_CHECKING, Literal, TypedDict

import numpy as np

from dateline.closable import Closable
from dateline.errors import BadInput, StoreFailed
from dateline.facts.changes import Change, changes_of, touched_facts
from dateline.facts.fact import Fact, FactHistory, FoundFact, Moment
from dateline.facts.index import Hits, Index, Mask, Vectors, best, unit
from dateline.facts.keyed_lock import KeyedLock
from dateline.facts.ledger import Ledger
from dateline.facts.operation import Operation, UndoDocument
from dateline.facts.state import TRUE, UNKNOWN, State
from dateline.temporal.as_of import AsOf, Clock, is_given, now, read_moment, read_time
from dateline.temporal.interval import Interval
from dateline.text.embeddings import embed

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings

Which = Literal["true", "any"]
"""Which facts a read brings: only those true at the asked point, or also those known to be false there."""

INDEX_BATCH = 1_000
"""New rows are handed to the index in batches of this size; until then they are searched exactly."""

EVER = Interval(None, None)
"""The end of event time, for whoever compares with all that documents say, such as updaters."""

_MANY = 10_000
"""Operations from which on reading them counts as a bulk."""


class _Clocks(TypedDict):
    """A point of event time and one of knowledge time."""

    as_of: datetime | Interval | None
    known_at: datetime | None


class FactStore(Closable):
    """Store of facts: a fold over a ledger, with an index following.

    Safe to share between threads. Several processes may share a ledger: every read first takes in
    what others wrote.

    Args:
        ledger: the record of what documents said.
        index: the vectors; rows that it lacks are embedded again from the ledger.
        embeddings: LangChain embeddings, the same that filled the index.
        clock: tells the day of a read that names none, and what "today" means.

    Attributes:
        locks: one lock per document id, held while a document is worked on.

    Example:
        >>> from dateline import Evidence, Interval
        >>> from dateline.facts import ExactIndex, LocalUpdater, MemoryLedger
        >>> from dateline.temporal.as_of import now
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())
        >>> news = Evidence.make("The mayor of Lund is Ada Berg.", published=Interval.of_year(2020))
        >>> _ = LocalUpdater(store).update([news], known_at=now())
        >>> [len(store.search("mayor of Lund", as_of=f"{year}-06-01")) for year in (2019, 2021)]
        [0, 1]
    """

    def __init__(self, ledger: Ledger, *, index: Index, embeddings: Embeddings, clock: Clock = now) -> None:
        self.ledger = ledger
        self.clock = clock
        self.index = index
        self.embeddings = embeddings
        self.locks = KeyedLock()
        self._state = State()
        self._tail: list[Vectors] = []
        self._flush_at = INDEX_BATCH
        self._lock = RLock()

    # -- reading ------------------------------------------------------------------------------

    def search(
        self,
        query: str,
        *,
        as_of: AsOf = None,
        known_at: AsOf = None,
        k: int = 10,
        which: Which = "true",
        threshold: float = -1.0,
        sources: Sequence[str] = (),
        tags: Sequence[str] = (),
    ) -> list[FoundFact]:
        """Find `k` nearest facts that were true at `as_of`, known at `known_at`.

        `None` means now for `as_of` and all that is known for `known_at`; a period means its end. Facts of which nothing
        was known there are never found. What documents say of later days is found only where `as_of` names one.

        Args:
            threshold: the least cosine; ERASE, appendix A.3, uses 0.7 with its encoder.
            sources: where given, only facts of which one of these had spoken there, whatever it said: channels in any
                letter case, folders or domains above them, or ids of documents. Whether a fact was true is still
                decided by all.
            tags: where given, only facts that carry one of these.
        """
        vector = unit(self.embeddings.embed_query(query))
        return self.search_vectors(
            vector[np.newaxis],
            as_of=as_of,
            known_at=known_at,
            k=k,
            which=which,
            threshold=threshold,
            sources=sources,
            tags=tags,
        )[0]

    def search_vectors(
        self,
        vectors: Vectors,
        *,
        as_of: AsOf = None,
        known_at: AsOf = None,
        k: int = 10,
        which: Which = "true",
        threshold: float = -1.0,
        sources: Sequence[str] = (),
        tags: Sequence[str] = (),
    ) -> list[list[FoundFact]]:
        """Search for each of several unit vectors, shape (n, dimensions)."""
        if k < 1:
            raise BadInput(f"k must be at least 1, not {k}.")
        for name, values in (("sources", sources), ("tags", tags)):
            if isinstance(values, str):
                raise BadInput(f"{name} takes several values, not the string {values!r}; write [{values!r}].")
        clocks = self._clocks(as_of, known_at)
        with self._up_to_date() as state:
            truth = state.truth(**clocks)
            allowed = truth == TRUE if which == "true" else truth != UNKNOWN
            if sources:
                allowed &= state.spoken_of(sources, **clocks)
            if tags:
                allowed &= state.carrying(tags)
            return [
                [
                    self._found(row, similarity, true=bool(truth[row] == TRUE), **clocks)
                    for row, similarity in self._nearest(vector, k=k, allowed=allowed)
                    if similarity >= threshold
                ]
                for vector in vectors
            ]

    def history(self, fact_id: str, *, as_of: AsOf = None) -> FactHistory:
        """Return a fact's history up to `as_of`, withdrawn words too.

        `None` means now.

        Raises:
            BadInput: for an unknown fact.
        """
        until = self._clocks(as_of, None)["as_of"]
        with self._up_to_date() as state:
            if fact_id not in state.rows:
                raise BadInput(f"There is no fact {fact_id!r} in the store; search for it to learn its id.")
            history = state.history(fact_id)
        return history.model_copy(update={"entries": tuple(each for each in history.entries if each.holds_by(until))})

    def ids(self, beginning: str) -> list[str]:
        """List ids with this beginning, in the order their facts were stored."""
        with self._up_to_date() as state:
            return [fact_id for fact_id in state.ids if fact_id.startswith(beginning)]

    def true(self, fact_id: str, *, as_of: AsOf = None, known_at: AsOf = None) -> bool | None:
        """Judge one fact at both times; `None`: nothing was known."""
        with self._up_to_date() as state:
            return state.true(fact_id, **self._clocks(as_of, known_at))

    def tagged(self, tag: str) -> list[FactHistory]:
        """List the facts with a tag, in the order stored."""
        with self._up_to_date() as state:
            return [state.history(state.ids[row]) for row in state.tagged(tag)]

    def at(self, as_of: AsOf = None, *, known_at: AsOf = None, which: Which = "true") -> list[FactHistory]:
        """List facts true (or known) at both times, in the order stored.

        `None` means as for `search`.
        """
        with self._up_to_date() as state:
            truth = state.truth(**self._clocks(as_of, known_at))
            rows = np.flatnonzero(truth == TRUE if which == "true" else truth != UNKNOWN)
            return [state.history(state.ids[row]) for row in rows]

    def changes(self, *, since: datetime, until: datetime | None = None) -> list[Change]:
        """List changes learnt after `since` and up to `until` (knowledge time)."""
        with self._up_to_date():
            operations = [
                operation
                for _, operation in self.ledger.operations(since=since)
                if until is None or operation.known_at <= until
            ]
            operations.sort(key=lambda operation: operation.known_at)
            return [change for operation in operations for change in self._learnt(operation)]

    def documents(self) -> list[str]:
        """List the documents whose word stands, in the order of arrival."""
        with self._up_to_date() as state:
            return state.documents()

    def stands(self, document: str) -> bool:
        """Check that a document was applied and not undone since."""
        with self._up_to_date() as state:
            return state.stands(document)

    def revision(self, document: str) -> int:
        """Count the times a document was undone."""
        with self._up_to_date() as state:
            return state.revision(document)

    # -- writing ------------------------------------------------------------------------------

    def apply(
        self, document: str, operations: Sequence[Operation], *, vectors: Mapping[str, Vectors] | None = None
    ) -> list[Change]:
        """Store all that a document says or nothing, durable on return.

        What it said already is no change. After an undo the same words count again.

        Args:
            vectors: unit vectors of new facts by fact id, where the caller has them; others are embedded.

        Raises:
            BadInput: for operations of another document, or on facts that nobody spelt out.
            StoreFailed: when the ledger cannot be written; nothing is stored then.
        """
        with self._up_to_date() as state:
            self._check(document, operations)
            revision = state.revision(document)
            return self._append([operation.revised(revision) for operation in operations], vectors=vectors or {})

    def preview(self, document: str, operations: Sequence[Operation]) -> list[Change]:
        """List changes that `apply` would make; raise `BadInput` like it."""
        with self._up_to_date() as state:
            self._check(document, operations)
            touched = touched_facts(operations, state=state)
            before = {fact_id: state.true(fact_id) for fact_id in touched}
            after = {fact_id: state.true_after(fact_id, operations) for fact_id in touched}
            return [
                change
                for operation in operations
                for change in changes_of(operation, state=state, before=before, after=after)
            ]

    def undo(self, document: str, *, known_at: datetime) -> list[Change]:
        """Withdraw a document and reopen what it closed; repeating changes nothing.

        Raises:
            BadInput: when the document never said anything.
        """
        with self._up_to_date() as state:
            if not state.knows(document):
                raise BadInput(f"The document {document!r} never wrote into this store, so there is nothing to undo.")
            if not state.stands(document):
                return []
            undo = UndoDocument(document=document, revision=state.revision(document), known_at=known_at)
            return self._append([undo], vectors={})

    def reindex(self) -> int:
        """Build the index anew from the ledger; returns the number of facts."""
        with self._lock:
            self.index.clear()
            self._tail.clear()
            self._follow()
            self.flush()
            return self.index.size

    def flush(self) -> None:
        """Hand every row that is still searched exactly to the index."""
        with self._lock:
            if self._tail:
                self.index.extend(np.stack(self._tail), start=self.index.size)
                self._tail.clear()

    def close(self) -> None:
        """Flush, and close index and ledger."""
        with self._lock:
            # An index that cannot take its last rows loses none: the next opening embeds them again.
            with suppress(StoreFailed):
                self.flush()
            self.index.close()
            self.ledger.close()

    # -- inside -------------------------------------------------------------------------------

    @contextmanager
    def _up_to_date(self) -> Iterator[State]:
        """Hold the lock, with all entries of the ledger read."""
        with self._lock:
            self._follow()
            yield self._state

    def _learnt(self, operation: Operation) -> list[Change]:
        touched = touched_facts([operation], state=self._state)
        earlier = operation.known_at - timedelta(microseconds=1)
        return changes_of(
            operation,
            state=self._state,
            before={fact_id: self._state.true(fact_id, known_at=earlier) for fact_id in touched},
            after={fact_id: self._state.true(fact_id, known_at=operation.known_at) for fact_id in touched},
        )

    def _check(self, document: str, operations: Sequence[Operation]) -> None:
        spelt = {fact.id for operation in operations for fact in operation.facts}
        for operation in operations:
            if isinstance(operation, UndoDocument):
                raise BadInput(f"apply() takes no undo; call undo({operation.document!r}) instead.")
            if operation.document != document:
                raise BadInput(f"An operation of {operation.document!r} cannot be applied as {document!r}.")
            for fact_id, _ in operation.assertions:
                if fact_id not in spelt and fact_id not in self._state.rows:
                    raise BadInput(f"There is no fact {fact_id!r} in the store; add it first.")

    def _append(self, operations: Sequence[Operation], *, vectors: Mapping[str, Vectors]) -> list[Change]:
        # Embedding comes first: when it fails, nothing has been stored yet.
        new = {fact.id: fact for operation in operations for fact in operation.facts if fact.id not in self._state.rows}
        vectors = {**vectors, **self._embedded([fact for fact in new.values() if fact.id not in vectors])}
        touched = touched_facts(operations, state=self._state)
        before = {fact_id: self._state.true(fact_id) for fact_id in touched}
        entries = self.ledger.append(operations)
        if entries and entries[0].sequence == self._state.sequence + 1:
            self._state.fold(entries)
            self._follow_rows(vectors)
        else:
            self._follow(vectors)
        after = {fact_id: self._state.true(fact_id) for fact_id in touched}
        return [
            change
            for _, operation in entries
            for change in changes_of(operation, state=self._state, before=before, after=after)
        ]

    def _follow(self, vectors: Mapping[str, Vectors] | None = None) -> None:
        """Read new entries of the ledger, whoever wrote them."""
        behind = self.ledger.last() - self._state.sequence
        if behind > 0:
            with _no_collection() if behind > _MANY else nullcontext():
                self._state.fold(self.ledger.operations(after=self._state.sequence))
        self._follow_rows(vectors or {})

    def _follow_rows(self, vectors: Mapping[str, Vectors]) -> None:
        if self.index.size > len(self._state.ids):
            self.index.clear()  # it followed another ledger, or one that was longer
        facts = [self._state.facts[fact_id] for fact_id in self._state.ids[self.index.size + len(self._tail) :]]
        for start in range(0, len(facts), INDEX_BATCH):
            some = facts[start : start + INDEX_BATCH]
            found = {**vectors, **self._embedded([fact for fact in some if fact.id not in vectors])}
            self._tail.extend(found[fact.id] for fact in some)
            self._try_flush()

    def _try_flush(self) -> None:
        """Offer pending rows to the index; if refused, they are searched exactly."""
        if len(self._tail) >= self._flush_at:
            try:
                self.flush()
                self._flush_at = INDEX_BATCH
            except StoreFailed:
                self._flush_at = 2 * len(self._tail)

    def _embedded(self, facts: Sequence[Fact]) -> dict[str, Vectors]:
        if not facts:
            return {}
        vectors = embed([fact.text for fact in facts], embeddings=self.embeddings)
        return {fact.id: vector for fact, vector in zip(facts, vectors, strict=True)}

    def _nearest(self, vector: Vectors, *, k: int, allowed: Mask) -> Hits:
        hits = self.index.search(vector, k=k, allowed=allowed)
        if self._tail:
            size = self.index.size
            pending = best(np.stack(self._tail) @ vector, k=k, allowed=allowed[size:])
            hits = hits + [(size + row, similarity) for row, similarity in pending]
        return sorted(hits, key=lambda hit: (-hit[1], hit[0]))[:k]

    def _clocks(self, as_of: AsOf, known_at: AsOf) -> _Clocks:
        """Read both clocks; a given one may lie in the future."""
        return _Clocks(
            as_of=read_time(as_of if is_given(as_of) else "now", clock=self.clock),
            known_at=read_moment(known_at, clock=self.clock, future_ok=True) if is_given(known_at) else None,
        )

    def _found(
        self, row: int, similarity: float, *, true: bool, as_of: Moment | None, known_at: datetime | None
    ) -> FoundFact:
        history = self._state.history(self._state.ids[row])
        return FoundFact(
            fact=history.fact,
            similarity=similarity,
            true=true,
            entries=history.visible(as_of=as_of, known_at=known_at),
        )


@contextmanager
def _no_collection() -> Iterator[None]:
    """Pause garbage collection: a third of a fold's time finds nothing."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
