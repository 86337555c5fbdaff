"""Simultaneous calls of one slow function, answered by a single call."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from dateline.stopping import in_thread

Item = TypeVar("Item")
Result = TypeVar("Result")


class Coalesced(Generic[Item, Result]):
    """One batched call shared by everyone who awaits it at once.

    `call` takes many items and returns as many results; all who await within one turn of the event loop share it.

    `call` runs in a thread. What it raises is raised to each of those who wait.
    """

    def __init__(self, call: Callable[[Sequence[Item]], Sequence[Result]]) -> None:
        self.call = call
        self._waiting: dict[asyncio.AbstractEventLoop, list[tuple[Item, asyncio.Future[Result]]]] = {}
        self._running: set[asyncio.Task[None]] = set()

    async def one(self, item: Item) -> Result:
        """The result of one item."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Result] = loop.create_future()
        if loop in self._waiting:
            self._waiting[loop].append((item, future))
        else:
            self._waiting[loop] = [(item, future)]
            loop.call_soon(self._start, loop)
        return await future

    def _start(self, loop: asyncio.AbstractEventLoop) -> None:
        task = loop.create_task(self._answer(self._waiting.pop(loop)))
        self._running.add(task)  # a loop holds its tasks weakly
        task.add_done_callback(self._running.discard)

    async def _answer(self, waiting: Sequence[tuple[Item, asyncio.Future[Result]]]) -> None:
        try:
            results = await in_thread(self.call, [item for item, _ in waiting])
            for (_, future), result in zip(waiting, results, strict=True):
                if not future.done():
                    future.set_result(result)
        except Exception as error:  # handed on to those who wait, whatever it is
            for _, future in waiting:
                if not future.done():
                    future.set_exception(error)
