"""One reply of a local model, token by token."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from dateline.dynamic.pieces import Pieces
from dateline.dynamic.session import TokenSession
from dateline.pretrained import Pretrained

Finish = Literal["stop", "length"]

LEAST = 1e-45
"""Stands for the probability of a token that float32 rounds to 0."""


class ReplyPiece(NamedTuple):
    """Text that a reply grows by.

    Attributes:
        text: may be empty.
        tokens: of it with their log-probabilities, in the form of OpenAI's API.
        finish: why the reply is over, on its last piece.
        written: tokens written so far, the one that ends the reply included.
    """

    text: str
    tokens: Sequence[dict[str, Any]]
    finish: Finish | None
    written: int


@dataclass
class LocalReply:
    """Reply under way.

    Text is held back while a stop sequence may begin in it.

    Attributes:
        ids: tokens of the prompt.
        max_tokens: of the reply.
        stop: texts that end the reply and are not part of it.
    """

    loaded: Pretrained
    session: TokenSession
    ids: Sequence[int]
    max_tokens: int
    stop: Sequence[str] = ()

    def pieces(self) -> Iterator[ReplyPiece]:
        """Write the reply; the last piece says why it ended."""
        written = Pieces(self.loaded.tokenizer, before=self.ids)
        waiting: list[tuple[str, dict[str, Any]]] = []
        ends = self.loaded.end_tokens
        step = self.session.set(self.ids)
        for count in range(1, self.max_tokens + 1):
            if step.token in ends:
                yield _released(waiting, "stop", count)
                return
            likeliest = [_entry(written.spelled(token), log) for token, log in step.likeliest]
            spelled = written.append(step.token)
            entry = _entry(spelled, math.log(max(step.probability, LEAST)))
            waiting.append((spelled, {**entry, "top_logprobs": likeliest}))
            if (cut := self._stopped(waiting)) is not None:
                yield _released(_before(waiting, cut), "stop", count)
                return
            if count == self.max_tokens:
                yield _released(waiting, "length", count)
                return
            settled = self._settled(waiting)
            yield _released(waiting[:settled], None, count)
            del waiting[:settled]
            step = self.session.feed(step.token)

    def _stopped(self, waiting: Sequence[tuple[str, Any]]) -> int | None:
        """Return where the first stop sequence begins in what waits."""
        text = "".join(spelled for spelled, _ in waiting)
        return min((place for mark in self.stop if mark and (place := text.find(mark)) >= 0), default=None)

    def _settled(self, waiting: Sequence[tuple[str, Any]]) -> int:
        """Return how many waiting tokens no stop sequence can reach any more."""
        text = "".join(spelled for spelled, _ in waiting)
        held = max((_overlap(text, mark) for mark in self.stop), default=0)
        end = len(text) - held
        settled, place = 0, 0
        for spelled, _ in waiting:
            place += len(spelled)
            settled += place <= end
        return settled


def _overlap(text: str, mark: str) -> int:
    """Return how many characters at the end of `text` may begin `mark`."""
    return next((size for size in range(min(len(mark) - 1, len(text)), 0, -1) if text.endswith(mark[:size])), 0)


def _before(waiting: Sequence[tuple[str, dict[str, Any]]], cut: int) -> list[tuple[str, dict[str, Any]]]:
    """Return the tokens before a character, the last one cut there."""
    kept, place = [], 0
    for spelled, entry in waiting:
        if place < cut:
            kept.append((spelled[: cut - place], entry))
        place += len(spelled)
    return kept


def _released(tokens: Sequence[tuple[str, dict[str, Any]]], finish: Finish | None, written: int) -> ReplyPiece:
    return ReplyPiece("".join(text for text, _ in tokens), [entry for _, entry in tokens], finish, written)


def _entry(spelled: str, log: float) -> dict[str, Any]:
    return {"token": spelled, "logprob": log, "bytes": list(spelled.encode("utf-8", errors="replace"))}
