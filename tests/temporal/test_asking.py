"""The asking moment of a block reaches what was told none."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest

from dateline import BadInput
from dateline.temporal import asked_at
from dateline.temporal.asking import asking_moment

NOW = datetime(2024, 6, 1, 12, tzinfo=UTC)


def clock() -> datetime:
    return NOW


def test_what_is_told_none_asks_as_of_the_block_and_what_has_its_own_keeps_it() -> None:
    with asked_at("2019", clock=clock):
        assert asking_moment(None, clock=clock).year == 2019
        assert asking_moment(None, "2012", clock=clock).year == 2012
        with asked_at("2015", clock=clock):
            assert asking_moment(None, clock=clock).year == 2015
        with asked_at(None):
            assert asking_moment("", clock=clock).year == 2019
    assert asking_moment(None, clock=clock) == NOW


def test_an_error_inside_leaves_nothing_behind() -> None:
    with pytest.raises(ZeroDivisionError), asked_at("2019", clock=clock):
        raise ZeroDivisionError
    assert asking_moment(None, clock=clock) == NOW


def test_a_block_of_the_future_is_refused() -> None:
    with pytest.raises(BadInput, match="later than now"), asked_at("2030", clock=clock):
        pass


async def test_tasks_side_by_side_ask_each_as_of_its_own() -> None:
    async def ask(year: int) -> int:
        with asked_at(year, clock=clock):
            await asyncio.sleep(0)
            return (await asyncio.to_thread(asking_moment, None, clock=clock)).year

    assert await asyncio.gather(*map(ask, (2011, 2016, 2021))) == [2011, 2016, 2021]
