"""The asking moment of a block, for parts told none."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime

from dateline.temporal.as_of import AsOf, Clock, is_given, now, read_moment

_ASKED: ContextVar[datetime | None] = ContextVar("dateline_asked_at", default=None)


@contextmanager
def asked_at(as_of: AsOf, *, clock: Clock = now) -> Iterator[None]:
    """Ask as of a moment inside the block.

    Retrievers, rerankers, prompts and graphs that have an `as_of` of their own keep it. `None` changes nothing. Threads and
    tasks that the block starts with a copy of its context, as LangChain's do, ask as of it too.

    Raises:
        BadInput: for an unreadable date, or a later one than the clock's.

    Example:
        >>> with asked_at("2019-03"):
        ...     print(asking_moment(None, clock=now))
        2019-03-31 23:59:59+00:00
    """
    if not is_given(as_of):
        yield
        return
    token = _ASKED.set(read_moment(as_of, clock=clock))
    try:
        yield
    finally:
        _ASKED.reset(token)


def asking_moment(*given: AsOf, clock: Clock) -> datetime:
    """Read the first moment that is given.

    Where none is: that of the `asked_at` around it, else the clock's.

    Raises:
        BadInput: as `read_moment`.
    """
    return read_moment(*given, _ASKED.get(), clock=clock)
