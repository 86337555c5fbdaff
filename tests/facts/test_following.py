"""What follows from sentences: found with what it follows from, and gone with it."""

from __future__ import annotations

from datetime import UTC, datetime

from hashed_words import HashedWords
from hypothesis import given, settings
from hypothesis import strategies as st

from dateline.facts import ExactIndex, FactStore, LocalUpdater, MemoryLedger
from dateline.records import Evidence
from dateline.temporal.interval import Interval

NOW = datetime(2025, 1, 1, tzinfo=UTC)
OLD, NEW = "Ada's salary is $40,000.", "Ada's salary is $70,000."
BEFORE = (
    "Ada works as a cook at Tolvex.",
    OLD,
    "Jon works at Maar Clinic.",
    "The salary of a nurse at Maar Clinic is $70,000.",
)
MOVE = "Ada changed jobs and now works as a nurse at Maar Clinic."


def said(text: str, day: str) -> Evidence:
    return Evidence.make(text, published=Interval.parse(day))


def told(*notes: tuple[str, str]) -> FactStore:
    store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=HashedWords(), clock=lambda: NOW)
    LocalUpdater(store).update([said(*each) for each in notes], known_at=NOW)
    return store


def moved() -> FactStore:
    return told(*((text, "2020-01-01") for text in BEFORE), (MOVE, "2022-01-01"))


def found(store: FactStore, question: str, day: str) -> dict[str, str | None]:
    hits = store.search(question, as_of=day, k=20)
    return {each.fact.text: each.derivation.rule if each.derivation else None for each in hits}


def test_what_follows_from_sentences_is_found_with_its_rule() -> None:
    store = moved()
    now = found(store, "What is the salary of Ada?", "2023")
    assert now["The salary of Ada is $70,000."] == "a position is paid what it pays"
    assert found(store, "Who are the colleagues of Ada?", "2023")["Jon is a colleague of Ada."] is not None


def test_what_a_change_replaces_is_true_only_before_it() -> None:
    store = moved()
    assert OLD in found(store, "What is the salary of Ada?", "2021")
    assert OLD not in found(store, "What is the salary of Ada?", "2023")
    (old,) = [each for each in store.search("salary", as_of="2023", which="any", k=20) if each.fact.text == OLD]
    assert not old.true
    assert old.doubted is not None
    assert (store.true(old.fact.id, as_of="2021"), store.true(old.fact.id, as_of="2023")) == (True, False)


def test_undoing_the_change_undoes_what_followed() -> None:
    store = moved()
    store.undo(said(MOVE, "2022-01-01").id, known_at=NOW)
    assert found(store, "What is the salary of Ada?", "2023") == found(
        told(*((text, "2020-01-01") for text in BEFORE)), "What is the salary of Ada?", "2023"
    )


@settings(max_examples=10, deadline=None)
@given(st.permutations([*((text, "2020-01-01") for text in BEFORE), (MOVE, "2022-01-01")]))
def test_the_order_of_arrival_does_not_matter(notes: list[tuple[str, str]]) -> None:
    store = told(*notes)
    for attribute in ("salary", "colleague", "employer"):
        for day in ("2021", "2023"):
            values = store.value("Ada", attribute=attribute, as_of=day).values
            assert values == moved().value("Ada", attribute=attribute, as_of=day).values


def test_a_search_that_names_sources_brings_only_what_these_told() -> None:
    store = moved()
    hits = store.search("What is the salary of Ada?", as_of="2023", sources=[said(MOVE, "2022-01-01").id])
    assert [each.fact.text for each in hits] == [MOVE]


def test_a_told_step_parent_ends_with_the_marriage() -> None:
    notes = ("Ada is a parent of Umut.", "Ada is married to Jon.", "Jon is a step-parent of Umut.")
    store = told(*((text, "2020-01-01") for text in notes), ("Ada is no longer married to Jon.", "2022-01-01"))
    assert [store.value("Umut", attribute="step-parent", as_of=day).value for day in ("2021", "2023")] == ["Jon", None]


def test_who_adopts_a_step_child_is_a_parent_and_no_step_parent() -> None:
    notes = ("Ada is a parent of Umut.", "Ada is married to Jon.")
    store = told(*((text, "2020-01-01") for text in notes), ("Jon adopted Umut.", "2022-01-01"))
    assert [store.value("Umut", attribute="step-parent", as_of=day).value for day in ("2021", "2023")] == ["Jon", None]
    assert store.value("Umut", attribute="parent", as_of="2023").values == ("Ada", "Jon")
