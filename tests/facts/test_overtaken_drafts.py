"""A draft that others overtook is made anew, so that documents taken in at once end as one after the other."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from threading import Barrier

import pytest
from hashed_words import HashedWords

from dateline.facts import Changes, ExactIndex, FactStore, LocalUpdater, MemoryLedger
from dateline.facts.draft import Draft
from dateline.flow import Flow, call
from dateline.records import Evidence
from dateline.temporal.interval import Interval

NOW = datetime(2025, 1, 1, tzinfo=UTC)


def note(name: str, year: int) -> Evidence:
    return Evidence.make(f"{name} is the director of Tolvex.", published=Interval.of_year(year))


ADA, BO = note("Ada Berg", 2019), note("Bo Ek", 2021)


class Overtaken(LocalUpdater):
    """Lets something happen between a draft and its submission."""

    def __init__(self, store: FactStore, happens: Callable[[int], object]) -> None:
        super().__init__(store)
        self.drafts = 0
        self._happens = happens

    def _drafting(self, document: Evidence, *, known_at: datetime) -> Flow[Draft]:
        draft = yield from super()._drafting(document, known_at=known_at)
        self.drafts += 1
        yield from call(self._happens, self.drafts)
        return draft


def new_store() -> FactStore:
    return FactStore(MemoryLedger(), index=ExactIndex(), embeddings=HashedWords())


def true_in(store: FactStore, year: int) -> set[str]:
    return {history.fact.text for history in store.at(Interval.of_year(year))}


async def learnt(updater: LocalUpdater, document: Evidence, *, awaited: bool) -> Changes:
    (changes,) = (
        await updater.aupdate([document], known_at=NOW) if awaited else updater.update([document], known_at=NOW)
    )
    return changes


@pytest.mark.parametrize("awaited", [False, True])
@pytest.mark.parametrize(("document", "other"), [(ADA, BO), (BO, ADA)])
async def test_a_value_told_meanwhile_is_taken_into_account(document: Evidence, other: Evidence, awaited: bool) -> None:
    store = new_store()
    first = LocalUpdater(store)
    updater = Overtaken(store, lambda drafts: first.update([other], known_at=NOW))
    await learnt(updater, document, awaited=awaited)
    assert updater.drafts == 2
    assert [true_in(store, year) for year in (2020, 2022)] == [{ADA.text}, {BO.text}]


@pytest.mark.parametrize("awaited", [False, True])
async def test_a_document_that_is_overtaken_again_and_again_is_taken_in_all_the_same(awaited: bool) -> None:
    store = new_store()
    first = LocalUpdater(store)
    updater = Overtaken(store, lambda drafts: first.update([note("Eva Lund", 2000 + drafts)], known_at=NOW))
    changes = await learnt(updater, BO, awaited=awaited)
    assert changes.added
    assert updater.drafts < 10
    assert store.stands(BO.id)


def test_documents_that_two_threads_take_in_at_once_leave_one_value_true() -> None:
    store, both = new_store(), Barrier(2, timeout=10)
    updaters = [Overtaken(store, lambda drafts: drafts == 1 and both.wait()) for _ in range(2)]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda each: each[0].update([each[1]], known_at=NOW), zip(updaters, (ADA, BO), strict=True)))
    assert sorted(each.drafts for each in updaters) == [1, 2]
    assert [true_in(store, year) for year in (2020, 2022)] == [{ADA.text}, {BO.text}]


def test_a_draft_that_nobody_overtook_is_made_once() -> None:
    updater = Overtaken(new_store(), lambda drafts: None)
    updater.update([ADA], known_at=NOW)
    assert updater.drafts == 1


def test_what_others_tell_of_something_else_costs_no_second_draft() -> None:
    store = new_store()
    other = Evidence.make("Eva Lund is the director of Maar Clinic.", published=Interval.of_year(2020))
    updater = Overtaken(store, lambda drafts: LocalUpdater(store).update([other], known_at=NOW))
    updater.update([ADA], known_at=NOW)
    assert updater.drafts == 1


def test_a_draft_that_only_affirms_a_fact_is_overtaken_by_another_value_of_its_slot() -> None:
    store = new_store()
    first = LocalUpdater(store)
    first.update([ADA], known_at=NOW)
    updater = Overtaken(store, lambda drafts: first.update([BO], known_at=NOW))
    updater.update([note("Ada Berg", 2023)], known_at=NOW)
    assert updater.drafts == 2
    assert [true_in(store, year) for year in (2020, 2022, 2024)] == [{ADA.text}, {BO.text}, {ADA.text}]
