"""What stands before a statement in its document, and often tells of what it speaks."""

from __future__ import annotations

from collections.abc import Sequence

MOST = 160
"""Characters of it that are kept, some two sentences. Chosen by hand."""


def settings(texts: Sequence[str]) -> list[str]:
    """Return what stands before each of a document's statements.

    The end of it, cut between words.

    Example:
        >>> settings(["The snooper is rented.", "New rate, $2,600 per day."])
        ['', 'The snooper is rented.']
    """
    found, before = [], ""
    for text in texts:
        found.append(before)
        before = f"{before} {text}".strip()
        if len(before) > MOST:
            before = before[-MOST:].partition(" ")[2] or before[-MOST:]
    return found
