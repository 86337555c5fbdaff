"""Files in the user's cache folder, written atomically and verified."""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import tempfile
from pathlib import Path

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
        data = (cache_folder() / name).read_bytes()
    except OSError:
        return None
    content, check = data[:-_CHECK], data[-_CHECK:]
    return content if len(check) == _CHECK and hashlib.sha256(content).digest() == check else None


def write_verified(name: str, content: bytes) -> None:
    """Write content atomically with its checksum.

    A reader sees the old file or the new one, never a part. A cache that cannot be written to is no error: the content
    is made anew next time.
    """
    folder = cache_folder()
    temporary = ""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, temporary = tempfile.mkstemp(dir=folder, prefix=f".{name}-")
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.write(hashlib.sha256(content).digest())
        os.replace(temporary, folder / name)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
