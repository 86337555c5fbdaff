"""Store of facts, readable at any two times (ERASE, section 3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import date, datetime
from functools import partial
from itertools import groupby, islice
from threading import RLock
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import numpy as np

from dateline.errors import BadInput, StoreFailed, check_least
from dateline.facts.changes import Change, KnownSoFar, changes_of, touched_facts
from dateline.facts.erasure import Erasure, Forgotten
from dateline.facts.fact import Fact, FactHistory, FactJudgement, FoundFact, Moment, event_start
from dateline.facts.fact_vectors import FactVectors, Near
from dateline.facts.fold import Clocks, FactFilter, Fold
from dateline.facts.index import Index, Vectors, unit
from dateline.facts.keyed_lock import KeyedLock
from dateline.facts.ledger import Ledger
from dateline.facts.newest import AT_FIRST, MOST, may_be_more, newest_first
from dateline.facts.operation import Operation, UndoDocument
from dateline.facts.review_notes import ReviewNotes
from dateline.facts.setting import Setting, settings
from dateline.facts.slot_reader import SlotReader
from dateline.facts.slot_store import SlotStore
from dateline.facts.slots import SlotPack
from dateline.facts.state import State
from dateline.facts.windows import read_window
from dateline.temporal.as_of import AsOf, Clock, is_given, now
from dateline.temporal.interval import Interval

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings

Which = Literal["true", "any"]
"""Which facts a read brings: only those true at the asked point, or also those known to be false there."""

EVER = Interval(None, None)
"""The end of event time, for whoever compares with all that documents say, such as updaters."""


class _Times(NamedTuple):
    """A point or window of event time, and one of knowledge time."""

    as_of: Moment
    known_at: datetime | None
    begins: int | None

    @property
    def numbers(self) -> Clocks:
        return Clocks.of(self.as_of, self.known_at)

    def filter(self, which: Which, *, sources: Sequence[str] = (), tags: Sequence[str] = ()) -> FactFilter:
        """Return the filter of facts that held at these times."""
        if which not in get_args(Which):
            raise BadInput(f"which is one of {', '.join(get_args(Which))}, not {which!r}.")
        for name, values in (("sources", sources), ("tags", tags)):
            if isinstance(values, str):
                raise BadInput(f"{name} takes several values, not the string {values!r}; write [{values!r}].")
        return FactFilter(
            clocks=self.numbers,
            true_only=which == "true",
            sources=tuple(sources),
            tags=tuple(tags),
            begins=self.begins,
        )


class FactStore(SlotStore):
    """Store of facts: a fold over a ledger, with an index following.

    Safe to share between threads. Several processes may share a ledger: every read first takes in
    what others wrote.

    Args:
        ledger: the record of what documents said.
        index: the vectors; rows that it lacks are embedded again from the ledger.
        embeddings: LangChain embeddings, the same that filled the index.
        clock: tells the day of a read that names none, and what "today" means.
        slots: attributes that are declared, for `remember`; by default those that are shipped.

    Attributes:
        fold: the truth of all facts, following the ledger.
        locks: one lock per document id, held while a document is worked on.
        looked_for_due: by the sources of updaters' policies, the day for which they last took in documents that waited for theirs.

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

    def __init__(
        self,
        ledger: Ledger,
        *,
        index: Index,
        embeddings: Embeddings,
        clock: Clock = now,
        slots: SlotPack | None = None,
    ) -> None:
        self.ledger = ledger
        self.clock = clock
        self.slots = slots or SlotPack.shipped()
        self.index = index
        self.embeddings = embeddings
        self.reader = SlotReader(self.slots, embeddings)
        self.locks = KeyedLock()
        self.looked_for_due: dict[tuple[str, ...] | None, date] = {}
        self.fold: Fold = ledger.fold() or State(ledger)
        self._vectors = FactVectors(self.fold, index=index, embeddings=embeddings)
        self._lock = RLock()
        self._kept_for_later: dict[str, Vectors] | None = None  # vectors of facts that `together` stores
        self._clean()

    def __reduce__(self) -> tuple[Any, ...]:
        # Opened anew in another process: what is held here follows from ledger and index.
        parts: dict[str, Any] = {
            "index": self.index,
            "embeddings": self.embeddings,
            "clock": self.clock,
            "slots": self.slots,
        }
        return partial(FactStore, self.ledger, **parts), ()

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
        during: AsOf = None,
        before: AsOf = None,
        after: AsOf = None,
    ) -> list[FoundFact]:
        """Find `k` nearest facts that were true at `as_of`, known at `known_at`.

        `None` means now for `as_of` and all that is known for `known_at`; a period means its end. Facts of which nothing
        was known there are never found. What documents say of later days is found only where `as_of` names one. Of true
        facts that state the same of one subject, the newest comes first.

        Args:
            threshold: the least cosine; ERASE, appendix A.3, uses 0.7 with its encoder.
            sources: where given, only facts of which one of these had spoken there, whatever it said: channels in any
                letter case, folders or domains above them, or ids of documents. Whether a fact was true is still
                decided by all.
            tags: where given, only facts that carry one of these.
            during: in place of `as_of`, a period: facts that were true at some time in it.
            before: the same, of all the time before a moment or period.
            after: the same, of the time after one; up to now, unless that lies ahead. The three may be combined.
        """
        vector = unit(self.embeddings.embed_query(query))[np.newaxis]
        find = partial(
            self.search_vectors,
            vector,
            as_of=as_of,
            known_at=known_at,
            which=which,
            threshold=threshold,
            sources=sources,
            tags=tags,
            during=during,
            before=before,
            after=after,
        )
        newest = which == "true" and k > 0
        found = find(k=max(k, AT_FIRST) if newest else k)[0]
        if newest and may_be_more(found):
            found = find(k=max(k, MOST))[0]
        times = self._times(as_of, known_at, during=during, before=before, after=after)
        if times.begins is not None:
            return newest_first(query, found)[:k] if newest else found
        if not sources and not tags:
            found = self._with_following(query, vector[0], found, times, threshold=threshold)
        shown = newest_first(query, found) if newest else found
        told = (self._by_rules(each, as_of=times.as_of, known_at=times.known_at) for each in shown)
        return list(islice((each for each in told if each.true or not newest), k))

    def _with_following(
        self, query: str, vector: Vectors, found: Sequence[FoundFact], times: _Times, *, threshold: float
    ) -> list[FoundFact]:
        """Add what follows of the asked slots, by nearness."""
        following = self._following(query, as_of=times.as_of, known_at=times.known_at)
        unseen = {each.fact.id: each for each, *_ in following}
        for each in found:
            unseen.pop(each.fact.id, None)
        new = [(period, rule, began) for period, rule, began in following if unseen.get(period.fact.id) is period]
        vectors = self._vectors.of([period.fact for period, *_ in new]) if new else {}
        added = [
            FoundFact(
                fact=period.fact,
                similarity=float(vectors[period.fact.id] @ vector),
                true=True,
                entries=(began.model_copy(update={"when": period.since}),),
                derivation=rule,
            )
            for period, rule, began in new
        ]
        near = [each for each in added if each.similarity >= threshold]
        return sorted([*found, *near], key=lambda each: -each.similarity) if near else list(found)

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
        during: AsOf = None,
        before: AsOf = None,
        after: AsOf = None,
    ) -> list[list[FoundFact]]:
        """Search for each of several unit vectors, shape (n, dimensions)."""
        check_least(1, k=k)
        times = self._times(as_of, known_at, during=during, before=before, after=after)
        wanted = times.filter(which, sources=sources, tags=tags)
        with self._up_to_date():
            near = self._vectors.nearest(vectors, k=k, threshold=threshold, wanted=wanted)
            histories = self._histories(dict.fromkeys(hit.row for hits in near for hit in hits))
            return [[_found(hit, histories[hit.row], times) for hit in hits] for hits in near]

    def history(self, fact_id: str, *, as_of: AsOf = None) -> FactHistory:
        """Return a fact's history up to `as_of`, withdrawn words too.

        `None` means now.

        Raises:
            BadInput: for an unknown fact.
        """
        until = self._times(as_of, None).as_of
        with self._up_to_date() as fold:
            (history,) = fold.histories([self._row(fact_id)])
        return history.model_copy(update={"entries": tuple(each for each in history.entries if each.holds_by(until))})

    def settings(self, judgements: Sequence[FactJudgement]) -> list[Setting]:
        """Return where facts stand in the documents that state them.

        Without title and what stands before where these were forgotten.
        """
        with self._up_to_date() as fold:
            # Statements of one document are compared with much the same facts.
            found = {one: _setting(self.ledger.preceding(one), fold) for one in {said.operation for said in judgements}}
        return [found[said.operation] for said in judgements]

    def ids(self, beginning: str) -> list[str]:
        """List ids with this beginning, in the order their facts were stored."""
        with self._up_to_date() as fold:
            return fold.ids(beginning)

    def true(self, fact_id: str, *, as_of: AsOf = None, known_at: AsOf = None) -> bool | None:
        """Judge one fact at both times; `None`: nothing was known.

        A fact that nobody denied is false too where it follows by a rule that it has ended.
        """
        times = self._times(as_of, known_at)
        with self._up_to_date() as fold:
            told = fold.truth([fact_id], times.numbers)[fact_id]
            fact = fold.facts([fact_id]).get(fact_id) if told else None
            ended = fact is not None and self._ended_by_rule(fact, as_of=times.as_of, known_at=times.known_at)
            return told and not ended

    def tagged(self, tag: str) -> list[FactHistory]:
        """List the facts with a tag, in the order stored."""
        with self._up_to_date() as fold:
            return fold.histories(fold.tagged(tag))

    def beside(self, tag: str, when: Interval, *, later: bool, skip: int = 0, limit: int = 16) -> list[FactHistory]:
        """List a tag's facts asserted before or after a date, nearest first.

        Facts asserted on the day itself, or without a date, are left out.

        Args:
            later: look at what was asserted after the date, else before it.
            skip: so many nearer assertions were listed before.
            limit: the most assertions that are looked at; the list is empty where there are no more.
        """
        with self._up_to_date() as fold:
            rows = fold.beside(tag, when, later=later, skip=skip, limit=limit)
            return fold.histories(list(dict.fromkeys(rows)))

    def at(
        self,
        as_of: AsOf = None,
        *,
        known_at: AsOf = None,
        which: Which = "true",
        during: AsOf = None,
        before: AsOf = None,
        after: AsOf = None,
        tags: Sequence[str] = (),
    ) -> list[FactHistory]:
        """List facts true (or known) at both times, in the order stored.

        `None`, `tags`, and the windows in place of `as_of`, mean as for `search`.
        """
        times = self._times(as_of, known_at, during=during, before=before, after=after)
        wanted = times.filter(which, tags=tags)
        with self._up_to_date() as fold:
            return fold.histories(fold.every(wanted))

    def changes(self, *, since: AsOf, until: AsOf = None) -> list[Change]:
        """List changes learnt after `since` and up to `until` (knowledge time).

        `what_changed` lists what turned in the world in a window of event time.
        """
        first, last = self.learnt_at(since), self.learnt_at(until) if is_given(until) else None
        with self._up_to_date():
            operations = [
                operation
                for _, operation in self.ledger.operations(since=first)
                if last is None or operation.known_at <= last
            ]
            operations.sort(key=lambda operation: operation.known_at)
            at_once = groupby(operations, key=lambda operation: operation.known_at)
            return [change for known_at, some in at_once for change in self._learnt(list(some), known_at=known_at)]

    def documents(self) -> list[str]:
        """List the documents whose word stands, in the order of arrival."""
        with self._up_to_date() as fold:
            return fold.documents()

    def told_by(self, document: str) -> list[FactHistory]:
        """List facts that a document judged, or whose judgements rest on it."""
        with self._up_to_date() as fold:
            return fold.histories_of(fold.facts_of(document))

    def stands(self, document: str) -> bool:
        """Check that a document was applied and not undone since."""
        with self._up_to_date() as fold:
            return fold.stands(document)

    def revision(self, document: str) -> int:
        """Count the times a document was undone."""
        with self._up_to_date() as fold:
            return fold.revision(document)

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
        with self._up_to_date() as fold:
            self._check(document, operations)
            revision = fold.revision(document)
            return self._append([operation.revised(revision) for operation in operations], vectors=vectors or {})

    def writing(self) -> AbstractContextManager[Any]:
        """Hold the lock, so that no other thread writes meanwhile."""
        return self._lock

    @contextmanager
    def together(self) -> Iterator[None]:
        """Hold the lock, and store all that is written inside or nothing.

        Other processes wait with their writes: what a model has to be asked for is asked for before.
        """
        with self._lock:
            if self._kept_for_later is not None:
                yield
                return
            self.fold.let_go()
            given: dict[str, Vectors] = {}
            self._kept_for_later = given
            try:
                with self.ledger.together():
                    yield
            finally:
                self._kept_for_later = None
                self._last_inference = self._last_learnt = None  # drawn from what may not have been stored
            # The index comes last: the row of a fact that was not stored would stand for the next one.
            self._follow(given)

    def embed(self, facts: Sequence[Fact]) -> dict[str, Vectors]:
        """Embed facts; return their unit vectors by id, as `apply` takes them."""
        return self._vectors.of(facts)

    def preview(self, document: str, operations: Sequence[Operation]) -> list[Change]:
        """List changes that `apply` would make; raise `BadInput` like it."""
        with self._up_to_date() as fold:
            self._check(document, operations)
            touched = touched_facts(operations, fold=fold)
            before, after = fold.truth(touched), fold.truth_after(touched, operations)
            return self._changes(operations, touched, before=before, after=after)

    def undo(self, document: str, *, known_at: AsOf) -> list[Change]:
        """Withdraw a document and reopen what it closed; repeating changes nothing.

        Raises:
            BadInput: when the document never said anything.
        """
        with self.together(), self._up_to_date() as fold:
            if not fold.knows(document):
                raise BadInput(f"The document {document!r} never wrote into this store, so there is nothing to undo.")
            if not fold.stands(document):
                return []
            learnt = self.learnt_at(known_at)
            undo = UndoDocument(document=document, revision=fold.revision(document), known_at=learnt)
            denied = self._denied_with([document])
            return [*self._append([undo], vectors={}), *self._end_again(denied, known_at=learnt)]

    def forget(
        self,
        documents: str | Sequence[str] = (),
        *,
        facts: str | Sequence[str] = (),
        by: str,
        reason: str,
        known_at: AsOf,
    ) -> list[Forgotten]:
        """Erase documents and facts, so that nothing of their text is left.

        With a document go the facts that nobody else states, and what others said resting on it; what else they said of
        its facts stays, and counts again when one is told anew. With a fact go all judgements on it. The ledger keeps a
        trace of each. What was forgotten is no change.

        Args:
            by: who has it erased.
            reason: why; both stay in the ledger.

        Raises:
            BadInput: for an unknown document or fact; nothing is erased then.
            StoreFailed: when storage fails. Either nothing was erased, or opening the store again completes it.
        """
        named, facts = ([each] if isinstance(each, str) else each for each in (documents, facts))
        learnt = self.learnt_at(known_at)
        with self._lock:
            with self.together(), self._up_to_date() as fold:
                self._check_known(named, facts)
                wanted = frozenset(id for id in named if not fold.erased(id))
                denied = self._denied_with(wanted)
                erasure = Erasure(documents=wanted, facts=frozenset(facts), by=by, reason=reason, known_at=learnt)
                if not wanted and not facts:
                    return []
                traces = self.ledger.erase(erasure)
                self._follow()
                left = fold.rows(denied)
                self._end_again([id for id in denied if id in left], known_at=learnt)
            self._clean()
        return [Forgotten.of(trace) for trace in traces]

    def forgotten(self) -> list[Forgotten]:
        """List the traces of what was erased, in order."""
        return [Forgotten.of(trace) for trace in self.ledger.forgotten()]

    def was_forgotten(self, document: str) -> bool:
        """Check that a document was erased and does not stand."""
        with self._up_to_date() as fold:
            return fold.forgotten(document)

    def reindex(self) -> int:
        """Build fold and index anew; return the number of facts."""
        with self._lock:
            self.fold.rebuild()
            self._vectors.clear()
            self._follow()
            self.flush()
            return self.index.size

    def flush(self) -> None:
        """Hand every row that is still searched exactly to the index."""
        with self._lock:
            self._vectors.flush()

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
    def _up_to_date(self) -> Iterator[Fold]:
        """Hold the lock, with all entries of the ledger taken in."""
        with self._lock, self.fold.reading():
            self._follow()
            yield self.fold

    def _clean(self) -> None:
        """Wipe what erasures left on disk, also those cut short."""
        if newest := self.ledger.unwiped(self.index.place):
            with self.fold.reading():
                self.fold.follow()
                gone = self.fold.gone(0, self.fold.size)
            self._vectors.erase(gone)
            self.ledger.note_wiped(self.index.place, newest)
        if left := self.ledger.erasing():
            self.ledger.scrub(left)

    def _denied_with(self, documents: Iterable[str]) -> list[str]:
        """List the facts that documents deny, or others resting on them."""
        gone = set(documents)
        told = {fact_id for document in gone for fact_id in self.fold.facts_of(document)}
        return [
            history.fact.id
            for history in self.fold.histories_of(told)
            if any(not entry.true and gone & {entry.document, *entry.rests_on} for entry in history.visible())
        ]

    def _end_again(self, fact_ids: Sequence[str], *, known_at: datetime) -> list[Change]:
        """End values by later ones that nobody holds back."""
        held = self._held() if fact_ids else set()
        ends = [
            end
            for end in self._ends_again(fact_ids, known_at=known_at)
            if held.isdisjoint((source.document, end.fact_id) for source in end.rests_on)
        ]
        return self._append(ends, vectors={}) if ends else []

    def _held(self) -> set[tuple[str, str]]:
        """List documents and facts whose denial of them did not land."""
        notes = ReviewNotes(self.ledger.notes)
        landed = {id for id, decision in notes.decisions().items() if decision.verdict == "approve"}
        return {
            (one.document, said.fact_id)
            for one in notes.proposals()
            if one.id not in landed
            for operation in (one.operation, *one.companions)
            for said in operation.assertions
            if not said.true
        }

    def _waiting(self) -> set[str]:
        """Return the documents that waited for their day, or with an edit."""
        proposals = ReviewNotes(self.ledger.notes).proposals()
        return {*self.ledger.notes.all("later"), *(one.document for one in proposals)}

    def _check_known(self, documents: Sequence[str], facts: Sequence[str]) -> None:
        """Raise `BadInput` for what the store has never heard of."""
        silent = [id for id in documents if not self.fold.knows(id)]
        waiting = self._waiting() if silent else set()
        unknown = [id for id in silent if id not in waiting]
        if unknown:
            raise BadInput(f"There is no document {unknown[0]!r} in the store; see documents() for those that are.")
        for id in facts:
            self._row(id)

    def _row(self, fact_id: str) -> int:
        rows = self.fold.rows([fact_id])
        if not rows:
            raise BadInput(f"There is no fact {fact_id!r} in the store; search for it to learn its id.")
        return rows[fact_id]

    def _histories(self, rows: Iterable[int]) -> dict[int, FactHistory]:
        some = list(rows)
        return dict(zip(some, self.fold.histories(some), strict=True))

    def _learnt(self, operations: Sequence[Operation], *, known_at: datetime) -> list[Change]:
        """List the changes of operations learnt at one time, in turn."""
        known = self.fold.rows(touched_facts(operations, fold=self.fold))
        histories = self._histories(known.values())
        so_far, found = KnownSoFar(known_at), list[Change]()
        for operation in operations:
            touched = touched_facts([operation], fold=self.fold)
            own = {each: histories[known[each]] for each in touched if each in known}
            before = dict.fromkeys(touched) | {each: so_far.truth(history) for each, history in own.items()}
            so_far.take(operation)
            after = dict.fromkeys(touched) | {each: so_far.truth(history) for each, history in own.items()}
            found += self._changes([operation], touched, before=before, after=after)
        return found

    def _changes(
        self,
        operations: Iterable[Operation],
        touched: Sequence[str],
        *,
        before: Mapping[str, bool | None],
        after: Mapping[str, bool | None],
    ) -> list[Change]:
        spelt = {fact.id: fact for operation in operations for fact in operation.facts}
        facts = spelt | self.fold.facts([fact_id for fact_id in touched if fact_id not in spelt])
        return [
            change
            for operation in operations
            for change in changes_of(operation, facts=facts, before=before, after=after)
        ]

    def _check(self, document: str, operations: Sequence[Operation]) -> None:
        spelt = {fact.id for operation in operations for fact in operation.facts}
        for operation in operations:
            if isinstance(operation, UndoDocument):
                raise BadInput(f"apply() takes no undo; call undo({operation.document!r}) instead.")
            if operation.document != document:
                raise BadInput(f"An operation of {operation.document!r} cannot be applied as {document!r}.")
        judged = {said.fact_id: None for operation in operations for said in operation.assertions}
        unspelt = [fact_id for fact_id in judged if fact_id not in spelt]
        known = self.fold.rows(unspelt)
        for fact_id in unspelt:
            if fact_id not in known:
                raise BadInput(f"There is no fact {fact_id!r} in the store; add it first.")

    def _append(self, operations: Sequence[Operation], *, vectors: Mapping[str, Vectors]) -> list[Change]:
        # Embedding comes first: when it fails, nothing has been stored yet.
        spelt = {fact.id: fact for operation in operations for fact in operation.facts}
        known = self.fold.rows(spelt)
        unknown = [fact for fact_id, fact in spelt.items() if fact_id not in known and fact_id not in vectors]
        vectors = {**vectors, **self._vectors.of(unknown)}
        touched = touched_facts(operations, fold=self.fold)
        # Of a fact that is only now spelt out nothing is known.
        before = dict.fromkeys(touched) | self.fold.truth(
            [each for each in touched if each in known or each not in spelt]
        )
        self.fold.let_go()
        entries = self.ledger.append(operations)
        self._follow(vectors)
        after = self.fold.truth(touched)
        return self._changes([operation for _, operation in entries], touched, before=before, after=after)

    def _follow(self, vectors: Mapping[str, Vectors] | None = None) -> None:
        """Take in new entries of the ledger, whoever wrote them."""
        self.fold.follow()
        if self._kept_for_later is None:
            self._vectors.follow(vectors or {})
        else:
            self._kept_for_later.update(vectors or {})

    def _times(
        self, as_of: AsOf, known_at: AsOf, *, during: AsOf = None, before: AsOf = None, after: AsOf = None
    ) -> _Times:
        """Read both clocks; a given one may lie in the future."""
        window = read_window(during=during, before=before, after=after, clock=self.clock)
        if window is not None and is_given(as_of):
            raise BadInput("A read asks about as_of or about a window; leave one of the two out.")
        begins = None if window is None else event_start(window)
        return _Times(*self._moments(window or as_of, known_at), begins)


def _setting(near: Sequence[Operation], fold: Fold) -> Setting:
    """Return where the last of a document's operations states its fact."""
    spelt = {fact.id: fact for operation in near for fact in operation.facts}
    told = [operation for operation in near if operation.revision == near[-1].revision]  # not before it was undone
    stated = [each.fact_id for operation in told for each in operation.assertions if each.true]
    facts = fold.facts([fact_id for fact_id in stated if fact_id not in spelt]) | spelt
    title = next((fact.about for fact in spelt.values() if fact.about), "")
    placed = settings([facts[fact_id].text for fact_id in stated if fact_id in facts], title=title)
    return placed[-1] if placed else Setting()


def _found(hit: Near, history: FactHistory, times: _Times) -> FoundFact:
    return FoundFact(
        fact=history.fact,
        similarity=hit.similarity,
        true=hit.true,
        entries=history.visible(as_of=times.as_of, known_at=times.known_at),
    )
