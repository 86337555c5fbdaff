"""State of a folder, known at no cost while nothing changes."""

from __future__ import annotations

import ctypes
import os
import struct
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

from dateline.errors import BadInput
from dateline.files import expanded
from dateline.made_once import MadeOnce, made_once
from dateline.search.folder_files import FolderFiles, state_of
from dateline.search.folder_limits import FolderLimits

FRESH_SECONDS = 2.0
"""How long a folder may have changed before a new run notices; chosen by hand."""

SHARE = 20
"""Walking through a folder takes at most one part in so many of the time, however large it is; chosen by hand."""

QUICK_SECONDS = 0.1
"""A walk that takes less is made at once where anything has happened; chosen by hand."""

TOLD_SECONDS = 60.0
"""How long the system's word that nothing has changed is believed; chosen by hand."""

_WATCHED = 16
"""Folders whose states are kept, the latest asked for."""

_EVERYTHING = FolderLimits(files=2**40, bytes=2**60)


@dataclass(frozen=True, slots=True)
class FolderState:
    """Documents of a folder at a moment.

    Attributes:
        digest: changes when a file does; 0 for a folder that is not there.
        files: how many documents there are.
        bytes: how long they are together.
    """

    digest: int = 0
    files: int = 0
    bytes: int = 0


def folder_state(path: Path | str) -> FolderState:
    """Return a folder's state, true until a moment ago.

    One walks through the folder, whoever asks meanwhile, and only where something may have changed.
    """
    if not str(path) or "://" in str(path):
        return FolderState()
    return _watch(expanded(path).resolve()).state()


@dataclass(eq=False)
class _Watch:
    """One folder, its last known state, and the events since then."""

    path: Path
    known: FolderState | None = None
    walked: float = -1e9
    took: float = 0.0
    events: _Events | None = None
    lock: Lock = field(default_factory=Lock)
    walking: MadeOnce[FolderState] = field(default_factory=lambda: MadeOnce(size=1))

    def state(self) -> FolderState:
        if self.known is not None and not self._is_due():
            return self.known
        return self.walking.get(self.walked, self._walk)

    def _is_due(self) -> bool:
        age = time.monotonic() - self.walked
        with self.lock:
            if self.events is None:
                return age > max(FRESH_SECONDS, SHARE * self.took)
            if self.events.any():
                return self.took < QUICK_SECONDS or age > SHARE * self.took
            return age > max(TOLD_SECONDS, SHARE * self.took)

    def _walk(self) -> FolderState:
        started = time.monotonic()
        try:
            with self.lock:
                # Listened to before it is looked at, so that nothing falls between.
                self.events = _Events.of(self.path, self.events)
            self.known = _walked(self.path)
        except BaseException:
            with self.lock:
                if self.events is not None:
                    self.events.keep()
            raise
        self.walked = time.monotonic()
        self.took = self.walked - started
        return self.known


@made_once(size=_WATCHED)
def _watch(path: Path) -> _Watch:
    return _Watch(path)


def _walked(path: Path) -> FolderState:
    try:
        files = FolderFiles.of(path, limits=_EVERYTHING).files
    except BadInput:
        return FolderState()
    if not files:
        return FolderState(hash(str(path)))
    states = [(str(file), state_of(file)) for file in files]
    return FolderState(hash(tuple(states)), len(states), sum(state[0] for _, state in states))


# -- what the system tells -----------------------------------------------------------------------

_LOCAL = frozenset({"ext2", "ext3", "ext4", "xfs", "btrfs", "tmpfs", "overlay", "zfs", "f2fs", "bcachefs"})
"""File systems whose changes all pass through this system, so that it knows of each."""

_MASK = 0x2 | 0x4 | 0x8 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400 | 0x800
"""Written, attributes, closed after writing, moved from and to, made, deleted, itself deleted or moved (inotify(7))."""

_NONBLOCK = os.O_NONBLOCK if hasattr(os, "O_NONBLOCK") else 0
_CLOEXEC = 0o2000000


class _Events:
    """Events of all folders below one, by Linux's inotify."""

    def __init__(self, handle: int) -> None:
        self._handle = handle
        self._seen = False

    @classmethod
    def of(cls, path: Path, old: _Events | None) -> _Events | None:
        """Listen to a folder; `None` where the system cannot tell all."""
        if (system := _inotify()) is None or not _is_local(path):
            return None
        if old is None:
            handle = system.inotify_init1(_NONBLOCK | _CLOEXEC)
            if handle < 0:
                return None
            old = cls(handle)
        else:
            old.any()
        old._seen = False
        listening = all(
            bool(system.inotify_add_watch(old._handle, os.fsencode(each), _MASK) >= 0) for each in _folders(path)
        )
        return old if listening else None

    def any(self) -> bool:
        """Return whether anything has happened since it was listened to."""
        with suppress(BlockingIOError):
            self._seen = bool(os.read(self._handle, 1 << 16)) or self._seen
            # Further ones change nothing.
            with suppress(BlockingIOError):
                for _ in range(64):
                    os.read(self._handle, 1 << 16)
        return self._seen

    def keep(self) -> None:
        """Remember that something may have happened that nobody has looked at."""
        self._seen = True

    def __del__(self) -> None:
        with suppress(OSError):
            os.close(self._handle)


@cache
def _inotify() -> Any:
    if not sys.platform.startswith("linux") or struct.calcsize("P") != 8:
        return None
    try:
        system = ctypes.CDLL(None, use_errno=True)
        return system if system.inotify_init1 and system.inotify_add_watch else None
    except (OSError, AttributeError):
        return None


def _folders(path: Path) -> Iterator[str]:
    if not path.is_dir():
        yield str(path.parent)
        return
    yield str(path)
    for folder, subfolders, _ in os.walk(path):
        subfolders[:] = [name for name in subfolders if not name.startswith(".")]
        yield from (os.path.join(folder, name) for name in subfolders)


def _is_local(path: Path) -> bool:
    """Return whether a folder lies on file systems of this machine."""
    try:
        lines = Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return False
    mounts = [(fields[4], line.partition(" - ")[2].split()[0]) for line in lines if (fields := line.split())]
    above = [(len(place), kind) for place, kind in mounts if Path(place) == path or Path(place) in path.parents]
    below = [kind for place, kind in mounts if path in Path(place).parents]
    return bool(above) and max(above)[1] in _LOCAL and set(below) <= _LOCAL
