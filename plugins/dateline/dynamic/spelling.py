"""A stand-in tokenizer for models whose tokenizer is not available."""

from __future__ import annotations

import re
from collections.abc import Sequence

_PIECE = re.compile(r"\s*\w+|\s*[^\w\s]|\s+")


class Spelling:
    """A growing vocabulary of words and marks, each with its leading space.

    Made anew for each generation.

    Example:
        >>> spelling = Spelling()
        >>> spelling.decode(spelling("In 2024.")["input_ids"])
        'In 2024.'
    """

    def __init__(self) -> None:
        self._spelled: list[bytes] = []
        self._numbers: dict[bytes, int] = {}

    def number(self, spelled: bytes) -> int:
        """Return a token's number, adding new tokens."""
        if spelled not in self._numbers:
            self._numbers[spelled] = len(self._spelled)
            self._spelled.append(spelled)
        return self._numbers[spelled]

    def decode(self, ids: Sequence[int], **_: object) -> str:
        """Decode tokens; incomplete characters become U+FFFD."""
        return b"".join(self._spelled[each] for each in ids).decode("utf-8", errors="replace")

    def __call__(self, text: str, **_: object) -> dict[str, list[int]]:
        """Encode a text in the format of a transformers tokenizer."""
        return {"input_ids": [self.number(piece) for piece in pieces_of(text)]}


def pieces_of(text: str) -> list[bytes]:
    """Split a text into words and marks; joined, they restore it."""
    return [piece.encode("utf-8", errors="replace") for piece in _PIECE.findall(text)]
