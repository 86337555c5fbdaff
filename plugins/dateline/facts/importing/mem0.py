"""mem0's memories and the history of their changes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from operator import attrgetter
from typing import Any, NamedTuple

from dateline.facts.fact import Fact, FactHistory, FactJudgement
from dateline.facts.importing.rows import (
    Row,
    RowError,
    Told,
    event_time,
    tags_of,
    text_of,
    time_of,
    with_all_tags,
    word_of,
)
from dateline.facts.late_documents import is_before
from dateline.facts.operation import AddFact, MakeFalse, Operation, Rewrite
from dateline.facts.slots import ImportTag
from dateline.facts.store import FactStore
from dateline.temporal.interval import Interval

KEYS = ("results", "memories", "history")
"""Keys under which an export may hold memories and their history."""

_OWNERS = ("user_id", "agent_id", "run_id")
_TAGS: tuple[ImportTag, ...] = ("metadata", "categories")
"""Fields whose values become tags."""

_PREFIX = "mem0:"
"""Begins the id of every memory's document."""

_EVENTS = ("ADD", "UPDATE", "DELETE")


class _Change(NamedTuple):
    """One event of a memory; an empty text was not there.

    Attributes:
        created: when the memory was made, where the row says so.
        known: when it was learnt, where that is not when it was.
    """

    memory: str
    at: datetime
    old: str
    new: str
    created: datetime | None = None
    known: datetime | None = None


class _Memory(NamedTuple):
    """Text that a memory says now; without an end it lasts."""

    text: str
    at: datetime
    expires: datetime | None
    tags: tuple[str, ...]


def read_mem0(rows: Iterable[tuple[str, Any]], *, known_at: datetime, user: str = "") -> Told:
    """Turn memories and their history into operations, one document a memory.

    What mem0 learnt counts from then on: it keeps one time. ADD asserts, UPDATE rewrites and DELETE denies; a memory
    without history asserts its text since its last update. On its `expiration_date` it ends, even where a later
    export puts that off or another memory of it says the same. Where another memory of this export still says the same,
    nothing is denied.
    Where rows name several owners, each text is headed by its own, so that one's end is not the other's.

    Args:
        known_at: when a row without a time was learnt.
        user: import only what is of this `user_id`, `agent_id` or `run_id`, whoever else a row names.
    """
    reader = _Mem0Reader(known_at)
    for place, row in rows:
        try:
            reader.take(row)
        except RowError as problem:
            reader.problems.append(f"{place}: {problem}.")
    return Told(reader.operations(user), reader.problems)


def ends_of(told: Mapping[str, Sequence[Operation]], *, store: FactStore) -> list[MakeFalse]:
    """End what memories said in an earlier export and say no longer.

    An export without history shows only the new text of a memory that changed. Where another memory still says the old one, nothing is
    denied.

    Args:
        told: operations of the new export, applied already.
    """
    return [
        MakeFalse(**{**last.shared, "reason": "The memory says something else since."}, fact_id=history.fact.id)
        for document, operations in told.items()
        for last in _last_said(operations)
        for history in store.told_by(document)
        if _is_dropped(history, document, operations, store=store) and not any(_sayers(history, last.when, told))
    ]


def _last_said(operations: Sequence[Operation]) -> list[Operation]:
    """Return the last operation that asserts a text, if any."""
    return [each for each in operations if any(said.true for said in each.assertions)][-1:]


def _is_dropped(history: FactHistory, document: str, operations: Sequence[Operation], *, store: FactStore) -> bool:
    """Check that a memory said what its new export leaves out."""
    (last,) = _last_said(operations)
    word = _word_of(document, history, last.when)
    left_out = all(said.fact_id != history.fact.id for each in operations for said in each.assertions)
    if word is None or not word.true or not left_out or history.true_at(last.when) is not True:
        return False
    # Of one moment the new text takes the place of the old, unless it was itself replaced by it in an earlier export.
    return is_before(word.when, last.when) or (not is_before(last.when, word.when) and _holds(last, store))


def _holds(last: Operation, store: FactStore) -> bool:
    return all(store.true(said.fact_id, as_of=last.when) for said in last.assertions if said.true)


def _sayers(history: FactHistory, at: Interval | None, told: Mapping[str, Sequence[Operation]]) -> Iterator[str]:
    """Yield the memories that say a fact at a time."""
    for document in {each.document for each in history.entries if each.document.startswith(_PREFIX)}:
        word, (*_, last) = _word_of(document, history, at), (None, *_last_said(told.get(document, ())))
        changed = last is not None and not is_before(at, last.when) and (history.fact.id, True) not in last.assertions
        if word is not None and word.true and not changed:
            yield document


def _word_of(document: str, history: FactHistory, at: Interval | None) -> FactJudgement | None:
    """Return a document's last word on a fact by a time."""
    return next((each for each in reversed(history.visible(as_of=at)) if each.document == document), None)


