"""Bounded parallel calls, in order, stopping at the first failure."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from dateline.errors import check_least

Given = TypeVar("Given")
Made = TypeVar("Made")

AT_ONCE = 8
"""Calls under way at the same time, unless told otherwise."""


def mapped(make: Callable[[Given], Made], items: Iterable[Given], *, at_once: int) -> Iterator[Made]:
    """Map `make` in at most `at_once` threads; raises as it does."""
    with ThreadPoolExecutor(checked(at_once)) as threads:
        try:
            yield from threads.map(make, items)
        except BaseException:
            threads.shutdown(wait=False, cancel_futures=True)
            raise


async def amapped(make: Callable[[Given], Awaitable[Made]], items: Iterable[Given], *, at_once: int) -> list[Made]:
    """Mapped asynchronously."""
    free = asyncio.Semaphore(checked(at_once))

    async def one(item: Given) -> Made:
        async with free:
            return await make(item)

    tasks = [asyncio.ensure_future(one(item)) for item in items]
    try:
        return list(await asyncio.gather(*tasks))
    except BaseException:
        for task in tasks:
            task.cancel()
        raise


def checked(at_once: int) -> int:
    """The number. Raises `BadInput` when it is below 1."""
    check_least(1, at_once=at_once)
    return at_once
