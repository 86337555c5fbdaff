"""A log of the certainty of a running app's answers."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from threading import Lock
from typing import Any

from pydantic import Field

from dateline.background import CAPACITY, Background
from dateline.certainty.answer import held_in
from dateline.certainty.second_reading import SecondReadingEstimator
from dateline.errors import BadInput, check_least
from dateline.evidence.knowledge import split_known
from dateline.limits import QUESTION
from dateline.protocols import Estimator
from dateline.records import Certainty, Evidence, Reading, Record
from dateline.temporal.as_of import AsOf, now
from dateline.temporal.asking import asking_moment
from dateline.temporal.decomposition import decompose
from dateline.visible import logger

KEPT = 10_000
"""Records that are kept."""

_LOG = logger(__name__)


class Observed(Record):
    """One answer of an app and how far it can be trusted.

    Example:
        >>> sure = Certainty(reliable=0.8, misleading=0.1, uncertain=0.1)
        >>> Observed(question="Who?", answer="Bo", certainty=sure, evidence=(), as_of="2024-06-01", seconds=0.1).answer
        'Bo'
    """

    question: str
    answer: str
    certainty: Certainty
    evidence: tuple[str, ...] = Field(description="Ids of what was retrieved for it.")
    as_of: str = Field(description="The moment of asking, ISO.")
    seconds: float = Field(description="What the estimate took, beside the app.")


class CertaintyLog(Background):
    """Estimates answers in a thread of its own, in their order.

    The app only pays for queueing.

    When `capacity` answers wait already, or the log is closed, further ones are counted in `dropped`, and so is one whose asking day
    cannot be read. An estimate that fails is counted and logged; nothing is ever raised into the app. What waits is still
    estimated when the interpreter exits.

    Args:
        estimator: by default `SecondReadingEstimator()`, made when the first answer comes.
        on_record: called with each record, in the log's thread.
        capacity, kept: how many answers may wait, and how many records are kept, at least 1 each.
        clock: gives the moment of asking where none is told, timezone-aware.

    Raises:
        BadInput: for a `capacity` or `kept` below 1.

    Example:
        >>> from dateline.reading import ExtractiveReader
        >>> with CertaintyLog(SecondReadingEstimator(reader=ExtractiveReader())) as log:
        ...     log.offer("Who is mayor?", answer="Bo", evidence=lambda: [Evidence.make("Bo Lind is mayor.")])
        >>> [(one.answer, one.certainty.label) for one in log.records]
        [('Bo', 'reliable')]
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
        super().__init__("dateline-certainty", capacity=capacity, when_full="drop")
        check_least(1, kept=kept)
        self._estimator, self._on_record, self._clock = estimator, on_record, clock
        self._records: deque[Observed] = deque(maxlen=kept)
        self._lock = Lock()
        self.failed = 0

    @property
    def records(self) -> tuple[Observed, ...]:
        """Return the records so far, the oldest first."""
        with self._lock:
            return tuple(self._records)

    def offer(
        self, question: str, *, answer: str, evidence: Callable[[], Sequence[Evidence]], as_of: AsOf = None
    ) -> None:
        """Queue a question's answer.

        Args:
            evidence: is called in the log's thread.
            as_of: the asking moment; `None`: that of the `asked_at` or run around, else the clock's.
        """
        if not question.strip():
            return
        try:
            asked_on = asking_moment(as_of, clock=self._clock)
            self._queue(lambda: self._record(question, answer, evidence, asked_on))
        except BadInput:  # Closed, or no day; an observer must not be what breaks an app.
            self.dropped += 1

    def _record(self, text: str, answer: str, evidence: Callable[[], Sequence[Evidence]], asked_on: datetime) -> None:
        try:
            started = time.perf_counter()
            self._estimator = self._estimator or SecondReadingEstimator()
            question = decompose(text[-QUESTION:], as_of=asked_on)
            pieces = split_known(evidence(), as_of=asked_on)[0]
            certainty = self._estimator.estimate(question, evidence=pieces, reading=Reading(answer=answer))
            record = Observed(
                question=text,
                answer=answer,
                certainty=certainty,
                evidence=tuple(piece.id for piece in pieces),
                as_of=asked_on.isoformat(),
                seconds=time.perf_counter() - started,
            )
            with self._lock:
                self._records.append(record)
            if self._on_record is not None:
                self._on_record(record)
        except Exception:  # Nor here.
            with self._lock:
                self.failed += 1
            _LOG.warning("The certainty of an answer could not be recorded.", exc_info=True)


def asked_held(value: Any) -> str | None:
    """Return the asking moment of an answer that an output holds."""
    asked = held_in(value).get("asked")
    return str(asked["as_of"]) if isinstance(asked, Mapping) and asked.get("as_of") else None
