"""Other packages' parsers in a process of their own."""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import time
from contextlib import suppress
from threading import Lock, Timer
from typing import Any

from dateline.errors import BadInput
from dateline.limits import DOCUMENT

SECONDS = 300.0
"""The most that one file may take: a PDF of a thousand pages takes about two minutes; chosen by hand."""

REPLY = 12 * DOCUMENT
"""Characters of a reply: the longest document, escaped."""

_KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TEMP", "SYSTEMROOT", "USERPROFILE")
"""Variables that the process sees; keys stay outside."""


class ReaderFailed(BadInput):
    """The process failed, and not the file: another try may read it."""


class ForeignProcess:
    """Process that parses one file after another, bounded in time.

    It is started when it is needed. A file at which it dies or hangs costs a new one.

    Example:
        >>> ForeignProcess().ask("nothing", b"")["error"]
        "is of the unknown kind 'nothing'"
    """

    def __init__(self, *, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, kind: str, data: bytes) -> dict[str, Any]:
        """Parse a file's bytes.

        Raises:
            BadInput: when that takes too long.
            ReaderFailed: when the process dies or cannot be begun.
        """
        with self._lock:
            process = self._started()
            begun = time.monotonic()
            timer = Timer(self._seconds, process.kill)
            timer.daemon = True
            timer.start()
            try:
                line = self._exchanged(process, kind, data)
            except BaseException:  # interrupted: its reply would be taken for the next file's
                self.close()
                raise
            finally:
                timer.cancel()
            if line.endswith(b"\n"):
                return dict(json.loads(line))
            self.close()
        if time.monotonic() - begun >= self._seconds:
            raise BadInput(f"takes more than {self._seconds:g} s to read")
        raise ReaderFailed("needs too much memory, or breaks its reader")

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            with suppress(OSError):
                self._process.communicate()
            self._process = None

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
            environment |= {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "OMP_NUM_THREADS": "1"}
            try:
                self._process = subprocess.Popen(
                    [sys.executable, "-m", "dateline.formats.foreign"],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    env=environment,
                )
            except OSError as cause:
                raise ReaderFailed(f"cannot be read, since no process can be started ({cause.strerror})") from cause
        return self._process

    def _exchanged(self, process: subprocess.Popen[bytes], kind: str, data: bytes) -> bytes:
        if process.stdin is None or process.stdout is None:
            return b""
        try:
            process.stdin.write(json.dumps({"kind": kind, "size": len(data)}).encode() + b"\n")
            process.stdin.write(data)
            process.stdin.flush()
            return process.stdout.readline(REPLY)
        except OSError:
            return b""


FOREIGN = ForeignProcess()
"""The process that all readers of this one share."""

atexit.register(FOREIGN.close)
