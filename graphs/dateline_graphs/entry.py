"""Entry of a graph, which refuses inputs of other names and types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langchain_core.runnables import Runnable, RunnableConfig
from langgraph.channels import LastValue
from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import get_runtime
from langgraph.typing import ContextT, InputT, OutputT, StateT

from dateline.options import unknown
from dateline.temporal.run_day import FIELD, day_in
from dateline_graphs.kit import checked_options
from dateline_graphs.state import checked_input

_BELOW = "|"
"""Parts the names of nested graphs in LangGraph's `checkpoint_ns`."""


class CheckedGraph(StateGraph[StateT, ContextT, InputT, OutputT]):
    """A state graph that refuses inputs of other names and types.

    LangGraph drops unknown fields before the first node: a misspelt `as_of` would ask as of now. As a node of another graph it is
    given the whole state of that one, and takes what it knows.

    Raises:
        BadInput: while running, for an unknown field, a value of another type, or a context of another kind.
    """

    def compile(self, *args: Any, **named: Any) -> CompiledStateGraph[StateT, ContextT, InputT, OutputT]:
        """Compile, as LangGraph does."""
        compiled = super().compile(*args, **named)
        # The first step of a run, which still sees all fields; get_state does not take it, so a refused thread can be read.
        compiled.nodes[START] = compiled.nodes[START].copy(
            {"bound": _FieldCheck(self.schemas[self.input_schema], options=self.context_schema)}
        )
        return compiled


class _FieldCheck(Runnable[Any, Any]):
    """Passes an input on whose fields are all known.

    A thread keeps its fields, but a turn without a day is asked now, whatever the turn before was: fields that are not
    given are emptied, except those that grow, such as a chat. Inside another graph only a misspelt day is refused: other
    fields are the outer graph's own.
    """

    def __init__(self, known: Mapping[str, Any], *, options: type[Any] | None) -> None:
        self._known, self._options, self.name = known, options, "fields"
        self._unset = dict.fromkeys(name for name, channel in known.items() if isinstance(channel, LastValue))

    def invoke(self, input: Any, config: RunnableConfig | None = None, **_: Any) -> Any:
        if not isinstance(input, Mapping):
            return input
        checked_input({name: value for name, value in input.items() if name in self._known})
        if _is_inside(config):
            if FIELD in self._known:
                day_in(input)  # the outer state's other fields are its own; a misspelt day is nobody's
            return {**self._unset, **input}
        for name in input:
            if name not in self._known:
                raise unknown(str(name), of="The graph's input", known=self._known)
        if self._options is not None and (context := get_runtime(self._options).context) is not None:
            checked_options(context, kind=self._options)
        return {**self._unset, **input}

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **_: Any) -> Any:
        return self.invoke(input, config)


def _is_inside(config: RunnableConfig | None) -> bool:
    """Return whether a node of another graph runs this one."""
    return _BELOW in str((config or {}).get("configurable", {}).get("checkpoint_ns", ""))
