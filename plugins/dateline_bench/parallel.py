"""Bounded parallel calls, in order, stopping at the first failure."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from dateline.errors import check_least
from dateline.flow import gather

Given = TypeVar("Given")
Made = TypeVar("Made")

AT_ONCE = 8
"""Calls under way at the same time, unless told otherwise."""


def mapped(make: Callable[[Given], Made], items: Iterable[Given], *, at_once: int) -> Iterator[Made]:
    """Map `make` in at most `at_once` threads; raises as it does."""
    check_least(1, at_once=at_once)
    with ThreadPoolExecutor(at_once) as threads:
        try:
            yield from threads.map(make, items)
        except BaseException:
            threads.shutdown(wait=False, cancel_futures=True)
            raise


async def amapped(make: Callable[[Given], Awaitable[Made]], items: Iterable[Given], *, at_once: int) -> list[Made]:
    """Mapped asynchronously."""
    check_least(1, at_once=at_once)
    free = asyncio.Semaphore(at_once)

    async def one(item: Given) -> Made:
        async with free:
            return await make(item)

    return await gather(map(one, items))