class _Mem0Reader:
    """Rows of an export, gathered by memory."""

    def __init__(self, known_at: datetime) -> None:
        self.problems: list[str] = []
        self._known_at = known_at
        self._history: dict[str, list[_Change]] = defaultdict(list)
        self._memories: dict[str, _Memory] = {}
        self._owners: dict[str, list[str]] = {}

    def take(self, row: Any) -> None:
        """Take in one row.

        Raises:
            RowError: for a row that cannot be read.
        """
        if not isinstance(row, dict):
            raise RowError("it is no object with fields")
        moment = time_of(row, "updated_at") or time_of(row, "created_at") or self._known_at
        if "event" in row:
            self._take_change(row, moment)
        else:
            id, text = text_of(row, "id").strip(), text_of(row, "memory")
            tags = tuple(tag for name in _TAGS for tag in tags_of(row, name))
            self._memories[id] = _Memory(text, moment, time_of(row, "expiration_date"), tags)
            self._own(id, row)

    def _take_change(self, row: Row, moment: datetime) -> None:
        event = word_of(row, "event").upper()
        if event == "NONE":
            return
        if event not in _EVENTS:
            raise RowError(f"event is {row.get('event')!r}, not ADD, UPDATE or DELETE")
        id = text_of(row, "memory_id").strip()
        old = "" if event == "ADD" else word_of(row, "old_memory")
        new = "" if event == "DELETE" else text_of(row, "new_memory")
        self._history[id].append(_Change(id, moment, old, new, time_of(row, "created_at")))
        self._own(id, row)

    def _own(self, id: str, row: Row) -> None:
        owners = [word_of(row, name) for name in _OWNERS if word_of(row, name)]
        if owners or id not in self._owners:
            self._owners[id] = owners

    def operations(self, user: str) -> dict[str, list[Operation]]:
        """Return the operations of all memories, by document."""
        changes = [change for id in {**self._history, **self._memories} for change in self._changes(id)]
        named = [owners for owners in self._owners.values() if owners]
        # Rows of a history name nobody: of a memory that was deleted, nothing else is left. It is of those whose all others are.
        shared = [each for each in named[0] if all(each in owners for owners in named)] if named else []
        owners = {id: owners or shared for id, owners in self._owners.items()}
        changes = [change for change in changes if not user or user in owners[change.memory]]
        headings = {id: next(iter(each), "") for id, each in owners.items()}
        tags = {id: memory.tags for id, memory in self._memories.items()}
        headed = len({headings[change.memory] for change in changes} - {""}) > 1
        told = _MemoriesTold(headings, tags=tags, headed=headed)
        told.tell(sorted(changes, key=attrgetter("at")))
        return told.operations

    def _changes(self, id: str) -> list[_Change]:
        changes = sorted(self._history.get(id, []), key=attrgetter("at"))
        if changes and changes[0].old:  # the row that added it is missing
            first = changes[0]
            changes.insert(0, _Change(id, min(first.created or first.at, first.at), "", first.old))
        memory = self._memories.get(id)
        if memory is None:
            return changes
        last = changes[-1].new if changes else ""
        if memory.text != last:
            at = max(memory.at, changes[-1].at) if changes else memory.at
            changes.append(_Change(id, at, last, memory.text))
        if memory.expires is not None:
            at = changes[-1].at
            changes.append(_Change(id, max(memory.expires, at), memory.text, "", known=at))
        return changes


class _MemoriesTold:
    """Operations of changes, told in order of time."""

    def __init__(self, owners: dict[str, str], *, tags: dict[str, tuple[str, ...]], headed: bool) -> None:
        self.operations: dict[str, list[Operation]] = {}
        self._owners = owners
        self._tags = tags
        self._headed = headed
        self._held: dict[str, str] = {}
        """What each memory says now: the id of its fact."""

    def tell(self, changes: Sequence[_Change]) -> None:
        """Tell all changes; texts have the tags of all their memories."""
        facts = [self._fact(change) for change in changes]
        joined = with_all_tags(fact for fact in facts if fact is not None)
        for change, fact in zip(changes, facts, strict=True):
            self._take(change, None if fact is None else joined[fact.id])

    def _take(self, change: _Change, new: Fact | None) -> None:
        owner = self._owners[change.memory]
        shared: dict[str, Any] = {
            "document": f"{_PREFIX}{change.memory}",
            "when": event_time(change.at),
            "known_at": change.known or change.at,
            "channel": f"mem0/{owner}" if owner else "mem0",
        }
        operations = self.operations.setdefault(shared["document"], [])
        ended = self._held.pop(change.memory, None)
        if new is not None and ended == new.id:
            ended = None
        if ended is not None and ended in self._held.values():
            ended = None  # another memory says it still
        if new is None:
            operations += [] if ended is None else [MakeFalse(**shared, fact_id=ended)]
            return
        self._held[change.memory] = new.id
        operations.append(AddFact(**shared, fact=new) if ended is None else Rewrite(**shared, fact_id=ended, into=new))

    def _fact(self, change: _Change) -> Fact | None:
        if not change.new:
            return None
        owner = self._owners[change.memory]
        text = f"{owner}: {change.new}" if self._headed and owner else change.new
        return Fact.make(text, tags=self._tags.get(change.memory, ()))
