"""Background work beside a running app, in queue order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from threading import Condition, Lock, Thread
from typing import Literal, get_args

from dateline.closable import Closable
from dateline.errors import BadInput, check_choice, check_least
from dateline.visible import logger

WhenFull = Literal["wait", "drop"]
"""`wait`: the app waits until there is room, nothing is lost; `drop`: what comes too fast is counted and left out."""

_LOG = logger(__name__)

CAPACITY = 1_000
"""Jobs that may wait."""


class Background(Closable):
    """A job queue with one worker thread that lives only while needed.

    Nothing that was queued is lost: `flush` waits until all is done, so does `close`, and so does the interpreter
    before it exits. A job that raises is logged and the next one done.

    Args:
        name: of the thread.
        capacity: how many jobs may wait, at least 1.
        when_full: what happens to a job that finds no room.

    Raises:
        BadInput: for a capacity below 1 or an unknown `when_full`.
    """

    def __init__(self, name: str, *, capacity: int = CAPACITY, when_full: WhenFull = "wait") -> None:
        check_least(1, capacity=capacity)
        check_choice(when_full, name="when_full", choices=get_args(WhenFull))
        self.dropped = 0
        self._name, self._capacity, self._when_full = name, capacity, when_full
        self._jobs: deque[Callable[[], None]] = deque()
        self._turn = Lock()
        self._changed = Condition()
        self._working = False
        self._closed = False

    def flush(self) -> None:
        """Wait until all queued jobs are done."""
        with self._changed:
            self._changed.wait_for(lambda: not self._working)

    def close(self) -> None:
        """Finish the queued jobs, then stop; safe to call again."""
        with self._turn:
            self._closed = True
        self.flush()

    def _queue(self, job: Callable[[], None]) -> bool:
        """Queue a job and return whether there was room.

        Raises:
            BadInput: when it is closed.
        """
        # One at a time, so that nothing can be queued once `close` waits for the end.
        with self._turn, self._changed:
            if self._closed:
                raise BadInput("This is closed and takes nothing more; make a new one.")
            if self._when_full == "drop" and not self._room():
                self.dropped += 1
                return False
            self._changed.wait_for(self._room)
            self._jobs.append(job)
            if not self._working:
                # No daemon: the interpreter waits for it.
                Thread(target=self._work, name=self._name).start()
                self._working = True
            return True

    def _room(self) -> bool:
        return len(self._jobs) < self._capacity

    def _work(self) -> None:
        while (job := self._next()) is not None:
            try:
                job()
            except BaseException:  # A job that fails must not leave those behind it, and `flush`, waiting for ever.
                _LOG.exception("A job of %s failed.", self._name)

    def _next(self) -> Callable[[], None] | None:
        with self._changed:
            self._working = bool(self._jobs)
            self._changed.notify_all()
            return self._jobs.popleft() if self._jobs else None


class BackgroundHandler(Closable):
    """A callback or event handler that delegates its work to a `Background`.

    Close it, or use it in a `with` block, to wait for the last of it.
    """

    _background: Background

    def flush(self) -> None:
        """Wait until everything received so far is processed."""
        self._background.flush()

    def close(self) -> None:
        """Process what is queued, then stop."""
        self._background.close()
