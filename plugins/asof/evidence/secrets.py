"""Keys taken out of text that others wrote."""

from __future__ import annotations

import re

MAX_MESSAGE = 300
"""Characters of a foreign message that are shown."""

_SECRET = re.compile(
    r"(?i)bearer\s+\S+|(?:api[_-]?key|key|token|secret|password|authorization)\W{1,4}\S+|\bsk-[\w-]{6,}|\b[\w-]{28,}\b"
)


def without_secrets(text: str) -> str:
    """A message on one line, with everything that may be a key replaced by `***`."""
    return _SECRET.sub("***", " ".join(text.split())[: MAX_MESSAGE * 4])[:MAX_MESSAGE]
