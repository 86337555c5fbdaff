"""Memory of what was used last, up to a size."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from functools import partial
from threading import Lock
from typing import Any, Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Latest(Generic[K, V]):
    """Values by key, of which the longest unused leave.

    Safe to share between threads. Sent to another process, it arrives empty.

    Args:
        size: the sum of weights that is kept.

    Attributes:
        held: the sum of weights now.

    Example:
        >>> kept = Latest[str, int](size=2)
        >>> kept.put("a", 1), kept.put("b", 2), kept.get("a"), kept.put("c", 3)
        (None, None, 1, None)
        >>> kept.get("a"), kept.get("b")
        (1, None)
    """

    def __init__(self, *, size: int) -> None:
        self._size, self.held = size, 0
        self._values: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self._lock = Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(Latest, size=self._size), ()

    def get(self, key: K) -> V | None:
        """Return a value, used now; `None` where it is not kept."""
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key][0]

    def put(self, key: K, value: V, *, weight: int = 1) -> None:
        """Keep a value."""
        with self._lock:
            self.held += weight - self._values.pop(key, (value, 0))[1]
            self._values[key] = value, weight
            while self.held > self._size:
                self.held -= self._values.popitem(last=False)[1][1]

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._values.clear()
            self.held = 0
