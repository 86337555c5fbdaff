"""OpenTelemetry for LlamaIndex: a span for each instrumented call."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from llama_index.core.base.response.schema import PydanticResponse, Response
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.instrumentation.events import BaseEvent
from llama_index.core.instrumentation.events.embedding import EmbeddingStartEvent
from llama_index.core.instrumentation.events.llm import (
    LLMChatEndEvent,
    LLMChatStartEvent,
    LLMCompletionEndEvent,
    LLMCompletionStartEvent,
)
from llama_index.core.instrumentation.events.query import QueryEndEvent, QueryStartEvent
from llama_index.core.instrumentation.events.rerank import ReRankStartEvent
from llama_index.core.instrumentation.events.retrieval import RetrievalEndEvent, RetrievalStartEvent
from llama_index.core.instrumentation.span import BaseSpan
from llama_index.core.instrumentation.span_handlers import BaseSpanHandler

from dateline.documents import evidence_of_all
from dateline.temporal.as_of import Clock, now
from dateline.tracing import SpanWriter, names
from dateline.tracing.attributes import Attributes, answer, tokens
from dateline.tracing.names import SpanKind
from llama_index.callbacks.dateline.answers import query_text, tokens_reported
from llama_index.callbacks.dateline.listening import AttachedHandler

if TYPE_CHECKING:
    from opentelemetry.trace import TracerProvider


class TelemetrySpanHandler(BaseSpanHandler[BaseSpan]):
    """Handler that opens and closes the spans."""

    _writer: SpanWriter = PrivateAttr()

    def __init__(self, writer: SpanWriter) -> None:
        super().__init__()
        self._writer = writer

    @classmethod
    def class_name(cls) -> str:
        """The name LlamaIndex knows it under."""
        return "DatelineTelemetrySpanHandler"

    def new_span(
        self,
        id_: str,
        bound_args: inspect.BoundArguments,
        instance: Any = None,
        parent_span_id: str | None = None,
        tags: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """Open a call's span."""
        # An id is the class and method, and then a number.
        self._writer.start(id_, parent=parent_span_id or "", name=id_.rsplit("-", 5)[0], kind="CHAIN")

    def prepare_to_exit_span(
        self, id_: str, bound_args: inspect.BoundArguments, instance: Any = None, result: Any = None, **kwargs: Any
    ) -> None:
        """Close a call's span."""
        self._writer.end(id_)

    def prepare_to_drop_span(
        self,
        id_: str,
        bound_args: inspect.BoundArguments,
        instance: Any = None,
        err: BaseException | None = None,
        **kwargs: Any,
    ) -> None:
        """Close the span of a call that failed."""
        self._writer.fail(id_, err)


class TelemetryEventHandler(AttachedHandler):
    """Handler that writes a span for each call.

    `instrument` makes and attaches one.

    Args:
        writer: where spans are written.

    Example:
        >>> from opentelemetry.sdk.trace import TracerProvider
        >>> from opentelemetry.sdk.trace.export import SimpleSpanProcessor
        >>> from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
        >>> from dateline import Evidence, Interval
        >>> from dateline.testing import FixedSearch
        >>> from llama_index.retrievers.dateline import EvidenceRetriever
        >>> exporter, provider = InMemorySpanExporter(), TracerProvider()
        >>> provider.add_span_processor(SimpleSpanProcessor(exporter))
        >>> news = Evidence.make("Ben leads Acme.", published=Interval.of_year(2021))
        >>> with TelemetryEventHandler(SpanWriter(tracer_provider=provider)):
        ...     nodes = EvidenceRetriever(FixedSearch([news])).retrieve("Who leads Acme?")
        >>> [span.attributes["dateline.freshness.newest"] for span in exporter.get_finished_spans()
        ...  if span.attributes["openinference.span.kind"] == "RETRIEVER"]
        ['2021']
    """

    _writer: SpanWriter = PrivateAttr()

    def __init__(self, writer: SpanWriter) -> None:
        super().__init__()
        self._writer = writer
        self._spans = (TelemetrySpanHandler(writer),)

    def handle(self, event: BaseEvent, **kwargs: Any) -> None:
        """Add what an event tells to the span that it belongs to."""
        kind, told = self._told(event)
        if kind is not None and event.span_id:
            self._writer.add(event.span_id, told, kind=kind)

    def _told(self, event: BaseEvent) -> tuple[SpanKind | None, Attributes]:
        write = self._writer.write
        match event:
            case QueryStartEvent():
                return "CHAIN", write.given(query_text(event.query))
            case QueryEndEvent():
                # The text of a stream is its reader's: to look at it would read it to its end.
                whole = isinstance(event.response, Response | PydanticResponse)
                told = write.result(str(event.response)) if whole else {}
                return "CHAIN", {**told, **answer(getattr(event.response, "metadata", None))}
            case RetrievalStartEvent():
                return "RETRIEVER", write.given(query_text(event.str_or_query_bundle))
            case RetrievalEndEvent():
                return "RETRIEVER", self._retrieved(event)
            case LLMChatStartEvent():
                said = [(each.role.value, each.content or "") for each in event.messages]
                return "LLM", {**write.messages(said, name=names.INPUT_MESSAGES), **_model(event.model_dict)}
            case LLMCompletionStartEvent():
                return "LLM", {**write.given(event.prompt), **_model(event.model_dict)}
            case LLMChatEndEvent() if event.response is not None:
                said = [("assistant", event.response.message.content or "")]
                return "LLM", {
                    **write.messages(said, name=names.OUTPUT_MESSAGES),
                    **tokens(tokens_reported(event.response)),
                }
            case LLMCompletionEndEvent():
                return "LLM", {**write.result(event.response.text), **tokens(tokens_reported(event.response))}
            case ReRankStartEvent():
                return "RERANKER", write.given(query_text(event.query or ""))
            case EmbeddingStartEvent():
                return "EMBEDDING", {}
        return None, {}

    def _retrieved(self, event: RetrievalEndEvent) -> Attributes:
        evidence = evidence_of_all(event.nodes)
        scores = [node.score for node in event.nodes]
        metadata = [node.node.metadata for node in event.nodes]
        return self._writer.retrieved(event.span_id or "", evidence, scores=scores, metadata=metadata)


def instrument(
    *, tracer_provider: TracerProvider | None = None, content: bool = True, clock: Clock = now
) -> TelemetryEventHandler:
    """Write a span of OpenTelemetry for every call that LlamaIndex tells of.

    Nothing of the app changes: `instrument()` once, where it starts; `detach()` ends it, and so does a `with` block.

    Args:
        tracer_provider: where spans go; `None`: the global one of OpenTelemetry.
        content: write texts; without, only ids, dates, scores and counts.
        clock: tells the asking date where none is given.

    Raises:
        MissingExtra: when OpenTelemetry is not installed.
    """
    writer = SpanWriter(tracer_provider=tracer_provider, content=content, clock=clock)
    return TelemetryEventHandler(writer).attach()


def _model(about: Mapping[str, Any]) -> Attributes:
    # Nothing else of it is written: it may hold a key.
    name = about.get("model") or about.get("model_name") or about.get("class_name")
    return {names.MODEL: str(name)} if name else {}
