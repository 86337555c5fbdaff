"""Tokens of a model whose tokenizer nobody has: numbered as they come, spelled by their bytes."""

from __future__ import annotations

import re
from collections.abc import Sequence

_PIECE = re.compile(r"\s*\w+|\s*[^\w\s]|\s+")


class Spelling:
    """Stands where a tokenizer would: a text is cut into words and marks, each with the white space in front of it.

    A vocabulary that grows; made anew for each generation.
    """

    def __init__(self) -> None:
        self._spelled: list[bytes] = []
        self._numbers: dict[bytes, int] = {}

    def number(self, spelled: bytes) -> int:
        """The number of a token; a token may be part of a character."""
        if spelled not in self._numbers:
            self._numbers[spelled] = len(self._spelled)
            self._spelled.append(spelled)
        return self._numbers[spelled]

    def decode(self, ids: Sequence[int], **_: object) -> str:
        """The text of tokens, U+FFFD for what is no whole character."""
        return b"".join(self._spelled[each] for each in ids).decode("utf-8", errors="replace")

    def __call__(self, text: str, **_: object) -> dict[str, list[int]]:
        """A text as tokens, in the form of a tokenizer of transformers."""
        return {"input_ids": [self.number(piece) for piece in pieces_of(text)]}


def pieces_of(text: str) -> list[bytes]:
    """The words and marks of a text; together they are the text."""
    return [piece.encode("utf-8", errors="replace") for piece in _PIECE.findall(text)]
