"""Graphs as nodes of a graph of your own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, get_type_hints

from langchain_core.runnables import Runnable, RunnableLambda
from langgraph.pregel import Pregel

from dateline import BadInput
from dateline.options import suggestion, unknown
from dateline.visible import logger
from dateline_graphs.json_forms import fields_of, without_references
from dateline_graphs.kit import Update

_LOG = logger(__name__)

State = Mapping[str, Any]
Inputs = Mapping[str, str] | Callable[[State], State]
Outputs = Mapping[str, str] | Callable[[State], State]


def as_node(
    graph: Pregel[Any, Any, Any, Any],
    *,
    inputs: Inputs,
    outputs: Outputs,
    context: object | None = None,
    state: type | None = None,
) -> Runnable[Any, Update]:
    """Make a node that runs a compiled graph, sync and async.

    It takes fields of the outer state and writes fields of it back.

    What the graph streams, its interrupts and its checkpoints are the outer graph's, as with any subgraph; compile it
    without a checkpointer of its own. The outer state is not written into, and nothing else of either state is seen by
    the other.

    Args:
        graph: a compiled graph, such as `answer_graph().compile()`.
        inputs: field of the graph -> field of the outer state, those that are missing or `None` left out; or a function
            from the outer state to the graph's input.
        outputs: field of the outer state -> field of what the graph gives, or a path into it (`report.answer`); or a
            function from what it gives to an update of the outer state. A path through a field that is `None` gives `None`.
        context: the graph's options, such as `AnswerOptions(docs="notes/")`.
        state: the class of the outer state; with it, the names of its fields are checked too.

    Raises:
        BadInput: for an input or output that the graph does not have, or a field that `state` does not have; while
            running, for a path that leads nowhere where the graph does not say beforehand what stands there. Without
            `state`, a field that is missing where a similar one is there is told once in the log: nothing says whether it
            is misspelt or not given this time.
    """
    if not callable(inputs):
        _check(graph.get_input_jsonschema(), inputs, "input")
    if not callable(outputs):
        _check(without_references(graph.get_output_jsonschema()), outputs.values(), "output")
    if state is not None:
        theirs = [*(() if callable(inputs) else inputs.values()), *(() if callable(outputs) else outputs)]
        for name in theirs:
            if name not in (fields := get_type_hints(state)):
                raise unknown(name, of=state.__name__, known=fields)

    def taken(state: State) -> Update:
        if callable(inputs):
            return dict(inputs(state))
        _tell_near_misses(graph.name, tuple(set(inputs.values()) - state.keys()), frozenset(state))
        return {ours: state[theirs] for ours, theirs in inputs.items() if state.get(theirs) is not None}

    def given(result: State) -> Update:
        if callable(outputs):
            return dict(outputs(result))
        return {theirs: _at(result, path) for theirs, path in outputs.items()}

    # LangGraph draws and streams the graph inside because these two functions name it: no helper may stand between.
    def run(state: State) -> Update:
        return given(graph.invoke(taken(state), context=context))

    async def arun(state: State) -> Update:
        return given(await graph.ainvoke(taken(state), context=context))

    return RunnableLambda(run, arun, name=graph.name)


@lru_cache(maxsize=100)
def _tell_near_misses(graph: str, missing: tuple[str, ...], there: frozenset[str]) -> None:
    for name in missing:
        if near := suggestion(name, known=sorted(there)):
            _LOG.warning(
                "%s is given no %r: the state has none, only %r; give as_node the state's class, and names are checked.",
                graph,
                name,
                near,
            )


def _check(schema: Mapping[str, Any], paths: Iterable[str], what: str) -> None:
    """Raise `BadInput` for a path to a field that is none."""
    for path in sorted(paths):
        known, before = fields_of(schema), ""
        for name in path.split("."):
            if name not in known:
                meant = suggestion(name, known=known)
                fix = f"did you mean {before}{meant}?" if meant else f"choose among {', '.join(sorted(known))}."
                raise BadInput(f"The graph has no {what} {path!r}; {fix}")
            known, before = fields_of(known[name]), f"{before}{name}."
            if not known:  # only the value itself will tell
                break


def _at(result: State, path: str) -> Any:
    value: Any = result
    names = path.split(".")
    for place, name in enumerate(names):
        if value is None:
            return None
        if not isinstance(value, Mapping) or name not in value:
            fields = ", ".join(sorted(value)) if isinstance(value, Mapping) else ""
            gave = ".".join(names[:place]) + (f" with {fields}" if fields else "")
            raise BadInput(f"The graph gave no {path!r}; it gave {gave.removeprefix(' with ')}.")
        value = value[name]
    return value
