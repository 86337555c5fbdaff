"""`CertaintyCallbackHandler`: records the certainty of an existing app's answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from langchain_core.documents import Document

from dateline.background import CAPACITY, BackgroundHandler
from dateline.certainty.log import KEPT, CertaintyLog, Observed, asked_held
from dateline.documents import evidence_of_all
from dateline.documents.writing import asked_in
from dateline.options import checked_arguments
from dateline.protocols import Estimator
from dateline.temporal.as_of import Clock, if_given, now
from langchain_dateline.adaptive_session import unread
from langchain_dateline.documents import copies_of
from langchain_dateline.io_fields import answer_alone, documents_in
from langchain_dateline.run_tree import Run, RunCallbackHandler


@checked_arguments
class CertaintyCallbackHandler(BackgroundHandler, RunCallbackHandler[list[Document]]):
    """A record of each answer's certainty; the app's answers stay unchanged.

    Pass it with `config={"callbacks": [handler]}`.

    An answer is what the outermost run gives: a chain, an agent, a graph; where that says that there is none, none is
    recorded. Its evidence is what was retrieved below it, of a retriever inside another one only what the outer one brought, or
    documents that its input or output names. It is judged as of the `as_of` of its input, else of the day that its output or all
    of its documents tell, else of the `asked_at` around. The estimate is made in a thread of its own, by default by
    the local reader; `records` holds the results, and `on_record` is called with each. Close it, or use it in a `with`
    block, to wait for the last one.

    Args:
        estimator: by default `dateline.certainty.SecondReadingEstimator()`.
        on_record: called with each record, in the handler's thread.
        capacity, kept: how many answers may wait, and how many records are kept.
        clock: gives the moment of asking where none is told, timezone-aware.

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
        clock: Clock = now,
    ) -> None:
        super().__init__()
        self._clock = clock
        self.log = self._background = CertaintyLog(
            estimator, on_record=on_record, capacity=capacity, kept=kept, clock=clock
        )

    @property
    def records(self) -> tuple[Observed, ...]:
        """Return the records so far, oldest first."""
        return self.log.records

    def part_of(self, run: Run, *, output: Any, seconds: float) -> list[Document] | None:
        """Note what was retrieved; queue the answer of an outermost chain."""
        if "retriever" in run.kinds:
            return None if run.within("retriever") else copies_of(output or ())
        if "chain" in run.kinds and not run.within("chain") and (answer := answer_alone(output)):
            self._offer(run, output, answer)
        return None

    def _offer(self, run: Run, output: Any, answer: str) -> None:
        found = [document for part in run.answer.parts for document in part]
        run.answer.parts.clear()
        documents = found or run.documents or documents_in(output)
        told = asked_held(output) or asked_in((each.metadata for each in documents), clock=self._clock)
        self.log.offer(
            run.given,
            answer=answer,
            evidence=lambda: evidence_of_all(unread(documents, ())),
            as_of=if_given(run.as_of) or told,
        )
