"""A slot with many versions: only neighbours in time are looked at, and the truth is as if all were."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any

import pytest
from hashed_words import HashedWords
from hypothesis import given, settings
from hypothesis import strategies as st

from dateline.facts import ExactIndex, Fact, FactStore, LocalUpdater, MemoryLedger, Operation
from dateline.facts.fact import FactHistory
from dateline.facts.fact_reader import ReadDocument, facts_of
from dateline.facts.late_documents import denied_enough, first_true_after, is_before
from dateline.facts.operation import AddFact, MakeFalse, shared_fields
from dateline.handwritten.facts.statement import Statement
from dateline.records import Evidence
from dateline.temporal.interval import Interval

NOW = datetime(2025, 1, 1, tzinfo=UTC)
DAYS = 60


def price(value: int, day: int | None, *, number: int) -> Evidence:
    published = None if day is None else Interval.of_day(2020, 1 + day // 28, 1 + day % 28)
    return Evidence.make(f"The price of Tolvex is {value} euros.", title=f"note {number}", published=published)


class Exhaustive(LocalUpdater):
    """Compares each statement with all versions of its slot, and denies wherever one of them decides."""

    def _told(self, read: ReadDocument, *, document: Evidence, known_at: datetime) -> list[list[Operation]]:
        told: list[list[Operation]] = []
        for fact in read.facts:
            made: list[Operation] = []
            shared = shared_fields(document, known_at=known_at)
            assertion = AddFact(**shared, fact=fact)
            everything = [each for tag in fact.tags for each in self.store.tagged(tag) if each.visible()]
            own = next((each for each in everything if each.fact.id == fact.id), None)
            made.append(assertion)
            for rival in everything:
                if Statement.read(fact.text).compare(Statement.read(rival.fact.text)) == "conflict":
                    made += self._denials(assertion, rival, own)
            told.append(made)
        return told

    def _denials(self, assertion: AddFact, rival: FactHistory, own: FactHistory | None) -> list[MakeFalse]:
        made = []
        earlier = [entry for entry in rival.visible() if is_before(entry.when, assertion.when)]
        if any(entry.true for entry in earlier) and not denied_enough(earlier):
            made.append(MakeFalse(**assertion.shared, fact_id=rival.fact.id))
        end = first_true_after(rival, assertion.when)
        denied = [] if own is None else [entry for entry in own.visible() if not entry.true]
        if end is not None and not denied_enough(
            [one for one in denied if is_before(assertion.when, one.when) and not is_before(end.when, one.when)]
        ):
            made.append(MakeFalse(**{**assertion.shared, "when": end.when}, fact_id=assertion.fact.id))
        return made


def truths(store: FactStore) -> list[set[str]]:
    days = [date(2020, 1 + day // 28, 1 + day % 28) for day in range(DAYS)]
    histories = store.at(which="any")
    return [{history.fact.text for history in histories if history.true_at(day)} for day in days]


def learnt(kind: type[LocalUpdater], documents: Sequence[Evidence]) -> LocalUpdater:
    updater = kind(FactStore(MemoryLedger(), index=ExactIndex(), embeddings=HashedWords()))
    updater.update(documents, known_at=NOW)
    return updater


values = st.integers(10, 30)
versions = st.dictionaries(st.integers(0, DAYS - 1), values, min_size=2, max_size=16)


@settings(max_examples=30)
@given(versions, st.lists(values, max_size=2), st.randoms(use_true_random=False))
def test_the_truth_on_every_day_is_as_if_all_versions_had_been_compared(
    dated: dict[int, int], undated: list[int], chance: random.Random
) -> None:
    said = [*((value, day) for day, value in dated.items()), *((value, None) for value in undated)]
    chance.shuffle(said)
    documents = [price(value, day, number=number) for number, (value, day) in enumerate(said)]
    assert truths(learnt(LocalUpdater, documents).store) == truths(learnt(Exhaustive, documents).store)


@settings(max_examples=20)
@given(st.permutations(range(14)), st.integers(0, 13))
def test_one_version_withdrawn_leaves_the_truth_of_the_others(order: list[int], gone: int) -> None:
    documents = [price(10 + number, 4 * number, number=number) for number in range(14)]
    with_all = learnt(LocalUpdater, [documents[place] for place in order])
    with_all.store.undo(documents[gone].id, known_at=NOW)
    without = learnt(Exhaustive, [documents[place] for place in order if place != gone])
    assert truths(with_all.store) == truths(without.store)


@pytest.mark.parametrize("seed", range(3))
def test_an_update_writes_few_operations_however_many_versions_there_are(seed: int) -> None:
    order = random.Random(seed).sample(range(DAYS), DAYS)
    updater = learnt(LocalUpdater, [price(10 + number, number, number=number) for number in order])
    assert updater.store.ledger.last() <= 7 * DAYS


def test_a_value_that_is_repeated_every_day_still_ends() -> None:
    documents = [
        price(10, 0, number=0),
        *(price(20, day, number=day) for day in range(1, 50)),
        price(30, 55, number=55),
    ]
    (first, last) = (truths(learnt(LocalUpdater, documents).store)[day] for day in (30, 58))
    assert (first, last) == ({facts_of(documents[1])[0].text}, {facts_of(documents[-1])[0].text})


def test_of_a_slot_with_many_values_an_update_looks_at_few(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[FactHistory] = []
    listed = FactStore.beside

    def watched(store: FactStore, tag: str, when: Interval, **page: Any) -> list[FactHistory]:
        found = listed(store, tag, when, **page)
        seen.extend(found)
        return found

    monkeypatch.setattr(FactStore, "beside", watched)
    notes = [
        Evidence.make(f"Ada B{number} is a member of Lund Chess Club.", published=Interval.of_year(1900 + number))
        for number in range(DAYS)
    ]
    updater = learnt(LocalUpdater, notes)
    assert len(updater.store.tagged("slot:member:lund chess club")) == DAYS
    assert len(seen) <= 2 * DAYS


@pytest.mark.parametrize("gone", [(1,), (1, 2), (2, 1), (2, 3), (1, 3)])
def test_a_value_beside_others_stays_ended_by_whoever_says_so_and_stands(gone: tuple[int, ...]) -> None:
    ended = "Jon is no longer a coworker of Ada."
    texts = ["Jon is a coworker of Ada.", ended, ended, ended, "Ben is a coworker of Ada."]
    years = (2020, 2022, 2023, 2024, 2021)
    documents = [Evidence.make(text, published=Interval.of_year(year)) for text, year in zip(texts, years, strict=True)]
    store = learnt(LocalUpdater, documents).store
    for place in gone:
        store.undo(documents[place].id, known_at=NOW)
    true = {history.fact.text for history in store.at(date(2025, 1, 1))}
    assert true == {ended, "Ben is a coworker of Ada."}


def test_of_a_value_of_many_subjects_an_update_looks_at_few() -> None:
    notes = [
        Evidence.make(f"Ada Berg is a coworker of Jon{number}.", published=Interval.of_year(2020))
        for number in range(DAYS)
    ]
    store = learnt(LocalUpdater, notes).store
    assert len(store.tagged("attribute:colleague=ada berg")) == DAYS
    text = "Ada Berg is a coworker of Jon7."
    fact = Fact.make(text, tags=store.reader.tags(text))
    found = store.neighbours_of(fact, Interval.of_year(2022))
    assert {history.fact.text for history in found} == {fact.text}
