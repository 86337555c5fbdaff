"""Files in the user's cache folder, written atomically and verified."""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
from pathlib import Path

from dateline.files import make_folder, read_bytes, write_whole

_LARGEST = 2**30
"""Bytes of the largest file that is read from the cache."""

_CHECK = hashlib.sha256().digest_size


def cache_folder() -> Path:
    """Return dateline's folder in the user's cache.

    That is `XDG_CACHE_HOME`, else the system's usual place.
    """
    if root := os.environ.get("XDG_CACHE_HOME"):
        return Path(root) / "dateline"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "dateline" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "dateline"
    return Path.home() / ".cache" / "dateline"


def read_verified(name: str) -> bytes | None:
    """Read a file of `write_verified`; `None` if missing, unreadable or damaged."""
    try:
        data = read_bytes(cache_folder() / name, limit=_LARGEST)
    except OSError:
        return None
    content, check = data[:-_CHECK], data[-_CHECK:]
    return content if len(check) == _CHECK and hashlib.sha256(content).digest() == check else None


def write_verified(name: str, content: bytes) -> None:
    """Write content atomically with its checksum.

    A reader sees the old file or the new one, never a part. A cache that cannot be written to is no error: the content
    is made anew next time.
    """
    with contextlib.suppress(OSError):
        make_folder(cache_folder())
        write_whole(cache_folder() / name, content + hashlib.sha256(content).digest())
