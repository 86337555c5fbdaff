"""Notes beside a ledger: model replies, waiting edits, decisions, waiting documents."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from threading import Lock
from typing import Literal

from dateline.sendable import Sendable

Topic = Literal["reply", "proposal", "decision", "later", "arrived"]
"""What a note is about; each topic has keys of its own."""


class Notes(ABC):
    """Texts by topic and key, written once; no fact depends on them.

    Safe to share between threads and processes. Every method raises `StoreFailed` when the storage behind it fails.
    """

    @abstractmethod
    def write(self, topic: Topic, notes: Mapping[str, str]) -> None:
        """Keep all notes or none, durably; never replace an earlier text."""

    @abstractmethod
    def read(self, topic: Topic, key: str) -> str | None:
        """Read the note under a key, `None` where there is none."""

    @abstractmethod
    def erase(self, mentions: Callable[[str], bool]) -> None:
        """Erase notes that mention something, and every kept reply.

        All notes under a key go together: the decision about an edit with the edit.
        """

    @abstractmethod
    def all(self, topic: Topic) -> dict[str, str]:
        """Return all notes of a topic by key, in the order written."""


class MemoryNotes(Sendable, Notes):
    """Reference notes, in memory and gone with the process."""

    def __init__(self) -> None:
        self._notes: dict[Topic, dict[str, str]] = {}
        self._lock = Lock()

    def write(self, topic: Topic, notes: Mapping[str, str]) -> None:
        with self._lock:
            kept = self._notes.setdefault(topic, {})
            for key, text in notes.items():
                kept.setdefault(key, text)

    def read(self, topic: Topic, key: str) -> str | None:
        with self._lock:
            return self._notes.get(topic, {}).get(key)

    def erase(self, mentions: Callable[[str], bool]) -> None:
        with self._lock:
            self._notes.pop("reply", None)
            told = [note for kept in self._notes.values() for note in kept.items()]
            gone = {key for key, text in told if mentions(key) or mentions(text)}
            for kept in self._notes.values():
                for key in gone & set(kept):
                    del kept[key]

    def all(self, topic: Topic) -> dict[str, str]:
        with self._lock:
            return dict(self._notes.get(topic, {}))
