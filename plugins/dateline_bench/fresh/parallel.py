"""Many calls at a time, in order; when one fails, those not yet begun are not made."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from dateline.errors import BadInput

Given = TypeVar("Given")
Made = TypeVar("Made")

AT_ONCE = 8
"""Calls under way at the same time, unless told otherwise."""


def mapped(make: Callable[[Given], Made], items: Iterable[Given], *, at_once: int) -> Iterator[Made]:
    """`make` of each item, in threads, at most `at_once` under way. Raises what `make` raises."""
    with ThreadPoolExecutor(checked(at_once)) as threads:
        try:
            yield from threads.map(make, items)
        except BaseException:
            threads.shutdown(wait=False, cancel_futures=True)
            raise


async def amapped(make: Callable[[Given], Awaitable[Made]], items: Iterable[Given], *, at_once: int) -> list[Made]:
    """The same, without blocking."""
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
    if at_once < 1:
        raise BadInput(f"at_once must be at least 1, not {at_once}.")
    return at_once
