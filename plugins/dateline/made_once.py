"""Costly things made once: indices, encoders, readers, components."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future, wait
from contextvars import Context
from dataclasses import dataclass, field
from functools import partial, wraps
from threading import Lock, Thread
from typing import Generic, ParamSpec, TypeVar

from dateline.stopping import StopFlag, check_stop, stopped_by

P = ParamSpec("P")
T = TypeVar("T")

LOOK_SECONDS = 0.1
"""How often one who waits looks whether it is to stop; chosen by hand."""


@dataclass(eq=False)
class _Entry(Generic[T]):
    """A value, or the work on it."""

    future: Future[T] = field(default_factory=Future)
    flag: StopFlag = field(default_factory=StopFlag)
    waiting: int = 0


class MadeOnce(Generic[T]):
    """Values made once for each key, however many ask at once.

    A value is made in a thread of its own while all who ask for it wait. It stops when nobody waits for it any more, and a
    failure is told to those who wait, but not kept.

    Args:
        size: how many values are kept, the latest asked for.

    Example:
        >>> made = MadeOnce[str](size=2)
        >>> made.get("key", lambda: "costly"), made.get("key", lambda: "never made")
        ('costly', 'costly')
    """

    def __init__(self, *, size: int) -> None:
        self._size = size
        self._entries: OrderedDict[Hashable, _Entry[T]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the value of a key, made if missing."""
        entry = self._join(key, make)
        try:
            while not wait([entry.future], timeout=LOOK_SECONDS).done:
                check_stop()
            return entry.future.result()
        finally:
            self._leave(key, entry)

    def _join(self, key: Hashable, make: Callable[[], T]) -> _Entry[T]:
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                entry = _Entry()
                # In an empty context: what one who asks may stop, trace or time is not the work of all.
                work = partial(Context().run, self._make, key, entry, make)
                Thread(target=work, name="dateline-made-once", daemon=True).start()
                # Kept once it is under way: a system short of threads refuses, and the next one who asks tries again.
                self._entries[key] = entry
            self._entries.move_to_end(key)
            entry.waiting += 1
            return entry

    def _leave(self, key: Hashable, entry: _Entry[T]) -> None:
        with self._lock:
            entry.waiting -= 1
            if not entry.waiting and not entry.future.done():
                entry.flag.set()
                self._forget(key, entry)

    def _make(self, key: Hashable, entry: _Entry[T], make: Callable[[], T]) -> None:
        try:
            with stopped_by(entry.flag.check):
                value = make()
        except BaseException as error:
            with self._lock:
                self._forget(key, entry)
            entry.future.set_exception(error)
        else:
            with self._lock:
                entry.future.set_result(value)
                self._trim()

    def _forget(self, key: Hashable, entry: _Entry[T]) -> None:
        if self._entries.get(key) is entry:
            del self._entries[key]

    def _trim(self) -> None:
        kept = [key for key, entry in self._entries.items() if entry.future.done()]
        for key in kept[: max(0, len(kept) - self._size)]:
            del self._entries[key]


def made_once(*, size: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Make a function's value once for each set of arguments.

    Example:
        >>> @made_once(size=2)
        ... def greeting(name: str) -> list[str]:
        ...     return ["Hello", name]
        >>> greeting("Ann") is greeting("Ann")
        True
    """

    def decorate(make: Callable[P, T]) -> Callable[P, T]:
        kept: MadeOnce[T] = MadeOnce(size=size)

        @wraps(make)
        def made(*args: P.args, **named: P.kwargs) -> T:
            return kept.get((args, tuple(sorted(named.items()))), partial(make, *args, **named))

        return made

    return decorate
