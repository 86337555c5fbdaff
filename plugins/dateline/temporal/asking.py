"""The asking moment of a block, for parts told none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import Context, ContextVar, copy_context
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, ParamSpec, TypeVar

from dateline.flow import Effect, Flow, call
from dateline.temporal.as_of import AsOf, Clock, is_given, now, read_moment

P = ParamSpec("P")
T = TypeVar("T")

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


def context_asked_at(as_of: AsOf, *, clock: Clock = now) -> Context:
    """Return a copy of this context that asks as of a moment.

    For a stream, which is read from outside: between its pieces a block would hold for its reader, too.

    Raises:
        BadInput: as `asked_at`.
    """
    context = copy_context()
    if is_given(as_of):
        context.run(_ASKED.set, read_moment(as_of, clock=clock))
    return context


def asking_moment(*given: AsOf, clock: Clock) -> datetime:
    """Read the first moment that is given.

    Where none is: that of the `asked_at` around it, else the clock's.

    Raises:
        BadInput: as `read_moment`.
    """
    return read_moment(*given, _ASKED.get(), clock=clock)


def call_as_of(moment: datetime, method: Callable[P, T], *args: P.args, **named: P.kwargs) -> Flow[T]:
    """Ask for a call that is made as of a moment.

    Parts in it that were told no day follow it: a retriever within a retriever looks for what was known then, not for what is known now.
    """
    return (yield from call(_AskedCall(method, moment).make, *args, **named))


@dataclass(frozen=True, slots=True)
class _AskedCall(Generic[P, T]):
    """A call within the block of its moment, blocking or async."""

    method: Callable[P, T]
    moment: datetime

    def make(self, *args: P.args, **named: P.kwargs) -> T:
        with asked_at(self.moment, clock=lambda: self.moment):
            return self.method(*args, **named)

    async def amake(self, *args: P.args, **named: P.kwargs) -> Any:
        with asked_at(self.moment, clock=lambda: self.moment):
            return await Effect(self.method, args, named).aperform()
