"""Flows: generators that yield effects, driven blocking or async.

A flow is a generator: it yields calls of readers, searches, models and other parts, is sent their results, and returns
its own. `run` makes the calls one after the other; `arun` awaits each part's own async method, side by side where the
flow says so.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Coroutine, Generator, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial, wraps
from typing import Any, Generic, ParamSpec, TypeAlias, TypeVar

from dateline.stopping import in_thread

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Effect:
    """Call that a flow asks its driver to make: search, read, …

    Attributes:
        method: the part's blocking method. Its async twin is the method beside it whose name has a leading `a`, as
            `aread` beside `read`; a method without one runs in a thread, whose work stops when the flow is cancelled.
    """

    method: Callable[..., Any]
    args: tuple[Any, ...] = ()
    named: Mapping[str, Any] = field(default_factory=dict)

    def perform(self) -> Any:
        """Call the part and wait."""
        return self.method(*self.args, **self.named)

    async def aperform(self) -> Any:
        """Call the part without blocking the event loop."""
        twin = twin_of(self.method)
        if twin is None:
            return await in_thread(self.method, *self.args, **self.named)
        found = twin(*self.args, **self.named)
        return await found if inspect.isawaitable(found) else found


Flow: TypeAlias = Generator["Effect | tuple[Generator[Any, Any, Any], ...]", Any, T]
"""A body that yields effects, or a tuple of flows to run side by side, and returns a `T`."""


def call(method: Callable[P, T], *args: P.args, **named: P.kwargs) -> Flow[T]:
    """Ask for one call: `result = yield from call(reader.read, question, evidence=pieces)`.

    Example:
        >>> def shout(text: str) -> Flow[str]:
        ...     loud = yield from call(text.upper)
        ...     return f"{loud}!"
        >>> run(shout("found"))
        'FOUND!'
    """
    result: T = yield Effect(method, args, named)
    return result


def call_in_thread(method: Callable[P, T], *args: P.args, **named: P.kwargs) -> Flow[T]:
    """Ask for a call of the blocking method, never its async twin."""
    # A partial has no name, and so no async twin.
    return (yield from call(partial(method), *args, **named))


def together(flows: Iterable[Flow[T]]) -> Flow[list[T]]:
    """Run several flows side by side; results keep their order."""
    results: list[T] = yield tuple(flows)
    return results


def run(flow: Flow[T]) -> T:
    """Run a flow to its end, blocking; raises uncaught errors."""
    driven = _FlowRun(flow)
    while (asked := driven.asked) is not None:
        found, failed = None, None
        try:
            found = [run(each) for each in asked] if isinstance(asked, tuple) else asked.perform()
        except Exception as error:
            failed = error
        driven.go_on(found, failed)
    return driven.results[0]


async def arun(flow: Flow[T]) -> T:
    """Run a flow to its end without blocking the event loop."""
    driven = _FlowRun(flow)
    while (asked := driven.asked) is not None:
        found, failed = None, None
        try:
            if isinstance(asked, tuple):
                found = await gather(map(arun, asked))
            else:
                found = await asked.aperform()
        except Exception as error:
            failed = error
        driven.go_on(found, failed)
    return driven.results[0]


async def gather(waiting: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Await all side by side; the first error ends the others."""
    tasks = [asyncio.ensure_future(one) for one in waiting]
    try:
        return list(await asyncio.gather(*tasks))
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise


def twins(body: Callable[P, Flow[T]]) -> tuple[Callable[P, T], Callable[P, Coroutine[Any, Any, T]]]:
    """Return the blocking and the async face of a flow's function.

    Both take its name, without a leading underscore, and its docstring.

    Example:
        >>> class Crier:
        ...     def _cry(self, text: str) -> Flow[str]:
        ...         return (yield from call(text.upper))
        ...     cry, acry = twins(_cry)
        >>> Crier().cry("found"), asyncio.run(Crier().acry("found"))
        ('FOUND', 'FOUND')
    """

    @wraps(body)
    def blocking(*args: P.args, **named: P.kwargs) -> T:
        return run(body(*args, **named))

    @wraps(body)
    async def awaited(*args: P.args, **named: P.kwargs) -> T:
        return await arun(body(*args, **named))

    name = body.__name__.lstrip("_")
    blocking.__name__, awaited.__name__ = name, f"a{name}"
    return blocking, awaited


class _FlowRun(Generic[T]):
    """A flow under way: the effect it waits for, or its result."""

    def __init__(self, flow: Flow[T]) -> None:
        self._flow = flow
        self.results: list[T] = []
        self.asked: Effect | tuple[Generator[Any, Any, Any], ...] | None = None
        self.go_on(None, None)

    def go_on(self, found: Any, failed: Exception | None) -> None:
        """Send an effect's result, or throw its error, without chaining."""
        try:
            self.asked = self._flow.send(found) if failed is None else self._flow.throw(failed)
        except StopIteration as end:
            self.asked = None
            self.results.append(end.value)


def twin_of(method: Callable[..., Any]) -> Callable[..., Any] | None:
    """Return the async twin of a method or function, or `None`."""
    name = str(getattr(method, "__name__", ""))
    bare = name.lstrip("_")
    twin_name = f"{name.removesuffix(bare)}a{bare}"
    owner = getattr(method, "__self__", None)
    home = getattr(inspect.unwrap(method), "__globals__", {})
    twin = home.get(twin_name) if owner is None else getattr(owner, twin_name, None)
    return twin if bare and callable(twin) else None
