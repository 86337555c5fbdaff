"""Feeding a fact store beside a running app: documents queue up and one thread takes them in."""

from __future__ import annotations

import atexit
import logging
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from queue import Full, Queue
from threading import Lock, Thread
from types import TracebackType
from typing import Literal, NamedTuple, Protocol, Self, get_args

from asof.errors import BadInput
from asof.evidence.secrets import without_secrets
from asof.facts.changes import Changes
from asof.records import Evidence

WhenFull = Literal["wait", "drop"]
"""`wait`: the app waits until there is room, nothing is lost; `drop`: what comes too fast is counted and left out."""

CAPACITY = 1_000
"""Batches of documents that may wait."""

FAILURES_KEPT = 100

_LOG = logging.getLogger(__name__)


class Learns(Protocol):
    """An updater: `LocalUpdater`, `ChatUpdater` or your own."""

    def update(self, evidence: Sequence[Evidence], *, known_at: datetime) -> Sequence[Changes]:
        """What changed, document by document."""
        ...


class Failure(NamedTuple):
    """A document that could not be taken in, which may be offered again."""

    document: Evidence | None
    reason: str


def now() -> datetime:
    """The moment, in UTC: what "when it is learnt" means where no other clock is given."""
    return datetime.now(UTC)


class Intake:
    """Takes documents in the background, in the order in which they were offered.

    Nothing that was offered is lost: `flush` waits until all is in, and `close` does so too; it is called at the
    end of a `with` block and when the interpreter exits. A document that fails is kept in `failures`.

    Args:
        clock: gives the knowledge time, timezone-aware.
        capacity: how many batches may wait, at least 1.
        when_full: what happens to a batch that finds no room.

    Raises:
        BadInput: for a capacity below 1 or an unknown `when_full`.
    """

    def __init__(
        self,
        updater: Learns,
        *,
        clock: Callable[[], datetime] = now,
        capacity: int = CAPACITY,
        when_full: WhenFull = "wait",
    ) -> None:
        if capacity < 1:
            raise BadInput(f"capacity must be at least 1, not {capacity}.")
        if when_full not in get_args(WhenFull):
            raise BadInput(f"Unknown when_full {when_full!r}; choose one of {', '.join(get_args(WhenFull))}.")
        self.taken_in = 0
        self.dropped = 0
        self.failures: deque[Failure] = deque(maxlen=FAILURES_KEPT)
        self._updater = updater
        self._clock = clock
        self._when_full = when_full
        self._queue: Queue[Callable[[], Iterable[Evidence]] | None] = Queue(capacity)
        self._lock = Lock()
        self._closed = False
        self._thread = Thread(target=self._work, name="asof-facts", daemon=True)
        self._thread.start()
        atexit.register(self.close)

    def offer(self, read: Callable[[], Iterable[Evidence]]) -> bool:
        """Queue a batch; `read` gives its documents and runs in the background. False where it was dropped.

        Raises:
            BadInput: when the intake is closed.
        """
        # One at a time, so that nothing can be queued behind the end that `close` marks.
        with self._lock:
            if self._closed:
                raise BadInput("This intake is closed and takes nothing more; make a new one.")
            try:
                self._queue.put(read, block=self._when_full == "wait")
            except Full:
                self.dropped += 1
                return False
            return True

    def flush(self) -> None:
        """Wait until everything that was offered is taken in."""
        self._queue.join()

    def close(self) -> None:
        """Take in what was offered, then stop; calling it again does nothing."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            self._queue.put(None)
        self._thread.join()
        atexit.unregister(self.close)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _work(self) -> None:
        for read in iter(self._queue.get, None):
            self._take_in(read)
            self._queue.task_done()
        self._queue.task_done()

    def _take_in(self, read: Callable[[], Iterable[Evidence]]) -> None:
        document: Evidence | None = None
        try:
            for document in list(read()):
                self._learn(document)
        except Exception as error:  # a batch that cannot be read must not end the thread
            self._failed(None, error)

    def _learn(self, document: Evidence) -> None:
        try:
            self._updater.update([document], known_at=self._clock())
            self.taken_in += 1
        except Exception as error:  # whatever a model or a store raises: the next document goes on
            self._failed(document, error)

    def _failed(self, document: Evidence | None, error: Exception) -> None:
        reason = without_secrets(f"{type(error).__name__}: {error}")
        self.failures.append(Failure(document, reason))
        _LOG.warning("A document could not be taken in: %s", reason)
