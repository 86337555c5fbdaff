"""Background feed of a fact store: a queue and one thread."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from dateline.background import CAPACITY, Background, WhenFull
from dateline.facts.updater import Updater, check_updater
from dateline.records import Evidence
from dateline.secrets import without_secrets
from dateline.temporal.as_of import now
from dateline.visible import logger

FAILURES_KEPT = 100

_LOG = logger(__name__)


class IngestionFailure(NamedTuple):
    """Document that could not be taken in and may be offered again."""

    document: Evidence | None
    reason: str

    @classmethod
    def of(cls, document: Evidence | None, error: Exception) -> IngestionFailure:
        """Note a failure without secrets, and warn of it."""
        reason = without_secrets(f"{type(error).__name__}: {error}")
        _LOG.warning("A document could not be taken in: %s", reason)
        return cls(document, reason)


class BackgroundIngestor(Background):
    """Background thread that takes documents in, in the order offered.

    Nothing that was offered is lost: `flush` waits until all is in, and so do `close`, the end of a `with` block and
    the end of the interpreter. A document that fails is kept in `failures`.

    Args:
        clock: gives the knowledge time, timezone-aware.
        capacity: how many batches may wait, at least 1.
        when_full: what happens to a batch that finds no room.

    Raises:
        BadInput: for a capacity below 1 or an unknown `when_full`.

    Example:
        >>> from dateline import Evidence
        >>> from dateline.facts import ExactIndex, FactStore, LocalUpdater, MemoryLedger
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())
        >>> with BackgroundIngestor(LocalUpdater(store)) as ingestor:
        ...     ingestor.offer(lambda: [Evidence.make("The mayor is Ada Berg.")])
        True
        >>> ingestor.ingested
        1
    """

    def __init__(
        self,
        updater: Updater,
        *,
        clock: Callable[[], datetime] = now,
        capacity: int = CAPACITY,
        when_full: WhenFull = "wait",
    ) -> None:
        check_updater(updater)
        super().__init__("dateline-facts", capacity=capacity, when_full=when_full)
        self.ingested = 0
        self.failures: deque[IngestionFailure] = deque(maxlen=FAILURES_KEPT)
        self._updater = updater
        self._clock = clock

    def offer(self, read: Callable[[], Iterable[Evidence]]) -> bool:
        """Queue a batch that `read` gives in the background; false where dropped.

        Raises:
            BadInput: when the ingestor is closed.
        """
        return self._queue(lambda: self._take_in(read))

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
            self.ingested += 1
        except Exception as error:  # whatever a model or a store raises: the next document goes on
            self._failed(document, error)

    def _failed(self, document: Evidence | None, error: Exception) -> None:
        self.failures.append(IngestionFailure.of(document, error))


def is_fact(metadata: Mapping[str, Any]) -> bool:
    """Check that a document is a store's own fact, hence no news."""
    return "fact_id" in metadata or metadata.get("kind") == "fact"
