"""Control tokens of a tokenizer, which no foreign text may spell."""

from __future__ import annotations

import re
from typing import Any


class SpecialTokens:
    """The tokens of a tokenizer that stand for turns, tools and ends.

    Special tokens, and added ones that are no plain words: `<tool_call>` of Qwen is added, but not marked as special.

    Example:
        >>> class Tokenizer:
        ...     all_special_tokens = ["<eos>"]
        >>> SpecialTokens(Tokenizer()).split("The end.<eos>")
        'The end.< eos>'
    """

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        added = dict(getattr(tokenizer, "added_tokens_decoder", None) or {})
        marks = {number for number, token in added.items() if token.special or re.search(r"[^\w\s]", token.content)}
        self._ids = (marks | set(getattr(tokenizer, "all_special_ids", ()))) - {
            getattr(tokenizer, "unk_token_id", None)
        }
        texts = {added[number].content.strip() for number in marks} | set(getattr(tokenizer, "all_special_tokens", ()))
        known = sorted(filter(None, texts), key=len, reverse=True)
        self._spelled = re.compile("|".join(map(re.escape, known))) if known else None

    def split(self, text: str) -> str:
        """Return `text` with a space inside each control token that it spells."""
        while self._spelled is not None and (made := self._spelled.sub(_spaced, text)) != text:
            text = made
        if self._ids and callable(self._tokenizer) and self._makes_any(text):
            # What a tokenizer makes of other spellings, such as wide brackets that it normalizes.
            text = re.sub(r"[^\w\s.,;:!?'\"()-]", " ", text)
        return text

    def _makes_any(self, text: str) -> bool:
        return not self._ids.isdisjoint(self._tokenizer(text, add_special_tokens=False)["input_ids"])


def _spaced(found: re.Match[str]) -> str:
    return f"{found[0][0]} {found[0][1:]}" if len(found[0]) > 1 else " "
