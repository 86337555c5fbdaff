"""Runs grouped by answer: by the outermost run around them."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Generic, Literal, TypeVar
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.documents import Document
from langchain_core.messages import BaseMessage
from langchain_core.outputs import LLMResult

from dateline.errors import check_least
from dateline.evidence.run_tree import OpenRun, RunTree
from dateline.evidence.traces import KEPT
from dateline.temporal.as_of import AsOf
from langchain_dateline.io_fields import documents_in, question_in
from langchain_dateline.tool_results import checked_tools, searches

Kind = Literal["chain", "model", "retriever", "tool"]

Part = TypeVar("Part")
Told = TypeVar("Told")


@dataclass(eq=False)
class Run(OpenRun):
    """One run while it goes on."""

    name: str = ""
    tags: tuple[str, ...] = ()
    documents: Sequence[Document] = ()
    """Those that its input names."""
    as_of: AsOf = None
    """The asking day that its input names."""
    retrieves: bool = False
    """Whether a retriever ran inside it."""
    parts: list[Any] = field(default_factory=list)
    """What was gathered so far, where it is an answer."""

    def take(self, inputs: Any) -> None:
        """Read a chain's input."""
        self.given, self.documents = question_in(inputs), documents_in(inputs)
        self.as_of = inputs.get("as_of") if isinstance(inputs, Mapping) else None


class RunCallbackHandler(BaseCallbackHandler, Generic[Part]):
    """The base of handlers that gather something for each answer.

    An answer is a run without another around it. Subclasses say what a run that ended adds to its answer, and what they
    make of an answer that ended. Safe to share between threads; a run that fails ends like any other, with
    `output=None`.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._runs: RunTree[Run] = RunTree()

    def part_of(self, run: Run, *, output: Any, seconds: float) -> Part | None:
        """Return what an ended run adds to its answer; lock held."""

    def answer_ended(self, run: Run, *, parts: list[Part], seconds: float) -> None:
        """An answer is complete.

        The lock is not held: what it tells the app may ask something itself.
        """

    def on_chain_start(self, serialized: Any, inputs: Any, *, run_id: UUID, **kwargs: Any) -> None:
        """Take note of a chain, graph or node."""
        self._begin("chain", serialized, "", run_id, kwargs).take(inputs)

    def on_chat_model_start(
        self, serialized: Any, messages: list[list[BaseMessage]], *, run_id: UUID, **kwargs: Any
    ) -> None:
        """Take note of a chat model's call."""
        self._begin("model", serialized, "", run_id, kwargs)

    def on_llm_start(self, serialized: Any, prompts: list[str], *, run_id: UUID, **kwargs: Any) -> None:
        """Take note of a model's call."""
        self._begin("model", serialized, "", run_id, kwargs)

    def on_retriever_start(self, serialized: Any, query: str, *, run_id: UUID, **kwargs: Any) -> None:
        """Take note of a retrieval."""
        self._begin("retriever", serialized, query, run_id, kwargs)

    def on_tool_start(self, serialized: Any, input_str: str, *, run_id: UUID, **kwargs: Any) -> None:
        """Take note of a tool's call."""
        self._begin("tool", serialized, input_str, run_id, kwargs)

    def on_chain_end(self, outputs: Any, *, run_id: UUID, **kwargs: Any) -> None:
        """A chain is done."""
        run = self._runs.find(run_id)
        if run is not None and not run.given and "inputs" in kwargs:
            # A stream begins before its input is known.
            run.take(kwargs["inputs"])
        self._end(run_id, outputs)

    def on_llm_end(self, response: LLMResult, *, run_id: UUID, **kwargs: Any) -> None:
        """A model has replied."""
        self._end(run_id, response)

    def on_retriever_end(self, documents: Sequence[Document], *, run_id: UUID, **kwargs: Any) -> None:
        """Documents are there."""
        self._end(run_id, documents)

    def on_tool_end(self, output: Any, *, run_id: UUID, **kwargs: Any) -> None:
        """A tool is done."""
        self._end(run_id, output)

    def on_chain_error(self, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:
        """A run failed, or waits for a person."""
        self._end(run_id, None)

    on_llm_error = on_retriever_error = on_tool_error = on_chain_error

    def _begin(self, kind: Kind, serialized: Any, given: str, run_id: UUID, more: dict[str, Any]) -> Run:
        name = str(more.get("name") or (serialized or {}).get("name") or kind)
        with self._lock:
            # A parent that nobody told us of: this handler was given to the inner run only.
            parent = self._runs.find(more.get("parent_run_id"))
            run = Run(run_id, parent, {kind}, given, name=name, tags=tuple(more.get("tags") or ()))
            self._runs.begin(run)
            around = parent if kind == "retriever" else None
            while around is not None:
                around.retrieves = True
                around = around.parent
        return run

    def _end(self, run_id: UUID, output: Any) -> None:
        with self._lock:
            run = self._runs.end(run_id)
            if run is None:
                return
            seconds = time.perf_counter() - run.started
            part = self.part_of(run, output=output, seconds=seconds)
            if part is not None:
                run.answer.parts.append(part)
        if run.parent is None:
            self.answer_ended(run, parts=run.parts, seconds=seconds)


class AnswerCallbackHandler(RunCallbackHandler[Part], Generic[Part, Told]):
    """The base of handlers that keep a record of each answer.

    Args:
        tools: names of the tools whose results are evidence; `None`: those with "search" in their name.
        keep: how many answers are remembered, the latest ones.

    Raises:
        BadInput: for a `keep` below 1.
    """

    def __init__(self, *, tools: Collection[str] | None = None, keep: int = KEPT) -> None:
        check_least(1, keep=keep)
        super().__init__()
        self.answers: deque[Told] = deque(maxlen=keep)
        self._tools = checked_tools(tools)

    def _retrieved(self, run: Run) -> bool:
        """Return whether a run is a retriever's or a search tool's."""
        if "retriever" in run.kinds:
            return not run.within("retriever")
        return "tool" in run.kinds and not run.retrieves and searches(run.name, self._tools)
