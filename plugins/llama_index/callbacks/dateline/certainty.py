"""`CertaintyEventHandler`: records the certainty of an existing app's answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llama_index.core.base.response.schema import Response
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.instrumentation.events import BaseEvent
from llama_index.core.instrumentation.events.query import QueryEndEvent

from dateline.background import CAPACITY
from dateline.certainty.answer import answer_held, said_nothing
from dateline.certainty.log import KEPT, CertaintyLog, Observed, asked_held
from dateline.documents import evidence_of_all
from dateline.documents.writing import asked_in
from dateline.options import checked_arguments
from dateline.protocols import Estimator
from dateline.temporal.as_of import Clock, now
from llama_index.callbacks.dateline.answers import query_text
from llama_index.callbacks.dateline.listening import ListeningHandler


@checked_arguments
class CertaintyEventHandler(ListeningHandler):
    """A record of each answer's certainty; the app's answers stay unchanged.

    Use it in a `with` block, or call `attach()` and `close()`.

    Every answer of a query engine is recorded, with its source nodes as evidence; one that is streamed is not, since
    it is not there when the engine is done, nor one that says that there is none. It is judged as of the day that the response or all
    of its nodes tell, else of the `asked_at` around. Estimates are made in a thread of their own, by default by the local reader.
    Closing it, as the end of the block does, waits for the last one.

    Args:
        estimator: by default `dateline.certainty.SecondReadingEstimator()`.
        on_record: called with each record, in the handler's thread.
        capacity, kept: how many answers may wait, and how many records are kept.
        clock: gives the moment of asking where none is told, timezone-aware.

    Raises:
        BadInput: for a `capacity` or `kept` below 1.

    Example:
        >>> from dateline import Evidence
        >>> from dateline.reading import ExtractiveReader
        >>> from dateline.testing import FixedSearch, ReadingEstimator
        >>> from llama_index.core.query_engine import RetrieverQueryEngine
        >>> from llama_index.response_synthesizers.dateline import ReaderSynthesizer
        >>> from llama_index.retrievers.dateline import EvidenceRetriever
        >>> retriever = EvidenceRetriever(FixedSearch([Evidence.make("Ben Hall became director of Acme in 2021.")]))
        >>> app = RetrieverQueryEngine(retriever, response_synthesizer=ReaderSynthesizer(reader=ExtractiveReader()))
        >>> with CertaintyEventHandler(ReadingEstimator()) as handler:
        ...     response = app.query("Who is the director of Acme?")
        >>> [each.answer for each in handler.records]
        ['Ben Hall']
    """

    _background: CertaintyLog = PrivateAttr()
    _clock: Clock = PrivateAttr()

    def __init__(
        self,
        estimator: Estimator | None = None,
        *,
        on_record: Callable[[Observed], None] | None = None,
        capacity: int = CAPACITY,
        kept: int = KEPT,
        clock: Clock = now,
    ) -> None:
        super().__init__()
        self._clock = clock
        self._background = CertaintyLog(estimator, on_record=on_record, capacity=capacity, kept=kept, clock=clock)

    @property
    def log(self) -> CertaintyLog:
        """Return the log of what is recorded, dropped and failed."""
        return self._background

    @property
    def records(self) -> tuple[Observed, ...]:
        """Return the records so far, oldest first."""
        return self._background.records

    def handle(self, event: BaseEvent, **kwargs: Any) -> None:
        """Queue the answer of a query that ended."""
        if isinstance(event, QueryEndEvent) and isinstance(event.response, Response):
            # Read here: the app may go on to write into its nodes.
            evidence = evidence_of_all(event.response.source_nodes, seen_by="model")
            nodes, about = event.response.source_nodes, event.response.metadata
            asked = asked_held(about) or asked_in((each.node.metadata for each in nodes), clock=self._clock)
            held = answer_held(about)
            answer = (event.response.response or "") if held is None else held
            if not said_nothing(answer):
                self._background.offer(query_text(event.query), answer=answer, evidence=lambda: evidence, as_of=asked)
