"""Building kit of the graphs: nodes from functions, components made once."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Coroutine, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial, wraps
from typing import Any, Generic, TypeVar, cast

from langchain_core.runnables import Runnable, RunnableConfig
from langgraph.runtime import get_runtime
from langgraph.types import Overwrite

from dateline import BadInput, Step
from dateline.flow import Flow, arun, call, run
from dateline.made_once import MadeOnce
from dateline.records import Record
from dateline.search.watch import folder_state
from dateline.temporal.as_of import Clock
from dateline_graphs.options import GraphOptions
from dateline_graphs.state import Json, check_version, checked_input, shown
from dateline_graphs.validated import VALIDATED

Update = dict[str, Any]
"""What a node adds to the state."""

Node = Callable[..., Update | Flow[Update]]
"""A function of a state, or of a state and live components, to an update; a flow where it waits for a part."""

O = TypeVar("O", bound=GraphOptions)  # noqa: E741
C = TypeVar("C")


def _no_limits(state: Mapping[str, Any]) -> None:
    """Let every input in."""


Guard = Callable[[Any], AbstractContextManager[None]]
"""Surrounds the work of a node, by the options of its run."""


@dataclass(frozen=True)
class Entrance(Generic[O, C]):
    """Way into a graph: options and the components made from them.

    Attributes:
        options: the schema of `context=`.
        make: makes the live components from a run's options.
        admit: looks at a run's state before anything else does, and raises where it is too much.
        guard: looks at the errors of nodes that work with components.
    """

    options: type[O]
    make: Callable[[O | None], C]
    admit: Callable[[Mapping[str, Any]], None] = _no_limits
    guard: Guard | None = None


@dataclass(frozen=True)
class TimedPart(Generic[C]):
    """Live part of a graph's nodes, and what "now" means to them."""

    part: C
    clock: Clock


class GraphStep(Runnable[Any, Any]):
    """A step of a graph, blocking and async.

    LangGraph opens a run in the trace for each step. A `RunnableLambda` would open a second one inside it, and look up its
    function's signature each time; a plain function would wait for a thread.
    """

    def __init__(
        self, blocking: Callable[[Any], Any], awaited: Callable[[Any], Coroutine[Any, Any, Any]], *, name: str
    ) -> None:
        self._blocking, self._awaited, self.name = blocking, awaited, name

    def invoke(self, input: Any, config: RunnableConfig | None = None, **_: Any) -> Any:
        """Take the step, blocking."""
        return self._blocking(input)

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **_: Any) -> Any:
        """Take the step asynchronously."""
        return await self._awaited(input)


def edge(path: Callable[[Any], Any]) -> GraphStep:
    """Make a conditional edge from a quick function of the state."""

    async def awaited(state: Any) -> Any:
        return path(state)

    return GraphStep(path, awaited, name=path.__name__)


def bind(
    node: Node,
    *,
    components: Any = None,
    make: Callable[[Any], Any] | None = None,
    begins: bool = False,
    admit: Callable[[Mapping[str, Any]], None] = _no_limits,
    guard: Guard | None = None,
    streams_itself: bool = False,
) -> GraphStep:
    """Make a LangGraph node that times and streams its steps.

    It runs sync and async.

    Args:
        node: a function of the state, or of the state and the components. One that is no flow runs in a thread; where the
            run is cancelled, its work stops.
        components: what it works with.
        make: makes the components from the options of the run, where none are given.
        begins: it begins a run, whatever version of dateline wrote the state before it.
        admit: looks at the state where a run begins.
        guard: looks at the errors of a node that works with components.
        streams_itself: its steps are timed and streamed while it works.
    """
    alone, waits = len(inspect.signature(node).parameters) == 1, inspect.isgeneratorfunction(node)

    def bound(state: Any) -> Flow[Update]:
        started = time.perf_counter()
        (admit if begins else check_version)(state)
        if begins:
            checked_input(state)
        with nullcontext() if alone or guard is None else guard(get_runtime().context):
            live = () if alone else ((yield from _live(components, make)),)
            flow: Flow[Any] = cast(Flow[Any], node(state, *live)) if waits else call(partial(node, state, *live))
            given = yield from flow
        return given if streams_itself else _streamed(given, started=started)

    def invoke(state: Any) -> Update:
        return run(bound(state))

    async def ainvoke(state: Any) -> Update:
        return await arun(bound(state))

    return GraphStep(invoke, ainvoke, name=node.__name__)


def timed_nodes(part: C | None, *, way: Entrance[Any, C], clock: Clock) -> Callable[..., GraphStep]:
    """Return a `bind` for nodes of one part, given or made."""
    return partial(
        bind,
        components=part and TimedPart(part, clock),
        make=lambda options: TimedPart(way.make(options), clock),
        admit=way.admit,
        guard=way.guard,
    )


def checked_options(given: Any, *, kind: type[O]) -> O:
    """Return options that are of the graph's kind. Raises `BadInput`."""
    if isinstance(given, kind):
        return given
    raise BadInput(f"context must be {kind.__name__}(...), not {shown(given)}.")


def made_once(kind: type[O]) -> Callable[[Callable[[O], C]], Callable[[O | None], C]]:
    """Make once for each set of options and state of their folder.

    The folder itself is indexed once, whatever the other options (`dateline.search.shared_folder_search`).

    Raises:
        BadInput: while making, for options of another kind.
    """

    def decorate(make: Callable[[O], C]) -> Callable[[O | None], C]:
        kept: MadeOnce[C] = MadeOnce(size=4)

        @wraps(make)
        def made(options: O | None = None) -> C:
            chosen = kind() if options is None else checked_options(options, kind=kind)
            return kept.get((chosen, folder_state(getattr(chosen, "docs", ""))), lambda: make(chosen))

        return made

    return decorate


def update(*steps: Step, **fields: Any) -> Update:
    """Return what a node adds: steps and fields, as JSON."""
    return {**{name: _json(value) for name, value in fields.items()}, "steps": [dump(step) for step in steps]}


def dump(record: Record) -> Json:
    """Return a record as JSON."""
    return record.model_dump(mode="json")


def _live(components: Any, make: Callable[[Any], Any] | None) -> Flow[Any]:
    # Making components reads files and loads an encoder, which must not block an event loop: a call runs in a thread.
    if components is not None or make is None:
        return components
    return (yield from call(make, get_runtime().context))


def _streamed(given: Update, *, started: float) -> Update:
    """Stream the steps; the last takes the time that others leave."""
    steps = given.get("steps", [])
    steps = steps.value if isinstance(steps, Overwrite) else steps
    if steps:
        before = sum(step["cost"]["seconds"] for step in steps[:-1])
        steps[-1]["cost"]["seconds"] = round(max(0.0, time.perf_counter() - started - before), 6)
    for step in steps:
        get_runtime().stream_writer(step)
    return given


def _json(value: Any) -> Any:
    if isinstance(value, Record):
        written = dump(value)
        VALIDATED.add(value, written)
        return written
    if isinstance(value, Overwrite):
        return Overwrite(_json(value.value))
    return [_json(each) for each in value] if isinstance(value, list | tuple) else value
