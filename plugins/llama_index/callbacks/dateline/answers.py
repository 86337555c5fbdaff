"""`AnswerEventHandler`: the base of handlers of a LlamaIndex app's answers."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Generic, TypeVar

from llama_index.core.base.response.schema import Response
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.callbacks.token_counting import get_tokens_from_response
from llama_index.core.instrumentation.events import BaseEvent
from llama_index.core.instrumentation.events.llm import (
    LLMChatEndEvent,
    LLMChatStartEvent,
    LLMCompletionEndEvent,
    LLMCompletionStartEvent,
)
from llama_index.core.instrumentation.events.query import QueryEndEvent, QueryStartEvent
from llama_index.core.instrumentation.events.retrieval import RetrievalEndEvent, RetrievalStartEvent
from llama_index.core.schema import NodeWithScore, QueryBundle

from dateline import Cost, Evidence
from dateline.documents import DateField, DateRules, evidence_of_all
from dateline.documents.rules import USUAL, date_rules
from dateline.documents.writing import asked_in
from dateline.errors import check_least
from dateline.evidence.traces import KEPT, TracedRetrieval
from dateline.temporal.as_of import now
from llama_index.callbacks.dateline.listening import AttachedHandler
from llama_index.callbacks.dateline.spans import OpenSpan, SpanTree

T = TypeVar("T")

_HEARD = (
    QueryStartEvent,
    QueryEndEvent,
    RetrievalStartEvent,
    RetrievalEndEvent,
    LLMChatStartEvent,
    LLMChatEndEvent,
    LLMCompletionStartEvent,
    LLMCompletionEndEvent,
)


@dataclass
class Gathered:
    """The events of one answer so far."""

    asked: str = ""
    retrievals: list[TracedRetrieval] = field(default_factory=list)
    shown: tuple[Evidence, ...] | None = None
    """What the outermost query engine showed its synthesiser, postprocessors applied; `None`: none was asked."""
    cost: Cost = field(default_factory=Cost)


class AnswerEventHandler(AttachedHandler, Generic[T]):
    """The base of handlers that remember something of each answer.

    An answer is the outermost call in which something was asked.

    It listens to events and to spans, by which it knows what runs inside what. Safe to share between threads and tasks.
    What a stream does when its engine has returned is an answer of its own here. Subclasses say what they make of an
    answer.

    Raises:
        BadInput: when it is to keep fewer than one answer.
    """

    _date_field: DateRules = PrivateAttr(default=USUAL)
    _lock: Lock = PrivateAttr(default_factory=Lock)
    _answers: deque[T] = PrivateAttr()
    _tree: SpanTree = PrivateAttr()

    def __init__(self, *, date_field: DateField = (), keep: int = KEPT) -> None:
        check_least(1, keep=keep)
        super().__init__()
        self._answers, self._date_field = deque(maxlen=keep), date_rules(date_field)
        self._tree = SpanTree(self._ended)
        self._spans = (self._tree,)

    @property
    def answers(self) -> tuple[T, ...]:
        """Return the records so far, oldest first."""
        return tuple(self._answers)

    def answer_ended(self, gathered: Gathered, *, seconds: float) -> None:
        """An answer is complete, or has failed.

        The lock is not held: what it tells the app may ask something itself.
        """

    def handle(self, event: BaseEvent, **kwargs: Any) -> None:
        """Add what an event tells to its answer."""
        if not isinstance(event, _HEARD):
            return
        if isinstance(event, LLMChatEndEvent | LLMCompletionEndEvent):
            self._tree.stream_ended(event.span_id)
        span = self._tree.find(event.span_id)
        if span is None:
            return
        with self._lock:
            if isinstance(event, QueryStartEvent):
                self._asked(span, "query", event.query)
            elif isinstance(event, RetrievalStartEvent):
                self._asked(span, "retrieval", event.str_or_query_bundle)
            elif isinstance(event, RetrievalEndEvent) and not span.within("retrieval"):
                self._retrieved(span, event.nodes)
            elif isinstance(event, QueryEndEvent) and not span.within("query"):
                self._answered(span, event.response)
            elif isinstance(event, LLMChatStartEvent | LLMCompletionStartEvent):
                # A chat that is made of a completion is one call.
                if "model" not in span.kinds and not span.within("model"):
                    self._of(span).cost += Cost(model_calls=1)
                span.kinds.add("model")
            elif isinstance(event, LLMChatEndEvent | LLMCompletionEndEvent) and not span.within("model"):
                self._of(span).cost += tokens_reported(event.response)

    def _of(self, span: OpenSpan) -> Gathered:
        gathered: Gathered = span.answer.gathered or Gathered()
        span.answer.gathered = gathered
        return gathered

    def _asked(self, span: OpenSpan, kind: str, query: str | QueryBundle) -> None:
        span.kinds.add(kind)
        span.given = query_text(query)
        gathered = self._of(span)
        gathered.asked = gathered.asked or span.given

    def _retrieved(self, span: OpenSpan, nodes: Sequence[NodeWithScore]) -> None:
        evidence = tuple(evidence_of_all(nodes, date_field=self._date_field))
        asked = asked_in((each.node.metadata for each in nodes), clock=now)
        found = TracedRetrieval(span.name, span.given, evidence, time.perf_counter() - span.started, as_of=asked)
        gathered = self._of(span)
        gathered.retrievals.append(found)
        gathered.cost += Cost(searches=1)

    def _answered(self, span: OpenSpan, response: Any) -> None:
        nodes = getattr(response, "source_nodes", None)
        if isinstance(response, Response) or nodes:
            self._of(span).shown = tuple(evidence_of_all(nodes or (), date_field=self._date_field))

    def _ended(self, span: OpenSpan, seconds: float) -> None:
        if span.gathered is not None:
            self.answer_ended(span.gathered, seconds=seconds)


def query_text(query: str | QueryBundle) -> str:
    """Return what a query asks, in words."""
    return query if isinstance(query, str) else query.query_str


def tokens_reported(response: Any) -> Cost:
    """Return the tokens that a model reports, nothing where unreadable."""
    try:
        asked, written = get_tokens_from_response(response)
    except (TypeError, ValueError, AttributeError):
        return Cost()
    return Cost(input_tokens=int(asked or 0), output_tokens=int(written or 0))
