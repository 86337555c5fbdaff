"""Header lines of a mail above its body."""

from __future__ import annotations

import re

SHOWN = ("From", "To", "Cc")
"""Headers of a mail that people read above its text; its subject is the title."""
ATTACHED = "Attached"

_HEADS = re.compile(rf"(?:(?:{'|'.join((*SHOWN, ATTACHED))}): [^\n]*+(?:\n|\Z))+(?:\n++|\Z)")


def without_mail_heads(text: str) -> str:
    """Return a mail's text without its headers, any other text whole.

    They tell of the message, and nothing of the world.

    Example:
        >>> without_mail_heads("From: ana@example.org\\nTo: ben@example.org\\n\\nThe key is with Cleo.")
        'The key is with Cleo.'
    """
    heads = _HEADS.match(text)
    return text if heads is None else text[heads.end() :]
