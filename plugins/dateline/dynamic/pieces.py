"""Incremental decoding of tokens, for byte-level and sentencepiece vocabularies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_CONTEXTS = (6, 12, 24, 48)
"""Tokens before a piece that are decoded with it, the fewest that will do: what it adds can depend on them."""

_LONGEST = 6
"""More tokens than a character can take; after so many it is broken for good."""

_BROKEN = "�"


class Pieces:
    """Decodes an answer token by token; the texts joined are the answer.

    A character of several tokens belongs to the one that completes it; the tokens before it add nothing.
    """

    def __init__(self, tokenizer: Any, *, before: Sequence[int]) -> None:
        """`before` are the tokens in front of the answer."""
        self._tokenizer = tokenizer
        self._before = list(before)[-_CONTEXTS[-1] :]
        self.ids: list[int] = []
        self.texts: list[str] = []
        self._whole, self._from, self._decoded = 0, 0, ""
        self._restart(0)

    def append(self, token: int) -> str:
        """Add a token and return the characters that it adds."""
        self.ids.append(token)
        window = self._all()[self._from :]
        decoded = self._decode(window)
        if decoded.endswith(_BROKEN) and len(self.ids) - self._whole < _LONGEST:
            text = ""  # an unfinished character
        else:
            text = decoded[len(self._decoded) :]
            self._restart(len(self.ids))
        self.texts.append(text)
        return text

    def spelled(self, token: int) -> str:
        """Return the characters that a token would add here."""
        return self._decode([*self._all()[self._from :], token])[len(self._decoded) :]

    def truncate(self, length: int) -> None:
        """Keep the first `length` tokens."""
        del self.ids[length:], self.texts[length:]
        self._restart(length)

    def _restart(self, length: int) -> None:
        """Restart decoding after `length` tokens, with some context before them.

        The context must be visible, since many decoders drop a leading space, and must not begin in the middle of a
        character, since byte-level decoders then give up the whole run.
        """
        self._whole = length
        tokens = self._all()
        for reach in _CONTEXTS:
            self._from = max(0, len(tokens) - reach)
            self._decoded = self._decode(tokens[self._from :])
            if self._decoded.strip() and _BROKEN not in self._decoded:
                return

    def _all(self) -> list[int]:
        return self._before + self.ids

    def _decode(self, ids: Sequence[int]) -> str:
        text: str = self._tokenizer.decode(ids, skip_special_tokens=True, clean_up_tokenization_spaces=False)
        return text


def offsets_of(tokenizer: Any, text: str, *, ids: Sequence[int]) -> list[tuple[int, int]]:
    """Return each token's span in `text`, (0, 0) for special tokens."""
    if getattr(tokenizer, "is_fast", False):
        encoded = tokenizer(text, return_offsets_mapping=True, add_special_tokens=False)
        found = [(int(start), int(end)) for start, end in encoded["offset_mapping"]]
        missing = len(ids) - len(found)  # special tokens in front
        if missing >= 0 and list(encoded["input_ids"]) == list(ids[missing:]):
            return [(0, 0)] * missing + found
    pieces = Pieces(tokenizer, before=())
    places, place = [], 0
    for token in ids:
        added = pieces.append(token).strip()
        start = text.find(added, place) if added else -1
        places.append((start, start + len(added)) if start >= 0 else (0, 0))
        place = start + len(added) if start >= 0 else place
    return places
