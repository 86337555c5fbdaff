"""Long work that stops between batches when nobody waits."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from functools import partial
from typing import ParamSpec, TypeVar

from dateline.errors import BadInput, DatelineError

P = ParamSpec("P")
T = TypeVar("T")

_CHECKS: ContextVar[tuple[Callable[[], None], ...]] = ContextVar("dateline_stop_checks", default=())

_THREADS = ThreadPoolExecutor(64, thread_name_prefix="dateline")
"""More than asyncio's own pool of about six, which a few runs waiting for one index would fill; chosen by hand."""


class Stopped(DatelineError, RuntimeError):
    """Work that ended early, since nobody waits for its result any more."""


class _OutOfTime(Stopped):
    """Work that ended early, since its time ran out.

    No `BadInput` before it leaves the work: whoever skips what cannot be read would skip the rest of it.
    """


class StopFlag:
    """Flag that another thread sets to stop work.

    Example:
        >>> flag = StopFlag()
        >>> with stopped_by(flag.check):
        ...     for number in until_stopped(range(5)):
        ...         flag.set()
        Traceback (most recent call last):
        dateline.stopping.Stopped: Stopped, since nobody waits for the result.
    """

    def __init__(self) -> None:
        self._set = False

    def set(self) -> None:
        """Stop the work at its next look."""
        self._set = True

    def check(self) -> None:
        """Raise `Stopped` if the flag is set."""
        if self._set:
            raise Stopped("Stopped, since nobody waits for the result.")


def check_stop() -> None:
    """Raise where the work around this call is to end."""
    for check in _CHECKS.get():
        check()


def until_stopped(items: Iterable[T]) -> Iterator[T]:
    """Yield the items, looking at the flag before each."""
    for item in items:
        check_stop()
        yield item


@contextmanager
def stopped_by(check: Callable[[], None]) -> Iterator[None]:
    """Let a check end the work in this block, by raising."""
    token = _CHECKS.set((*_CHECKS.get(), check))
    try:
        yield
    finally:
        _CHECKS.reset(token)


@contextmanager
def time_limit(seconds: float, *, refusal: str) -> Iterator[None]:
    """Refuse work in this block that takes longer, in a sentence.

    Raises:
        BadInput: from the next look at the flag on.
    """
    end = time.monotonic() + seconds

    def check() -> None:
        if time.monotonic() > end:
            raise _OutOfTime(refusal)

    try:
        with stopped_by(check):
            yield
    except _OutOfTime as over:
        raise BadInput(str(over)) from over


async def in_thread(method: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
    """Call a method in a thread; a cancelled caller stops it."""
    flag = StopFlag()
    with stopped_by(flag.check):
        context = copy_context()
    try:
        return await asyncio.get_running_loop().run_in_executor(
            _THREADS, partial(context.run, partial(method, *args, **named))
        )
    except asyncio.CancelledError:
        flag.set()
        raise
