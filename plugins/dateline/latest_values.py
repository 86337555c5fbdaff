"""Memory of the latest values by their keys."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from threading import Lock
from typing import Any, Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class LatestValues(Generic[K, V]):
    """Values under their keys, those kept last.

    Safe to share between threads. Sent to another process, it arrives empty.

    Args:
        size: how many are kept.

    Example:
        >>> latest = LatestValues[str, int](size=2)
        >>> latest.keep({"a": 1, "b": 2, "c": 3})
        >>> latest.find(["a", "c"])
        {'c': 3}
    """

    def __init__(self, *, size: int) -> None:
        self._size = size
        self._kept: OrderedDict[K, V] = OrderedDict()
        self._lock = Lock()

    def __getstate__(self) -> dict[str, Any]:
        return {"size": self._size}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(size=state["size"])  # type: ignore[misc]

    def find(self, keys: Iterable[K]) -> dict[K, V]:
        """Return the values of those keys that are known."""
        with self._lock:
            return {key: self._kept[key] for key in keys if key in self._kept}

    def keep(self, values: Mapping[K, V]) -> None:
        """Keep values, and forget the oldest ones beyond the size."""
        with self._lock:
            for key, value in values.items():
                self._kept[key] = value
                self._kept.move_to_end(key)
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)
