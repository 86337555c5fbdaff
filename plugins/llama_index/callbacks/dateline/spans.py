"""Spans of LlamaIndex's instrumentation, with kinds and parents."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Any

from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.instrumentation.span import BaseSpan
from llama_index.core.instrumentation.span_handlers import BaseSpanHandler

from dateline.evidence.run_tree import OpenRun, RunTree

MOST_STREAMS = 100
"""So many streams that have not ended are remembered; chosen by hand."""


@dataclass(eq=False)
class OpenSpan(OpenRun):
    """One call while it goes on; events tell its kinds."""

    gathered: Any = None
    """What a handler gathered of it, where it is an answer."""

    @property
    def name(self) -> str:
        """The class, or function, that runs."""
        return str(self.id).split(".")[0].split("-")[0]


class SpanTree(BaseSpanHandler[BaseSpan]):
    """The open spans with their parents.

    An outermost span that ends, or fails, is handed to `ended`.
    """

    _ended: Callable[[OpenSpan, float], None] = PrivateAttr()
    _runs: RunTree[OpenSpan] = PrivateAttr(default_factory=RunTree)
    _streams: dict[str, tuple[str, Any, Any]] = PrivateAttr(default_factory=dict)
    _guard: Lock = PrivateAttr(default_factory=Lock)

    def __init__(self, ended: Callable[[OpenSpan, float], None]) -> None:
        super().__init__()
        self._ended = ended

    @classmethod
    def class_name(cls) -> str:
        """The name LlamaIndex knows it under."""
        return "DatelineSpanTree"

    def find(self, id: str | None) -> OpenSpan | None:
        """An open span."""
        return self._runs.find(id)

    def new_span(
        self,
        id_: str,
        bound_args: inspect.BoundArguments,
        instance: Any = None,
        parent_span_id: str | None = None,
        tags: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """Take note of a call."""
        runs = self._runs  # looked up once: pydantic makes a long way of each look at a private attribute
        with self._guard:
            # A parent that nobody told us of: we were attached while it ran, or it has ended.
            runs.begin(OpenSpan(id_, runs.find(parent_span_id), self._kinds(id_, bound_args, instance)))

    def prepare_to_exit_span(
        self, id_: str, bound_args: inspect.BoundArguments, instance: Any = None, result: Any = None, **kwargs: Any
    ) -> None:
        """A call is done.

        The words of a model's async stream are yet to come.
        """
        span, (name, asked) = self.find(id_), _call(id_, bound_args)
        if span is not None and "model" in span.kinds and ".astream_" in name:
            with self._guard:
                self._streams[id_] = (name.replace(".astream_", ".stream_"), instance, asked)
                for old in list(self._streams)[:-MOST_STREAMS]:
                    del self._streams[old]
        self._end(id_)

    def stream_ended(self, id: str | None) -> None:
        """The last word of a stream has come."""
        with self._guard:
            self._streams.pop(id or "", None)

    def _kinds(self, id: str, bound_args: inspect.BoundArguments, instance: Any) -> set[str]:
        """Return what is known of a call at once.

        A model's async stream may be its blocking one, called when the first word is taken: behind the end of its span, which
        is then no parent. It is the same question to the same model.
        """
        called, asked = _call(id, bound_args)
        for stream, (name, model, question) in self._streams.items():
            if name == called and model is instance and question is asked:
                del self._streams[stream]
                return {"model"}
        return set()

    def prepare_to_drop_span(
        self,
        id_: str,
        bound_args: inspect.BoundArguments,
        instance: Any = None,
        err: BaseException | None = None,
        **kwargs: Any,
    ) -> None:
        """A call failed."""
        self._end(id_)

    def _end(self, id: str) -> None:
        with self._guard:
            span = self._runs.end(id)
        if span is not None and span.parent is None:
            self._ended(span, time.perf_counter() - span.started)


def _call(id: str, bound_args: inspect.BoundArguments) -> tuple[str, Any]:
    """Return a call's method, with its class, and its first argument."""
    return id.partition("-")[0], next(iter((*bound_args.args, *bound_args.kwargs.values())), None)
