"""Retention: documents that are older than a period are forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Literal, NamedTuple, get_args

from pydantic import AwareDatetime, Field

from dateline.errors import BadInput
from dateline.facts.clock import microseconds, moment
from dateline.facts.fact import event_start
from dateline.facts.operation import Forget, UndoDocument
from dateline.facts.review_notes import ReviewNotes
from dateline.facts.store import FactStore
from dateline.records import Evidence, Record
from dateline.temporal.interval import Interval

Since = Literal["learnt", "published"]
"""What a document's age counts from: the day the store last learnt from it, or its own date.

A ledger keeps no date of a document, only the days from which its statements hold: the newest of these counts, so a document that
announces something for a later day stays longer, but never beyond what `learnt` would keep.
"""

ExpiryAction = Literal["forget", "undo"]
"""`forget` erases a document; `undo` withdraws what it said and keeps the text in the ledger."""

_SECOND = 1_000_000
_FIRST = microseconds(datetime.min.replace(tzinfo=UTC))
"""What is dated before the calendar begins counts from its first day."""


class ExpiredDocument(Record):
    """Document that is older than the period."""

    document: str
    since: AwareDatetime = Field(description="What its age counts from.")
    facts: int = Field(description="Number of facts that it judges.")


def expire(
    store: FactStore,
    *,
    older_than: timedelta,
    known_at: datetime,
    by: str = "retention",
    since: Since = "learnt",
    action: ExpiryAction = "forget",
    dry_run: bool = False,
) -> list[ExpiredDocument]:
    """Forget documents older than a period; return them, the oldest first.

    Forgotten are also those that were withdrawn, and what waits for its day or for a review.
    Documents without a date never grow older than a period of `since="published"`.

    Args:
        older_than: the longest that a document is kept.
        known_at: the day from which the period counts back, timezone-aware.
        by: who the trace names.
        dry_run: change nothing, only list them.

    Raises:
        BadInput: for a period that is not longer than nothing, or an unknown `since` or `action`.

    Example:
        >>> from datetime import UTC
        >>> from dateline.facts import ExactIndex, MemoryLedger
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())
        >>> expire(store, older_than=timedelta(days=365), known_at=datetime(2025, 1, 1, tzinfo=UTC), dry_run=True)
        []
    """
    if older_than <= timedelta(0):
        raise BadInput(f"older_than is a period such as timedelta(days=365), not {older_than}.")
    for name, value, choices in (("since", since, get_args(Since)), ("action", action, get_args(ExpiryAction))):
        if value not in choices:
            raise BadInput(f"{name} is one of {', '.join(choices)}, not {value!r}.")
    if known_at.tzinfo is None:
        raise BadInput(f"known_at must carry a time zone, but {known_at.isoformat()} has none; add tzinfo=UTC.")
    old = [each for each in _documents(store, since, action) if known_at - each.since > older_than]
    if old and not dry_run:
        _let_go(store, [each.document for each in old], older_than, by=by, known_at=known_at, action=action)
    return old


def _let_go(
    store: FactStore, documents: list[str], older_than: timedelta, *, by: str, known_at: datetime, action: ExpiryAction
) -> None:
    if action == "forget":
        reason = f"older than {str(older_than).removesuffix(', 0:00:00')}"
        store.forget(documents, by=by, reason=reason, known_at=known_at)
        return
    for document in documents:
        store.undo(document, known_at=known_at)


class _ToldByDocument(NamedTuple):
    """Words of one document, said or waiting."""

    document: str
    learnt: datetime
    when: Interval | None
    facts: tuple[str, ...] = ()


def _documents(store: FactStore, since: Since, action: ExpiryAction) -> list[ExpiredDocument]:
    """List documents that have a date, oldest first.

    What is to be erased is also the text of those that were withdrawn or wait.
    """
    newest: dict[str, datetime] = {}
    facts: dict[str, set[str]] = {}
    for told in (*_stored(store), *(_waiting(store) if action == "forget" else ())):
        facts.setdefault(told.document, set()).update(told.facts)
        day = told.learnt if since == "learnt" else _published(told)
        if day is not None:
            newest[told.document] = max(day, newest.get(told.document, day))
    erased = {trace.what for trace in store.forgotten()}
    kept = newest.keys() - erased if action == "forget" else newest.keys() & set(store.documents())
    found = [
        ExpiredDocument(document=document, since=newest[document], facts=len(facts[document])) for document in kept
    ]
    return sorted(found, key=lambda each: (each.since, each.document))


def _stored(store: FactStore) -> Iterator[_ToldByDocument]:
    for _, each in store.ledger.operations():
        if not isinstance(each, UndoDocument | Forget):
            yield _ToldByDocument(
                each.document, each.known_at, each.when, tuple(said.fact_id for said in each.assertions)
            )


def _waiting(store: FactStore) -> Iterator[_ToldByDocument]:
    """Yield what waits in the notes: edits, and documents to come."""
    notes = store.ledger.notes
    for each in ReviewNotes(notes).proposals():
        yield _ToldByDocument(each.document, each.operation.known_at, each.operation.when)
    for document in map(Evidence.model_validate_json, notes.all("later").values()):
        day = moment(max(event_start(document.published) * _SECOND, _FIRST))
        yield _ToldByDocument(document.id, day, document.published)


def _published(told: _ToldByDocument) -> datetime | None:
    """Return the day of a statement, at most when it was learnt."""
    if told.when is None or told.when.last is None:
        return None
    return moment(max(min(told.when.last * _SECOND, microseconds(told.learnt)), _FIRST))
