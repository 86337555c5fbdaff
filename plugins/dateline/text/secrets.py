"""Keys taken out of text and logs that others write."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass

MAX_MESSAGE = 300
"""Characters of a foreign message that are shown."""

_SECRET = re.compile(
    r"(?i)bearer\s+\S+|(?:api[_-]?key|key|token|secret|password|authorization)\W{1,4}\S+|\bsk-[\w-]{6,}|\b[\w-]{28,}\b"
)


def without_secrets(text: str) -> str:
    """Return a message on one line, with possible keys replaced by `***`."""
    return _SECRET.sub("***", " ".join(text.split())[: MAX_MESSAGE * 4])[:MAX_MESSAGE]


@dataclass(frozen=True)
class _KeyFilter(logging.Filter):
    """Replaces a key in the lines of one logger.

    Equal filters are added once.
    """

    key: str

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        if self.key in message:
            record.msg, record.args = message.replace(self.key, "***"), None
        return True


def hide_from_logs(key: str, *, logger: str) -> None:
    """Keep a key out of a library's log.

    HTTP clients write whole addresses when debugging is on.
    """
    logging.getLogger(logger).addFilter(_KeyFilter(key))
