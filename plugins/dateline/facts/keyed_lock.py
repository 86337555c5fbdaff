"""Locks by key that threads and tasks share."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import Future, wait
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from threading import Lock
from time import monotonic
from typing import Any

PATIENCE = 600.0
"""Seconds after which one who waits goes on beside the holder: a call that hangs must not hold up all others for good."""


class KeyedLock:
    """Lock by key for all threads and tasks of all event loops.

    The turn goes on when its holder is done, failed or cancelled. Only keys that are held take memory.

    Args:
        patience: seconds that one waits at most.

    Example:
        >>> locks = KeyedLock()
        >>> with locks.hold("document 1"):
        ...     print("alone with document 1")
        alone with document 1
    """

    def __init__(self, *, patience: float = PATIENCE) -> None:
        self._patience = patience
        self._held: dict[str, Future[None]] = {}
        self._lock = Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(KeyedLock, patience=self._patience), ()

    @contextmanager
    def hold(self, key: str) -> Iterator[None]:
        """Hold the turn for a key; blocks while another holds it."""
        mine, last = _turn(), monotonic() + self._patience
        while (ahead := self._take(key, mine)) is not None and (left := last - monotonic()) > 0:
            wait([ahead], timeout=left)
        try:
            yield
        finally:
            self._give_back(key, mine)

    @asynccontextmanager
    async def ahold(self, key: str) -> AsyncIterator[None]:
        """Hold the lock without blocking the event loop."""
        mine, last = _turn(), monotonic() + self._patience
        while (ahead := self._take(key, mine)) is not None and (left := last - monotonic()) > 0:
            with suppress(TimeoutError):
                await asyncio.wait_for(asyncio.wrap_future(ahead), left)
        try:
            yield
        finally:
            self._give_back(key, mine)

    def _take(self, key: str, mine: Future[None]) -> Future[None] | None:
        """Take the turn, or return the holder's future to wait for."""
        with self._lock:
            holder = self._held.setdefault(key, mine)
        return None if holder is mine else holder

    def _give_back(self, key: str, mine: Future[None]) -> None:
        """Pass the turn on, unless patience ran out before it was taken."""
        with self._lock:
            if self._held.get(key) is mine:
                del self._held[key]
        mine.set_result(None)


def _turn() -> Future[None]:
    """Make a running future, which those who wait cannot cancel."""
    future: Future[None] = Future()
    future.set_running_or_notify_cancel()
    return future
