"""Statements are judged in their place: their document's title, and what stands before them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hashed_words import HashedWords
from hypothesis import given
from hypothesis import strategies as st

from dateline.facts import ExactIndex, FactHistory, FactStore, LocalUpdater, MemoryLedger, open_store
from dateline.facts.ledger import Ledger
from dateline.facts.setting import MOST, Setting, settings
from dateline.protocols import PlacedStatement
from dateline.records import Evidence
from dateline.temporal.interval import Interval
from dateline.testing import ScriptedEffectJudge

NOW = datetime(2026, 1, 1, tzinfo=UTC)
RENTED, RATE, NEW_RATE = (
    "The snooper is rented.",
    "The rate is 2400 dollars per day.",
    "New rate, 2600 dollars per day.",
)
TITLE = "Ask of the crane"


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[FactStore]:
    embeddings = HashedWords()
    in_memory = request.param == "memory"
    with (
        FactStore(MemoryLedger(), index=ExactIndex(), embeddings=embeddings)
        if in_memory
        else open_store(tmp_path, embeddings=embeddings)
    ) as opened:
        yield opened


def document(*texts: str, title: str, day: str) -> Evidence:
    return Evidence.make("\n".join(texts), title=title, published=Interval.parse(day))


def tell(store: FactStore, *documents: Evidence, judge: ScriptedEffectJudge | None = None) -> None:
    LocalUpdater(store, threshold=-1.0, judge=judge or ScriptedEffectJudge()).update(documents, known_at=NOW)


def history(store: FactStore, text: str) -> FactHistory:
    return next(each for each in store.at(which="any") if each.fact.text == text)


def test_the_judge_reads_both_statements_in_their_places(store: FactStore) -> None:
    judge = ScriptedEffectJudge()
    tell(store, document(RENTED, RATE, title="Gear", day="2023-05-01"), judge=judge)
    tell(store, document("The snooper has a new owner.", NEW_RATE, title="Gear, 2024", day="2024-05-01"), judge=judge)
    later, earlier = next((new, old) for new, old in judge.history if (new.text, old.text) == (NEW_RATE, RATE))
    assert (later.title, later.before) == ("Gear, 2024", "The snooper has a new owner.")
    assert (earlier.title, earlier.before) == ("Gear", RENTED)


def test_a_late_document_is_read_in_its_place_too(store: FactStore) -> None:
    judge = ScriptedEffectJudge()
    tell(store, document("The snooper has a new owner.", NEW_RATE, title="Gear, 2024", day="2024-05-01"), judge=judge)
    tell(store, document(RENTED, RATE, title="Gear", day="2023-05-01"), judge=judge)
    later, earlier = next((new, old) for new, old in judge.history if (new.text, old.text) == (NEW_RATE, RATE))
    assert (later.title, later.before) == ("Gear, 2024", "The snooper has a new owner.")
    assert (earlier.title, earlier.before) == ("Gear", RENTED)


def test_a_fact_stands_in_each_document_that_says_it(store: FactStore) -> None:
    tell(store, document(RENTED, RATE, title="Gear", day="2023-05-01"))
    tell(store, document("The van is ours.", RATE, title="Cars", day="2024-05-01"))
    assert store.settings(history(store, RATE).entries) == [
        Setting("Gear", RENTED),
        Setting("Cars", "The van is ours."),
    ]


def test_what_was_forgotten_stands_before_nothing(store: FactStore) -> None:
    tell(store, document(RENTED, RATE, title="Gear", day="2023-05-01"))
    who = {"by": "Ada", "reason": "asked to", "known_at": NOW}
    store.forget(facts=[history(store, RENTED).fact.id], **who)
    (said,) = history(store, RATE).entries
    unknown = said.model_copy(update={"operation": "0" * 32})
    assert store.settings([said, unknown]) == [Setting("Gear", ""), Setting()]


@given(
    st.lists(st.lists(st.text(st.sampled_from("abé"), min_size=1, max_size=60), min_size=1).map(" ".join), max_size=8)
)
def test_what_stands_before_is_the_end_of_it_in_whole_words(texts: list[str]) -> None:
    for place, where in enumerate(settings(texts, title=TITLE)):
        whole = " ".join(texts[:place])
        assert where.title == TITLE
        assert len(where.before) <= MOST
        assert f" {whole}".endswith(f" {where.before}")
        assert len(where.before) > MOST - 61 or where.before == whole


def test_a_word_that_is_too_long_is_cut() -> None:
    assert settings(["x" * 500, "a"])[1].before == "x" * MOST


def test_a_document_told_again_says_nothing_twice(store: FactStore) -> None:
    gear = document(RENTED, RATE, title="Gear", day="2023-05-01")
    tell(store, gear)
    store.undo(gear.id, known_at=NOW)
    tell(store, gear)
    (*_, said) = history(store, RATE).visible()
    assert store.settings([said]) == [Setting("Gear", RENTED)]


def test_a_ledger_of_ones_own_finds_by_reading_what_others_look_up(store: FactStore) -> None:
    tell(store, document(RENTED, RATE, title="Gear", day="2023-05-01"), document(RATE, title="Cars", day="2024-05-01"))
    for said in [*history(store, RATE).entries, *history(store, RENTED).entries]:
        found = Ledger.preceding(store.ledger, said.operation)
        assert [each.id for each in found] == [each.id for each in store.ledger.preceding(said.operation)]
        assert found[-1].id == said.operation
    assert Ledger.preceding(store.ledger, "0" * 32) == store.ledger.preceding("0" * 32) == []


def test_a_setting_places_a_text() -> None:
    assert Setting(TITLE, RENTED).of(RATE, None) == PlacedStatement(RATE, None, TITLE, RENTED)
