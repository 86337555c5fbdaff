"""Documents that wait for their day are taken in on it, whatever becomes of the others."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hashed_words import HashedWords

from dateline.facts import Changes, ExactIndex, FactStore, LocalUpdater, MemoryLedger, Policy
from dateline.facts.draft import Draft
from dateline.flow import Flow
from dateline.records import Evidence
from dateline.stopping import Stopped
from dateline.temporal.interval import Interval


def day(number: int) -> datetime:
    return datetime(2025, 2, number, 12, tzinfo=UTC)


def note(text: str, number: int) -> Evidence:
    return Evidence.make(text, published=Interval.of_day(2025, 2, number))


BROKEN, FIRST, SECOND = note("It broke.", 2), note("Ada Berg runs the mill.", 2), note("Bo Ek runs the pool.", 2)
EARLY = day(1)


def new_store() -> FactStore:
    return FactStore(MemoryLedger(), index=ExactIndex(), embeddings=HashedWords())


class Failing(LocalUpdater):
    """Fails at one document, until it is mended."""

    error: Exception | None = RuntimeError("the model is away")

    def _drafting(self, document: Evidence, *, known_at: datetime) -> Flow[Draft]:
        if document.id == BROKEN.id and self.error is not None:
            raise self.error
        return super()._drafting(document, known_at=known_at)


async def learnt(
    updater: LocalUpdater, documents: list[Evidence], known_at: datetime, *, awaited: bool
) -> list[Changes]:
    if awaited:
        return await updater.aupdate(documents, known_at=known_at)
    return updater.update(documents, known_at=known_at)


@pytest.mark.parametrize("awaited", [False, True])
async def test_one_that_fails_is_told_and_waits_on_and_the_others_are_taken_in(awaited: bool) -> None:
    updater = Failing(new_store())
    await learnt(updater, [BROKEN, FIRST], EARLY, awaited=awaited)
    failed, *others = await learnt(updater, [SECOND], day(2), awaited=awaited)
    assert failed.document == BROKEN.id
    assert "waits on: RuntimeError: the model is away" in failed.skipped[0]
    assert [each.document for each in others] == updater.store.documents() == [FIRST.id, SECOND.id]
    assert updater.review_queue.later() == [BROKEN]
    updater.error = None
    assert await learnt(updater, [], day(2), awaited=awaited) == [], "it is tried once a day"
    assert [each.document for each in await learnt(updater, [], day(3), awaited=awaited)] == [BROKEN.id]
    assert updater.review_queue.later() == []


def test_one_that_a_policy_refuses_is_left_to_an_updater_whose_policy_allows_it() -> None:
    store = new_store()
    LocalUpdater(store).update([FIRST], known_at=EARLY)
    assert LocalUpdater(store, policy=Policy(sources=("gazette",))).update([], known_at=day(2)) == []
    assert [each.document for each in LocalUpdater(store).update([], known_at=day(2))] == [FIRST.id]


def test_one_that_is_given_and_fails_is_raised() -> None:
    with pytest.raises(RuntimeError, match="away"):
        Failing(new_store()).update([BROKEN], known_at=day(2))


def test_work_that_nobody_waits_for_ends_there() -> None:
    updater = Failing(new_store())
    updater.update([BROKEN, FIRST], known_at=EARLY)
    updater.error = Stopped("Stopped.")
    with pytest.raises(Stopped):
        updater.update([], known_at=day(2))
    assert updater.review_queue.later() == [BROKEN, FIRST]


def test_what_another_updater_let_wait_is_taken_in_on_the_day_on_which_both_have_looked() -> None:
    store = new_store()
    one, other = LocalUpdater(store), LocalUpdater(store)
    one.update([], known_at=day(3))
    other.update([FIRST], known_at=EARLY)
    assert [each.document for each in one.update([], known_at=day(3))] == [FIRST.id]
    assert store.documents() == [FIRST.id]
