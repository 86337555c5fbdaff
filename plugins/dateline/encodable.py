"""Text that can be written as UTF-8, character by character in place."""

from __future__ import annotations


def encodable(text: str) -> str:
    """Return a text with "?" for halves of characters, which JSON may bring.

    Example:
        >>> encodable("half\\ud800")
        'half?'
    """
    return text if text.isascii() else text.encode("utf-8", errors="replace").decode("utf-8")
