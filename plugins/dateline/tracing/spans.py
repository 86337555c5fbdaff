"""Open spans, by the ids of a framework's runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from threading import Lock
from typing import TYPE_CHECKING, Any

from dateline.documents.writing import asked_in
from dateline.errors import BadInput, DatelineError, require
from dateline.records import Evidence
from dateline.secrets import without_secrets
from dateline.temporal.as_of import AsOf, Clock, is_given, now
from dateline.temporal.asking import followed_day
from dateline.temporal.interval import Interval
from dateline.temporal.run_day import day_in, run_config
from dateline.tracing import names
from dateline.tracing.attributes import Attributes, AttributeWriter, freshness_at
from dateline.tracing.names import SpanKind

if TYPE_CHECKING:
    from opentelemetry.trace import Span, TracerProvider

OPEN = 10_000
"""Spans open at once; the oldest are ended, should an app never end its own. Chosen by hand."""


@dataclass(eq=False)
class _Open:
    span: Span
    as_of: str
    told: bool
    """Whether its day stands in an input, its own or that of a run around."""
    followed: str
    """The day of the `asked_at` or config around when it began."""


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
        as_of: AsOf = None,
        attributes: Attributes | None = None,
    ) -> None:
        """Open a span.

        An asking date left out is that of an `asked_at` that its parent opened, else its parent's, else that of the config or
        `asked_at` around.
        """
        followed, configured = _days_around()
        with self._lock:
            around = self._open.get(parent)
            if around is not None and configured and not around.told:
                # A run is told of before its config can be seen.
                around.as_of = configured
                around.span.set_attribute(names.AS_OF, configured)
            nearer = followed if around is None or followed not in (around.followed, configured) else ""
            asked = _day(as_of) or nearer or (around.as_of if around else "")
            # Without a parent of ours, it belongs to whatever span the app has open.
            context = None if around is None else self._api.set_span_in_context(around.span)
            told = {names.KIND: kind, **({names.AS_OF: asked} if asked else {}), **(attributes or {})}
            span = self._tracer.start_span(name, context=context, attributes=told)
            given = is_given(as_of) or (around is not None and not nearer and around.told)
            self._open[id] = _Open(span, asked, given, followed)
            if len(self._open) > OPEN:
                self._open.pop(next(iter(self._open))).span.end()

    def add(self, id: str, attributes: Attributes, *, kind: SpanKind | None = None, as_of: AsOf = None) -> None:
        """Add attributes to an open span.

        Args:
            as_of: its asking date, where that was not known when it began.
        """
        asked = _day(as_of)
        told = {**attributes, **({names.KIND: kind} if kind else {}), **({names.AS_OF: asked} if asked else {})}
        with self._lock:
            if (found := self._open.get(id)) is not None:
                found.as_of = asked or found.as_of
                found.span.set_attributes(told)

    def as_of(self, id: str) -> str:
        """Return the asking date of an open span, or nothing."""
        with self._lock:
            found = self._open.get(id)
        return "" if found is None else found.as_of

    def retrieved(
        self,
        id: str,
        evidence: Sequence[Evidence],
        *,
        scores: Sequence[float | None],
        metadata: Iterable[Mapping[str, Any]] = (),
    ) -> Attributes:
        """Write what a span retrieved, and how fresh that was.

        Args:
            metadata: of its documents, which may tell as of when they were asked for; else its asking date counts.
        """
        asked = _day(asked_in(metadata, clock=self.clock)) or self.as_of(id)
        fresh = freshness_at(evidence, as_of=asked, now=self.clock()) if evidence else {}
        told = {names.AS_OF: asked} if asked else {}
        return {**self.write.documents(evidence, scores=scores), **told, **fresh}

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


def _days_around() -> tuple[str, str]:
    """Return the day around a run that begins, and its config's."""
    try:
        return _day(followed_day()), _day(day_in((run_config() or {}).get("configurable")))
    except BadInput:
        return "", ""


def _day(as_of: AsOf) -> str:
    if not is_given(as_of):
        return ""
    return as_of.isoformat() if isinstance(as_of, date | Interval) else str(as_of)


def _message(error: BaseException) -> str:
    # Ours have no keys; of others nobody knows.
    return str(error) if isinstance(error, DatelineError) else without_secrets(str(error))
