"""A chat model's word ends a fact only where rules or the judge find so too."""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime
from typing import Any

import pytest
from langchain_core.messages import BaseMessage

from dateline.errors import BadInput
from dateline.facts import ChatUpdater, ExactIndex, FactStore, MemoryLedger
from dateline.facts.updating.subjects import same_subject, subject_of
from dateline.records import Evidence
from dateline.temporal.interval import Interval
from dateline.text.lexical import LexicalEmbeddings
from langchain_dateline.testing import AnsweringChatModel, ScriptedChatModel

NOW = datetime(2025, 1, 1, tzinfo=UTC)
THINGS = ("mill", "bridge", "library", "tower", "town hall", "ferry")
TOWNS = ("Halvik", "Orle", "Senn", "Lund", "Brae")
KEPT = "The mill of Lund is kept by Ada Berg."


def note(text: str, when: str) -> Evidence:
    return Evidence.make(text, source="gazette", published=Interval.parse(when))


def liar() -> AnsweringChatModel:
    """Ends all that it is shown, in perfect form, on the first line."""

    def respond(messages: list[BaseMessage]) -> str:
        text = "\n".join(str(message.content) for message in messages)
        known = sorted(set(re.findall(r"^(F\d+)\|", text, flags=re.M)))
        if not known:
            return json.dumps({"facts": re.findall(r"^S\d+\| (.*)$", text, flags=re.M)})
        item: dict[str, Any] = {"verdict": "make false", "because": ["S1"], "new": [], "into": ""}
        return json.dumps({"verdicts": [{"fact": label, **item} for label in known]})

    return AnsweringChatModel(respond=respond)


def true_in(store: FactStore, year: int) -> set[str]:
    return {history.fact.text for history in store.at(date(year, 12, 31))}


def empty() -> FactStore:
    return FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())


def told(text: str, *, against: str, **options: Any) -> tuple[FactStore, tuple[str, ...]]:
    """Let a liar end a known fact by a later document; returns the store and what was refused."""
    store = empty()
    teacher = ScriptedChatModel(replies=[json.dumps({"facts": [against]})])
    ChatUpdater(store, teacher).update([note(against, "2015-01-01")], known_at=NOW)
    (changes,) = ChatUpdater(store, liar(), threshold=-1.0, **options).update([note(text, "2020-01-01")], known_at=NOW)
    return store, tuple(changes.skipped)


def test_a_model_that_ends_all_it_is_shown_ends_nothing_where_each_note_is_about_another_thing() -> None:
    keepers = ("Ada Berg", "Bo Ek")
    texts = [
        f"The {thing} of {town} is kept by {keepers[(row + column) % 2]}."
        for row, thing in enumerate(THINGS)
        for column, town in enumerate(TOWNS)
    ]
    updater = ChatUpdater(empty(), liar(), threshold=-1.0)
    refused = []
    for day, text in enumerate(texts, 1):
        (changes,) = updater.update([note(text, f"2020-01-{day:02}")], known_at=NOW)
        refused += changes.skipped
    assert true_in(updater.store, 2020) == set(texts)
    assert any("find nothing that ends it" in reason for reason in refused)


def test_the_word_of_the_model_is_enough_where_no_second_one_is_asked_for() -> None:
    other = "The mill of Lund is kept by Bo Ek and was painted by Ada Berg."
    fact = "The tower of Lund was painted by Ada Berg."
    believed, _ = told(other, against=fact, confirms=0.0)
    checked, refused = told(other, against=fact)
    assert fact not in true_in(believed, 2021)
    assert fact in true_in(checked, 2021)
    assert any(fact in reason for reason in refused)


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        (KEPT, "The mill of Lund is now kept by Bo Ek."),
        ("Al Moor is the chief executive of Acme.", "Al Moor resigned from Acme on Monday."),
        ("Al Moor is the chief executive of Acme.", "Bo Lind is Acme's new chief executive."),
        ("Bo Ek works at Tolvex.", "Bo Ek left Tolvex in spring."),
        ("Bo Ek lives in Orle.", "Bo Ek lives in Lund now."),
        ("A day ticket for the Lund ferry costs 9 euros.", "A day ticket for the Lund ferry costs 11 euros."),
        ("The Lund library is open on Sundays.", "The Lund library is no longer open on Sundays."),
    ],
)
def test_an_end_that_a_document_tells_passes(fact: str, text: str) -> None:
    store, refused = told(text, against=fact)
    assert fact not in true_in(store, 2021), refused


def test_a_late_document_is_not_ended_by_a_later_fact_about_another_thing() -> None:
    store, later = empty(), "The mill of Orle is kept by Ada Berg."
    teacher = ScriptedChatModel(replies=[json.dumps({"facts": [later]})])
    ChatUpdater(store, teacher).update([note(later, "2020-01-01")], known_at=NOW)
    ends = {"verdicts": [{"fact": "F1", "verdict": "ends", "because": ["S1"], "new": ["N1"], "into": ""}]}
    model = ScriptedChatModel(replies=[json.dumps({"facts": [KEPT]}), json.dumps(ends)])
    (changes,) = ChatUpdater(store, model, threshold=-1.0).update([note(KEPT, "2010-01-01")], known_at=NOW)
    assert KEPT in true_in(store, 2021)
    assert any(KEPT in reason for reason in changes.skipped)


@pytest.mark.parametrize(
    ("fact", "text", "same"),
    [
        (KEPT, "The mill of Orle is kept by Ada Berg.", False),
        (KEPT, "The tower of Lund is kept by Ada Berg.", False),
        (KEPT, "Bo Ek looks after the mill of Lund.", True),
        ("Ada Berg is the director of Lund Zoo.", "Lund Zoo has a new director.", True),
        ("Ada Berg is the director of Lund Zoo.", "Mrs Berg resigned.", True),
        ("Ada Berg is the director of Lund Zoo.", "Una Holm is the director of Brae Zoo.", False),
        ("Ada Berg lives in Lund.", "Bo Ek lives in Lund.", False),
        ("Farid is Noor's boss.", "Noor's boss is Celine.", True),
        ("Boiler pressure at Quarry Lane is set to 1.2 bar.", "1.6 bar is what the Quarry Lane boiler has.", True),
    ],
)
def test_a_line_is_about_what_a_fact_is_about(fact: str, text: str, same: bool) -> None:
    assert same_subject(fact, text=text) is same


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        (KEPT, "The mill of Lund"),
        ("Gideon works for Halden Print.", "Gideon"),
        ("Visitors from Oby may stay.", "Visitors from Oby"),
        ("The Lund library is open.", "The Lund library"),
        ("Deposit held for Elm Terrace 7B: 900", "Deposit held for Elm Terrace 7B"),
        ("Dalia's choir meets on Wednesdays.", "Dalia's"),
        ("", ""),
    ],
)
def test_a_subject_is_what_stands_before_the_verb(text: str, subject: str) -> None:
    assert subject_of(text).strip() == subject


def test_a_share_outside_of_its_range_is_refused() -> None:
    with pytest.raises(BadInput, match=r"1\.5"):
        ChatUpdater(empty(), liar(), confirms=1.5)
