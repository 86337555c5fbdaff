"""Runs grouped by answer: by the outermost run around them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Literal
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.documents import Document
from langchain_core.messages import BaseMessage
from langchain_core.outputs import LLMResult

from dateline import BadInput

Kind = Literal["chain", "model", "retriever", "tool"]

KEPT = 100
"""Answers that a handler remembers, the latest ones."""


@dataclass(eq=False)
class Run:
    """One run while it goes on."""

    id: UUID
    kind: Kind
    name: str
    given: str
    parent: Run | None
    tags: tuple[str, ...]
    started: float
    retrieves: bool = False
    """Whether a retriever ran inside it."""
    inside: list[UUID] = field(default_factory=list)
    """All runs inside it, where it is an answer."""

    @property
    def answer(self) -> Run:
        """The outermost run around it: the answer that it is part of."""
        return self if self.parent is None else self.parent.answer

    def within(self, kind: Kind) -> bool:
        """Return whether a run of this kind is around it."""
        return self.parent is not None and (self.parent.kind == kind or self.parent.within(kind))


class AnswerCallbackHandler(BaseCallbackHandler):
    """The base of handlers that tell something about each answer.

    An answer is a run without another around it.

    Subclasses say what they make of a run that ended, and of an answer that ended. Safe to share between threads; a
    run that fails ends like any other, with `output=None`.

    Raises:
        BadInput: when it is to keep fewer than one answer.
    """

    def __init__(self, *, keep: int = KEPT) -> None:
        if keep < 1:
            raise BadInput(f"keep must be at least 1, not {keep}.")
        self._lock = Lock()
        self._open: dict[UUID, Run] = {}

    def run_ended(self, run: Run, *, output: Any, seconds: float) -> None:
        """A run has ended; the lock is held."""

    def answer_ended(self, run: Run, *, seconds: float) -> None:
        """An answer is complete; the lock is held."""

    def on_chain_start(self, serialized: Any, inputs: Any, *, run_id: UUID, **kwargs: Any) -> None:
        """Take note of a chain, graph or node."""
        self._begin("chain", serialized, _question(inputs), run_id, kwargs)

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
        run = self._open.get(run_id)
        if run is not None and not run.given:
            # A stream begins before its input is known.
            run.given = _question(kwargs.get("inputs"))
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
        """A chain failed, or waits for a person."""
        self._end(run_id, None)

    def on_llm_error(self, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:
        """A model failed."""
        self._end(run_id, None)

    def on_retriever_error(self, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:
        """A retriever failed."""
        self._end(run_id, None)

    def on_tool_error(self, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:
        """A tool failed."""
        self._end(run_id, None)

    def _begin(self, kind: Kind, serialized: Any, given: str, run_id: UUID, more: dict[str, Any]) -> None:
        name = str(more.get("name") or (serialized or {}).get("name") or kind)
        with self._lock:
            # A parent that nobody told us of: this handler was given to the inner run only.
            parent = self._open.get(more.get("parent_run_id") or run_id)
            tags = tuple(more.get("tags") or ())
            run = Run(run_id, kind, name, given, parent, tags, time.perf_counter())
            self._open[run_id] = run
            if run.answer is not run:
                run.answer.inside.append(run_id)
            around = parent if kind == "retriever" else None
            while around is not None:
                around.retrieves = True
                around = around.parent

    def _end(self, run_id: UUID, output: Any) -> None:
        with self._lock:
            run = self._open.get(run_id)
            if run is None:
                return
            seconds = time.perf_counter() - run.started
            self.run_ended(run, output=output, seconds=seconds)
            if run.parent is None:
                for inner in (*run.inside, run_id):
                    self._open.pop(inner, None)
                self.answer_ended(run, seconds=seconds)


def _question(inputs: Any) -> str:
    """Return the question, where the input holds one."""
    if isinstance(inputs, str):
        return inputs
    if not isinstance(inputs, dict):
        return ""
    for name in ("question", "input", "query"):
        if isinstance(inputs.get(name), str):
            return str(inputs[name])
    messages = inputs.get("messages")
    last = messages[-1] if isinstance(messages, list) and messages else None
    if isinstance(last, dict):
        return str(last.get("content") or "")
    if isinstance(last, tuple) and len(last) == 2:
        return str(last[1])
    return str(last.text) if isinstance(last, BaseMessage) else str(last or "")
