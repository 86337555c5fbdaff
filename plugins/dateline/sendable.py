"""Pickling of objects with a lock."""

from __future__ import annotations

from threading import Lock
from typing import Any


class Sendable:
    """Base class of objects whose lock, `_lock`, stays behind in the process.

    Example:
        >>> class Counter(Sendable):
        ...     def __init__(self) -> None:
        ...         self.count, self._lock = 3, Lock()
        >>> Counter().__getstate__()
        {'count': 3}
    """

    _lock: Lock

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._lock = Lock()
