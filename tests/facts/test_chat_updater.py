"""A chat model decides what a document does to the facts around it; what it may do is bounded."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any

import pytest
from hashed_words import HashedWords

from asof.facts import ExactIndex, FactStore, MemoryLedger
from asof.facts.updating import ChatUpdater
from asof.records import Evidence
from asof.temporal.interval import Interval
from langchain_asof.testing import ScriptedChatModel

NOW = datetime(2025, 1, 1, tzinfo=UTC)
AL = "Al Moor is the chief executive of Acme."
BO = "Bo Lind is the chief executive of Acme."
CY = "Cy Rask is the chief executive of Acme."


def note(text: str, when: str | None, *, title: str = "", source: str = "gazette") -> Evidence:
    return Evidence.make(text, title=title, source=source, published=Interval.parse(when) if when else None)


def facts(*texts: str) -> str:
    return json.dumps({"facts": texts})


def verdicts(*items: tuple[Any, ...]) -> str:
    """Each item: fact, verdict, lines, and where needed new facts and what takes its place."""
    names = ("fact", "verdict", "because", "new", "into")
    return json.dumps({"verdicts": [dict(zip(names, item, strict=False)) for item in items]})


def make(replies: Sequence[str | Exception], *, store: FactStore | None = None, **options: Any) -> ChatUpdater:
    if store is None:
        store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=HashedWords())
    return ChatUpdater(store, ScriptedChatModel(replies=replies), **options)


def calls(updater: ChatUpdater) -> int:
    model: Any = updater._asker._model
    return len(model.history)


def true_in(store: FactStore, year: int) -> set[str]:
    return {history.fact.text for history in store.at(date(year, 7, 1))}


def after_al(replies: Sequence[str | Exception], **options: Any) -> ChatUpdater:
    """An updater whose store knows since 2015 who leads Acme."""
    first = make([facts(AL)])
    first.update([note(AL, "2015-01-01")], known_at=NOW)
    return make(replies, store=first.store, **options)


def test_a_first_document_takes_one_call_and_adds_its_facts() -> None:
    updater = make([facts(AL, "Acme makes anvils.")])
    (changes,) = updater.update([note(f"{AL} Acme makes anvils.", "2015-01-01")], known_at=NOW)
    assert [change.fact.text for change in changes.added] == [AL, "Acme makes anvils."]
    assert changes.cost.model_calls == calls(updater) == 1


def test_a_fact_is_rewritten_in_the_light_of_the_document() -> None:
    updater = after_al(
        [facts(BO), verdicts(("F1", "make false", ["S1"])), verdicts(("F1", "make false", ["S1"], [], BO))]
    )
    (changes,) = updater.update(
        [note("Bo Lind replaces Al Moor as the chief executive of Acme.", "2020-01-01")], known_at=NOW
    )
    assert [(change.kind, change.fact.text) for change in changes.changes] == [("rewritten", AL)]
    assert changes.changes[0].into is not None
    assert changes.changes[0].into.text == BO
    assert changes.cost.model_calls == 3
    assert true_in(updater.store, 2018) == {AL}
    assert true_in(updater.store, 2021) == {BO}
