"""Thoughts that a model writes in front of its answer."""

from __future__ import annotations

from collections.abc import Sequence

from dateline.chat import THOUGHT_TAGS
from dateline.dynamic.chat_tokens import ReplyToken, tokens_behind

_OPENING = {f"<{tag}>".encode(): f"</{tag}>".encode() for tag in THOUGHT_TAGS}
"""How a thought opens, and how it closes."""


class ThoughtFilter:
    """Drops the thoughts at the beginning of a reply, as it streams.

    A thought that is never closed is one to the reply's end. Linear in the reply's length.

    Example:
        >>> from dateline.dynamic.chat_tokens import ReplyToken
        >>> thoughts = ThoughtFilter()
        >>> [one.spelled for word in (b"<think>", b"Who?", b"</think>", b" Ada") for one in thoughts.take([ReplyToken(word)])]
        [b'Ada']
    """

    def __init__(self) -> None:
        self._held: list[ReplyToken] = []
        self._said = b""  # what is held, or the end of the open thought
        self._closing = b""
        self._thought = self._over = False

    def take(self, tokens: Sequence[ReplyToken]) -> list[ReplyToken]:
        """Return the tokens of the answer.

        Tokens that may still turn out to open a thought are held back.
        """
        return [each for token in tokens for each in ([token] if self._over else self._read(token))]

    def rest(self) -> list[ReplyToken]:
        """Return the held-back tokens at the end of a reply."""
        # The white space behind a thought sets it apart, and is none of the answer's.
        size = sum(len(each.spelled) for each in self._held) - len(self._said) if self._thought else 0
        held, self._held = self._held, []
        return tokens_behind(held, cut=size)

    def _read(self, token: ReplyToken) -> list[ReplyToken]:
        """Take a token in front of the answer."""
        left: ReplyToken | None = token
        while left is not None:
            left = self._inside(left) if self._closing else self._before(left)
        return self.rest() if self._over else []

    def _before(self, token: ReplyToken) -> ReplyToken | None:
        """Take a token that may open a thought; return what follows."""
        self._held.append(token)
        self._said = (self._said + token.spelled).lstrip()
        said = self._said.lower()
        for opening, closing in _OPENING.items():
            if said.startswith(opening):
                left = token._replace(spelled=self._said[len(opening) :])
                self._held, self._said, self._closing, self._thought = [], b"", closing, True
                return left
        self._over = not any(opening.startswith(said) for opening in _OPENING)
        return None

    def _inside(self, token: ReplyToken) -> ReplyToken | None:
        """Take a token of an open thought; return what follows it."""
        said = self._said + token.spelled
        place = said.lower().find(self._closing)
        if place < 0:
            self._said = said[1 - len(self._closing) :]
            return None
        left = said[place + len(self._closing) :]
        self._said = self._closing = b""
        return token._replace(spelled=left) if left else None
