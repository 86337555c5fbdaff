"""Open spans, by the ids of a framework's runs."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any

from dateline.errors import DatelineError, require
from dateline.secrets import without_secrets
from dateline.temporal.as_of import Clock, now
from dateline.tracing import names
from dateline.tracing.attributes import Attributes, AttributeWriter
from dateline.tracing.names import SpanKind

if TYPE_CHECKING:
    from opentelemetry.trace import Span, TracerProvider

OPEN = 10_000
"""Spans open at once; the oldest are ended, should an app never end its own. Chosen by hand."""


@dataclass(eq=False)
class _Open:
    span: Span
    as_of: str


class SpanWriter:
    """Writer of spans, safe to share between threads.

    Args:
        tracer_provider: where spans go; `None`: the global one of OpenTelemetry.
        content: write texts; without, only ids, dates, scores and counts.
        clock: tells when asking dates are left out.

    Raises:
        MissingExtra: when OpenTelemetry is not installed.

    Example:
        >>> from opentelemetry.sdk.trace import TracerProvider
        >>> from opentelemetry.sdk.trace.export import SimpleSpanProcessor
        >>> from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
        >>> exporter, provider = InMemorySpanExporter(), TracerProvider()
        >>> provider.add_span_processor(SimpleSpanProcessor(exporter))
        >>> spans = SpanWriter(tracer_provider=provider)
        >>> spans.start("1", name="answer", kind="CHAIN", as_of="2024")
        >>> spans.start("2", parent="1", name="search", kind="RETRIEVER")
        >>> spans.end("2"), spans.end("1")
        (None, None)
        >>> [(span.name, span.attributes["dateline.as_of"]) for span in exporter.get_finished_spans()]
        [('search', '2024'), ('answer', '2024')]
    """

    def __init__(
        self, *, tracer_provider: TracerProvider | None = None, content: bool = True, clock: Clock = now
    ) -> None:
        self._api: Any = require("opentelemetry.trace", package="opentelemetry-api", extra="otel")
        self._tracer = self._api.get_tracer("dateline", tracer_provider=tracer_provider)
        self.write = AttributeWriter(content)
        self.clock = clock
        self._open: dict[str, _Open] = {}
        self._lock = Lock()

    def start(
        self,
        id: str,
        *,
        name: str,
        kind: SpanKind,
        parent: str = "",
        as_of: str = "",
        attributes: Attributes | None = None,
    ) -> None:
        """Open a span; an asking date left out is its parent's."""
        with self._lock:
            around = self._open.get(parent)
            asked = as_of or (around.as_of if around else "")
            # Without a parent of ours, it belongs to whatever span the app has open.
            context = None if around is None else self._api.set_span_in_context(around.span)
            told = {names.KIND: kind, **({names.AS_OF: asked} if asked else {}), **(attributes or {})}
            self._open[id] = _Open(self._tracer.start_span(name, context=context, attributes=told), asked)
            if len(self._open) > OPEN:
                self._open.pop(next(iter(self._open))).span.end()

    def add(self, id: str, attributes: Attributes, *, kind: SpanKind | None = None) -> None:
        """Add attributes to an open span."""
        with self._lock:
            if (found := self._open.get(id)) is not None:
                found.span.set_attributes({**attributes, **({names.KIND: kind} if kind else {})})

    def as_of(self, id: str) -> str:
        """Return the asking date of an open span, or nothing."""
        with self._lock:
            found = self._open.get(id)
        return "" if found is None else found.as_of

    def end(self, id: str, attributes: Attributes | None = None) -> None:
        """Close a span that went well."""
        self._ended(id, attributes or {}, None)

    def fail(self, id: str, error: BaseException | None) -> None:
        """Close a span that failed; its message has no keys."""
        told = "" if error is None or not self.write.content else _message(error)
        kind = type(error).__name__ if error is not None else "Error"
        self._ended(id, {}, (kind, told))

    def pause(self, id: str) -> None:
        """Close a span that waits for a person."""
        self._ended(id, {"dateline.interrupted": True}, None)

    def _ended(self, id: str, attributes: Attributes, failure: tuple[str, str] | None) -> None:
        with self._lock:
            found = self._open.pop(id, None)
        if found is None:
            return
        found.span.set_attributes(attributes)
        if failure is not None:
            kind, told = failure
            found.span.add_event("exception", {"exception.type": kind, "exception.message": told})
            found.span.set_status(self._api.Status(self._api.StatusCode.ERROR, told or kind))
        else:
            found.span.set_status(self._api.Status(self._api.StatusCode.OK))
        found.span.end()


def _message(error: BaseException) -> str:
    # Ours have no keys; of others nobody knows.
    return str(error) if isinstance(error, DatelineError) else without_secrets(str(error))
