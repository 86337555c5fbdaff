"""`CertaintyCallbackHandler`: records the certainty of an existing app's answers."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock
from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.documents import Document

from dateline.background import CAPACITY, BackgroundHandler
from dateline.certainty.log import KEPT, CertaintyLog, Observed
from dateline.documents import evidence_of_all
from dateline.options import checked_arguments
from dateline.protocols import Estimator
from dateline.temporal.as_of import now
from langchain_dateline.adaptive_session import unread
from langchain_dateline.io_fields import answer_in, documents_in, question_in

OPEN = 10_000
"""Runs remembered at once; the oldest are forgotten, should an app never end its own."""


@dataclass(slots=True)
class _Root:
    question: str
    documents: list[Document] = field(default_factory=list)


@checked_arguments
class CertaintyCallbackHandler(BackgroundHandler, BaseCallbackHandler):
    """A record of each answer's certainty; the app's answers stay unchanged.

    Pass it with `config={"callbacks": [handler]}`.

    An answer is what the outermost run gives: a chain, an agent, a graph. Its evidence is what was retrieved anywhere
    below it, or documents that its input or output names. The estimate is made in a thread of its own, by default by
    the local reader; `records` holds the results, and `on_record` is called with each. Close it, or use it in a `with`
    block, to wait for the last one.

    Args:
        estimator: by default `dateline.certainty.SecondReadingEstimator()`.
        on_record: called with each record, in the handler's thread.
        capacity, kept: how many answers may wait, and how many records are kept.
        clock: gives the moment of asking, timezone-aware.

    Raises:
        BadInput: for a `capacity` or `kept` below 1.

    Example:
        >>> from langchain_core.documents import Document
        >>> from langchain_core.runnables import RunnableLambda
        >>> from dateline.testing import ReadingEstimator
        >>> app = RunnableLambda(lambda asked: {"answer": "Ben Hall", "documents": [Document("Ben Hall leads Acme.")]})
        >>> with CertaintyCallbackHandler(ReadingEstimator()) as handler:
        ...     output = app.invoke({"question": "Who leads Acme?"}, config={"callbacks": [handler]})
        >>> [(each.question, each.answer) for each in handler.records]
        [('Who leads Acme?', 'Ben Hall')]
    """

    def __init__(
        self,
        estimator: Estimator | None = None,
        *,
        on_record: Callable[[Observed], None] | None = None,
        capacity: int = CAPACITY,
        kept: int = KEPT,
        clock: Callable[[], datetime] = now,
    ) -> None:
        self.log = self._background = CertaintyLog(
            estimator, on_record=on_record, capacity=capacity, kept=kept, clock=clock
        )
        self._roots: dict[UUID, _Root] = {}
        self._of: OrderedDict[UUID, UUID] = OrderedDict()
        self._lock = Lock()

    @property
    def records(self) -> tuple[Observed, ...]:
        """Return the records so far, oldest first."""
        return self.log.records

    def on_chain_start(
        self, serialized: Any, inputs: Any, *, run_id: UUID, parent_run_id: UUID | None = None, **kwargs: Any
    ) -> None:
        """Note the outermost run around this one, and its question."""
        self._begin(run_id, parent_run_id, inputs)

    def on_tool_start(
        self, serialized: Any, input_str: str, *, run_id: UUID, parent_run_id: UUID | None = None, **kwargs: Any
    ) -> None:
        """A tool may retrieve."""
        self._begin(run_id, parent_run_id, None)

    def on_retriever_end(
        self, documents: Sequence[Document], *, run_id: UUID, parent_run_id: UUID | None = None, **kwargs: Any
    ) -> None:
        """Note what was retrieved."""
        # Copies: the app may go on to write into its own.
        copies = [Document(each.page_content, metadata=dict(each.metadata)) for each in documents]
        with self._lock:
            top = self._of.get(parent_run_id) if parent_run_id is not None else None
            root = self._roots.get(top) if top is not None else None
            if root is not None:
                root.documents += copies

    def on_chain_end(self, outputs: Any, *, run_id: UUID, parent_run_id: UUID | None = None, **kwargs: Any) -> None:
        """Queue the answer of an outermost run."""
        root = self._end(run_id)
        if root is not None and (answer := answer_in(outputs)):
            documents = unread(root.documents or documents_in(outputs), ())
            self.log.offer(root.question, answer=answer, evidence=lambda: evidence_of_all(documents))

    def on_chain_error(self, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:
        """Forget the run."""
        self._end(run_id)

    def on_tool_end(self, output: Any, *, run_id: UUID, **kwargs: Any) -> None:
        """Forget the call."""
        self._end(run_id)

    def on_tool_error(self, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:
        """Forget the call."""
        self._end(run_id)

    def _begin(self, run_id: UUID, parent: UUID | None, inputs: Any) -> None:
        with self._lock:
            if parent is not None and parent in self._of:
                self._of[run_id] = self._of[parent]
            elif inputs is not None:
                self._of[run_id] = run_id
                self._roots[run_id] = _Root(question_in(inputs), documents_in(inputs))
            while len(self._of) > OPEN:
                self._roots.pop(self._of.popitem(last=False)[0], None)

    def _end(self, run_id: UUID) -> _Root | None:
        with self._lock:
            self._of.pop(run_id, None)
            return self._roots.pop(run_id, None)
