"""The asking moment: of several days the one that counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import Context, ContextVar, copy_context
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, ParamSpec, TypeVar

from dateline.errors import BadInput
from dateline.flow import Effect, Flow, call
from dateline.temporal.as_of import EMPTY, AsOf, Clock, is_given, now, read_moment
from dateline.temporal.run_day import config_with, day_of_run, run_config, set_run_config
from dateline.visible import logger

P = ParamSpec("P")
T = TypeVar("T")

_LOG = logger(__name__)


@dataclass(slots=True, eq=False)
class _Block:
    """An open block, with what stood before it."""

    moment: datetime
    outer: _Block | None
    before: Any
    """What runs inherited before it."""
    inside: Any
    """What they inherit inside."""
    handed: AsOf
    """The day of the run in which it was opened: a config handed on from there carries that day, and the block is nearer."""


_ASKED: ContextVar[_Block | None] = ContextVar("dateline_asked_at", default=None)


@contextmanager
def asked_at(as_of: AsOf, *, clock: Clock = now) -> Iterator[None]:
    """Ask as of a moment inside the block.

    Retrievers, rerankers, prompts and graphs that have an `as_of` of their own keep it. `None` changes nothing. Threads and
    tasks that the block starts with a copy of its context, as LangChain's do, ask as of it too, and so does a run of LangChain or
    LangGraph that begins inside, to its end. A stream begins when its first piece is taken. A generator that yields inside the block
    leaves it open for whoever takes its pieces: give its runs the day in their config instead,
    `config={"configurable": {"as_of": ...}}`, which counts before a block.

    Raises:
        BadInput: for an unreadable or empty date, or a later one than the clock's.

    Example:
        >>> with asked_at("2019-03"):
        ...     print(asking_moment(None, clock=now))
        2019-03-31 23:59:59+00:00
    """
    if as_of is None:
        yield
        return
    if not is_given(as_of):
        raise BadInput(f"The day of asked_at {EMPTY}.")
    block = _enter(read_moment(as_of, clock=clock))
    try:
        yield
    finally:
        _leave(block)


def context_asked_at(as_of: AsOf, *, clock: Clock = now) -> Context:
    """Return a copy of this context that asks as of a moment.

    For a stream, which is read from outside: between its pieces a block would hold for its reader, too.

    Raises:
        BadInput: as `asked_at`.
    """
    context = copy_context()
    if is_given(as_of):
        context.run(_enter, read_moment(as_of, clock=clock))
    return context


def asking_moment(*given: AsOf, clock: Clock) -> datetime:
    """Read the first moment that is given.

    Where none is: `followed_day()`, else the clock's.

    Raises:
        BadInput: as `read_moment` and `followed_day`.
    """
    return read_moment(*given, followed_day(), clock=clock)


def followed_day(config: Any = None) -> AsOf:
    """Return the day that a run's config tells, else the block around.

    A block that was opened inside the run counts before its config.

    Args:
        config: of a run; `None`: of the one that is going on.

    Raises:
        BadInput: for a misspelt `as_of` in the config.
    """
    day, block = day_of_run(run_config() if config is None else config), _ASKED.get()
    if block is None or (is_given(day) and day != block.handed):
        return day
    return block.moment


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


def _enter(moment: datetime) -> _Block:
    outer, before = _ASKED.get(), run_config()
    handed = outer.handed if outer is not None and outer.inside is before else day_of_run(before)
    block = _Block(moment, outer, before, config_with(before, moment.isoformat()), handed)
    _ASKED.set(block)
    set_run_config(block.inside)
    return block


def _leave(block: _Block) -> None:
    """Leave a block.

    Of one that is left too early nothing stays, either, once those inside it are left.
    """
    current = _ASKED.get()
    if current is block:
        _ASKED.set(block.outer)
        set_run_config(block.before)
        return
    _LOG.warning(
        "A block of asked_at, of %s, was left before one that was opened later, or elsewhere than it was entered, as generators do "
        "that yield inside one: what they run may follow the other's day. Give each run its own, "
        'as config={"configurable": {"as_of": ...}}.',
        block.moment.date(),
    )
    while current is not None and current.outer is not block:
        current = current.outer
    if current is not None:
        current.outer, current.before = block.outer, block.before
