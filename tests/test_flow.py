"""A flow gives the same, blocking and async, whatever its parts do."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dateline.certainty import aestimate_each, estimate_each
from dateline.flow import Flow, arun, call, gather, run, together, twin_of


class Numbers:
    """A part with an async twin; odd numbers fail."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def double(self, number: int) -> int:
        self.asked.append("blocking")
        if number % 2:
            raise ValueError(str(number))
        return 2 * number

    async def adouble(self, number: int) -> int:
        self.asked.append("async")
        await asyncio.sleep(0)
        if number % 2:
            raise ValueError(str(number))
        return 2 * number

    def negate(self, number: int) -> int:
        return -number


def doubled(part: Numbers, number: int) -> Flow[int]:
    try:
        return (yield from call(part.double, number))
    except ValueError:
        return (yield from call(part.negate, number))


def summed(part: Numbers, numbers: list[int]) -> Flow[int]:
    both = yield from together(doubled(part, number) for number in numbers)
    return sum(both)


@given(st.lists(st.integers(-9, 9)))
def test_blocking_and_async_come_to_the_same(numbers: list[int]) -> None:
    part, other = Numbers(), Numbers()
    assert run(summed(part, numbers)) == asyncio.run(arun(summed(other, numbers)))
    assert set(part.asked) <= {"blocking"}
    assert set(other.asked) <= {"async"}


async def test_side_by_side_is_side_by_side_when_async() -> None:
    meeting = asyncio.Barrier(3)

    class Meets:
        def arrive(self) -> int:
            raise AssertionError("the async twin is the one to call")

        async def aarrive(self) -> int:
            async with asyncio.timeout(5):
                return await meeting.wait()

    part = Meets()
    assert sorted(await arun(together(call(part.arrive) for _ in range(3)))) == [0, 1, 2]


async def test_an_error_that_no_flow_catches_is_raised_as_it_is() -> None:
    for driven in (lambda: run(call(Numbers().double, 1)), lambda: asyncio.run(arun(call(Numbers().double, 1)))):
        with pytest.raises(ValueError, match="1") as caught:
            await asyncio.to_thread(driven)
        assert caught.value.__context__ is None


def _plain() -> int:
    return 1


async def _aplain() -> int:
    return 2


async def test_module_functions_have_twins_too_and_others_run_in_a_thread() -> None:
    assert twin_of(_plain) is _aplain
    assert twin_of(len) is None
    assert (run(call(_plain)), await arun(call(_plain)), await arun(call(len, "abc"))) == (1, 2, 3)


def test_both_faces_of_a_flow_are_twins_of_each_other() -> None:
    assert twin_of(estimate_each) is aestimate_each


async def test_the_first_error_of_several_ends_the_others() -> None:
    ended: list[str] = []

    async def fails() -> None:
        await asyncio.sleep(0)
        raise ValueError("refused")

    async def waits() -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            ended.append("waits")
            raise

    with pytest.raises(ValueError, match="refused"):
        await gather([waits(), fails(), waits()])
    assert ended == ["waits", "waits"]
