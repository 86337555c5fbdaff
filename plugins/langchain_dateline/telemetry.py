"""OpenTelemetry for LangChain and LangGraph: a span for each run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, cast
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.documents import Document
from langchain_core.messages import BaseMessage, ToolMessage
from langchain_core.outputs import LLMResult
from langchain_core.tracers.context import register_configure_hook

from dateline.documents import evidence_of_all
from dateline.temporal.as_of import AsOf, Clock, now
from dateline.tracing import SpanWriter, names
from dateline.tracing.attributes import Attributes, answer, found_in, ranked_in, score_in, tokens
from dateline.tracing.names import SpanKind
from langchain_dateline.cost_tracker import tokens_of
from langchain_dateline.io_fields import answer_in, question_in

if TYPE_CHECKING:
    from opentelemetry.trace import TracerProvider


class TelemetryCallbackHandler(BaseCallbackHandler):
    """Handler that writes a span for each run of an app.

    Runs are chains, graphs, nodes, models, retrievers and tools.

    Give it to one run as a callback, or to all with `instrument`.

    Args:
        spans: where they are written.

    Example:
        >>> from opentelemetry.sdk.trace import TracerProvider
        >>> from opentelemetry.sdk.trace.export import SimpleSpanProcessor
        >>> from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
        >>> from dateline import Evidence, Interval
        >>> from dateline.testing import FixedSearch
        >>> from langchain_dateline import EvidenceRetriever
        >>> exporter, provider = InMemorySpanExporter(), TracerProvider()
        >>> provider.add_span_processor(SimpleSpanProcessor(exporter))
        >>> handler = TelemetryCallbackHandler(SpanWriter(tracer_provider=provider))
        >>> news = Evidence.make("Ben leads Acme.", published=Interval.of_year(2021))
        >>> retriever = EvidenceRetriever(search=FixedSearch([news]))
        >>> found = retriever.invoke("Who leads Acme?", config={"callbacks": [handler]})
        >>> exporter.get_finished_spans()[0].attributes["dateline.freshness.newest"]
        '2021'
    """

    # Spans begin and end in the order of the runs, and a handler in a thread of its own would change it.
    run_inline = True

    def __init__(self, spans: SpanWriter) -> None:
        self._spans = spans

    def on_chain_start(self, serialized: Any, inputs: Any, *, run_id: UUID, **kwargs: Any) -> None:
        """Open a chain's, graph's or node's span."""
        told = self._spans.write.given(question_in(inputs))
        self._start("CHAIN", serialized, run_id, kwargs, told, as_of=_day(inputs))

    def on_chat_model_start(
        self, serialized: Any, messages: list[list[BaseMessage]], *, run_id: UUID, **kwargs: Any
    ) -> None:
        """Open a chat model's span."""
        said = [(each.type, str(each.text)) for batch in messages for each in batch]
        told = self._spans.write.messages(said, name=names.INPUT_MESSAGES)
        self._start("LLM", serialized, run_id, kwargs, {**told, **_model(kwargs)})

    def on_llm_start(self, serialized: Any, prompts: list[str], *, run_id: UUID, **kwargs: Any) -> None:
        """Open a model's span."""
        told = self._spans.write.given("\n\n".join(prompts))
        self._start("LLM", serialized, run_id, kwargs, {**told, **_model(kwargs)})

    def on_retriever_start(self, serialized: Any, query: str, *, run_id: UUID, **kwargs: Any) -> None:
        """Open a retriever's span."""
        self._start("RETRIEVER", serialized, run_id, kwargs, self._spans.write.given(query))

    def on_tool_start(self, serialized: Any, input_str: str, *, run_id: UUID, **kwargs: Any) -> None:
        """Open a tool's span."""
        about = serialized or {}
        told = {names.TOOL_NAME: str(about.get("name") or kwargs.get("name") or "tool")}
        told |= {names.TOOL_DESCRIPTION: str(about["description"])} if about.get("description") else {}
        self._start("TOOL", serialized, run_id, kwargs, {**told, **self._spans.write.given(input_str)})

    def on_chain_end(self, outputs: Any, *, run_id: UUID, **kwargs: Any) -> None:
        """Close it, with the dated answer or evidence it holds."""
        self._add_input(str(run_id), kwargs)
        if kwargs.get("parent_run_id"):
            self._add_evidence(str(run_id), outputs)
        told = outputs["report"]["headline"] if _is_report(outputs) else answer_in(outputs)
        self._spans.end(str(run_id), {**self._spans.write.result(told), **answer(outputs)})

    def on_llm_end(self, response: LLMResult, *, run_id: UUID, **kwargs: Any) -> None:
        """Close it, with the reply and the tokens."""
        said = [("assistant", each.text) for batch in response.generations for each in batch]
        told = self._spans.write.messages(said, name=names.OUTPUT_MESSAGES)
        self._spans.end(str(run_id), {**told, **tokens(tokens_of(response))})

    def on_retriever_end(self, documents: Sequence[Document], *, run_id: UUID, **kwargs: Any) -> None:
        """Close it, with the documents, their scores and their freshness."""
        id, evidence, metadata = str(run_id), evidence_of_all(documents), [document.metadata for document in documents]
        scores = [score_in(each) for each in metadata]
        self._spans.end(id, self._spans.retrieved(id, evidence, scores=scores, metadata=metadata))

    def on_tool_end(self, output: Any, *, run_id: UUID, **kwargs: Any) -> None:
        """Close it, with what it told."""
        told = str(output.text) if isinstance(output, ToolMessage) else str(output)
        dated = answer(getattr(output, "artifact", None))
        self._spans.end(str(run_id), {**self._spans.write.result(told), **dated})

    def on_chain_error(self, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:
        """Close a run that failed, or waits for a person."""
        self._add_input(str(run_id), kwargs)
        if any(each.__name__ == "GraphBubbleUp" for each in type(error).__mro__):
            self._spans.pause(str(run_id))
        else:
            self._spans.fail(str(run_id), error)

    on_llm_error = on_retriever_error = on_tool_error = on_chain_error

    def _add_input(self, id: str, ended: Mapping[str, Any]) -> None:
        """Add the input of a stream, which begins before that is known."""
        if "inputs" in ended:
            inputs = ended["inputs"]
            self._spans.add(id, self._spans.write.given(question_in(inputs)), as_of=_day(inputs))

    def _add_evidence(self, id: str, outputs: Any) -> None:
        """Add what a node of the answer graph found or ranked."""
        if found := found_in(outputs):
            told = self._spans.retrieved(id, found, scores=[None] * len(found))
            self._spans.add(id, told, kind="RETRIEVER")
        elif ranked := ranked_in(outputs):
            pieces, scores = [one.evidence for one in ranked], [one.score for one in ranked]
            told = self._spans.write.documents(pieces, scores=scores, name=names.RERANKED)
            self._spans.add(id, told, kind="RERANKER")

    def _start(
        self,
        kind: SpanKind,
        serialized: Any,
        run_id: UUID,
        more: dict[str, Any],
        told: Attributes,
        *,
        as_of: AsOf = None,
    ) -> None:
        name = str(more.get("name") or (serialized or {}).get("name") or kind.lower())
        parent = str(more.get("parent_run_id") or "")
        self._spans.start(
            str(run_id), parent=parent, name=name, kind=kind, as_of=as_of, attributes={**told, **_about(more)}
        )


class Instrumentation:
    """Instrumentation of all runs, until it is closed."""

    def __init__(self, handler: TelemetryCallbackHandler) -> None:
        _ACTIVE.handlers.append(handler)
        self._handler = handler

    def close(self) -> None:
        """Stop writing; spans that are open are still ended."""
        if self._handler in _ACTIVE.handlers:
            _ACTIVE.handlers.remove(self._handler)

    def __enter__(self) -> Instrumentation:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def instrument(
    *, tracer_provider: TracerProvider | None = None, content: bool = True, clock: Clock = now
) -> Instrumentation:
    """Write a span of OpenTelemetry for every run of LangChain and LangGraph.

    Nothing of the app changes: `instrument()` once, where it starts.

    Args:
        tracer_provider: where spans go; `None`: the global one of OpenTelemetry.
        content: write texts; without, only ids, dates, scores and counts.
        clock: tells the asking date where none is given.

    Raises:
        MissingExtra: when OpenTelemetry is not installed.
    """
    return Instrumentation(
        TelemetryCallbackHandler(SpanWriter(tracer_provider=tracer_provider, content=content, clock=clock))
    )


class _Active:
    """Stand-in for a context variable, the same in every thread."""

    def __init__(self) -> None:
        self.handlers: list[TelemetryCallbackHandler] = []

    def get(self) -> BaseCallbackHandler | None:
        return self.handlers[-1] if self.handlers else None


_ACTIVE = _Active()
register_configure_hook(cast("ContextVar[BaseCallbackHandler | None]", _ACTIVE), inheritable=True)


def _model(more: Mapping[str, Any]) -> Attributes:
    about = more.get("metadata") or {}
    told = {names.MODEL: about.get("ls_model_name"), names.PROVIDER: about.get("ls_provider")}
    return {name: str(value) for name, value in told.items() if value}


def _about(more: Mapping[str, Any]) -> Attributes:
    """Return a run's session, user, node and tags."""
    about = more.get("metadata") or {}
    told = {
        names.SESSION: about.get("session_id") or about.get("thread_id"),
        names.USER: about.get("user_id"),
        names.NODE: about.get("langgraph_node"),
    }
    written = {name: str(value) for name, value in told.items() if value}
    return {**written, names.TAGS: list(map(str, more["tags"]))} if more.get("tags") else written


def _day(inputs: Any) -> AsOf:
    day: AsOf = inputs.get("as_of") if isinstance(inputs, Mapping) else None
    return day


def _is_report(outputs: Any) -> bool:
    report = outputs.get("report") if isinstance(outputs, Mapping) else None
    return isinstance(report, Mapping) and "headline" in report
