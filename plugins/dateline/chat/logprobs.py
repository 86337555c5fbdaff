"""Log-probabilities of a reply's tokens, as providers report them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from langchain_core.messages import BaseMessage


class TokenLogprob(NamedTuple):
    """A token, its log-probability, and the likeliest in its place.

    Attributes:
        start: where it begins in the joined text of the tokens.
        logprob: at most 0; `None`: not reported.
        spelled: its bytes, which may be part of a character.
    """

    text: str
    start: int
    logprob: float | None
    likeliest: tuple[tuple[str, float], ...] = ()
    spelled: bytes = b""


def tokens_of(message: BaseMessage) -> list[TokenLogprob]:
    """Read the tokens, in the form of OpenAI and most others."""
    logprobs = message.response_metadata.get("logprobs")
    content = logprobs.get("content") if isinstance(logprobs, Mapping) else None
    tokens: list[TokenLogprob] = []
    start = 0
    for given in content if isinstance(content, list) else []:
        if isinstance(given, Mapping):
            text = str(given.get("token", ""))
            tokens.append(TokenLogprob(text, start, _logprob(given), _likeliest(given), _bytes(given)))
            start += len(text)
    return tokens


def probability_of(message: BaseMessage, *, part: str = "") -> float | None:
    """Return the geometric mean of token probabilities, where they are reported.

    With `part`, of the tokens of its last occurrence only; of all where it does not occur.
    """
    tokens = tokens_of(message)
    found = "".join(token.text for token in tokens).rfind(part) if part else -1
    if found >= 0:
        tokens = [
            token for token in tokens if token.start < found + len(part) and token.start + len(token.text) > found
        ]
    values = [token.logprob for token in tokens if token.logprob is not None]
    return math.exp(sum(values) / len(values)) if values else None


def tells_logprobs(model: object) -> bool:
    """Return whether a chat model's class has a switch for log-probabilities."""
    while (inner := getattr(model, "bound", None)) is not None:
        model = inner
    return "logprobs" in getattr(type(model), "model_fields", {})


def _logprob(given: Mapping[str, Any]) -> float | None:
    value = given.get("logprob")
    told = isinstance(value, int | float) and not math.isnan(value)
    return min(0.0, float(value)) if told else None  # type: ignore[arg-type]


def _likeliest(given: Mapping[str, Any]) -> tuple[tuple[str, float], ...]:
    top = given.get("top_logprobs")
    options: Sequence[Any] = top if isinstance(top, list) and top else [given]
    read = [(str(one.get("token", "")), _logprob(one)) for one in options if isinstance(one, Mapping)]
    return tuple((text, value) for text, value in read if value is not None)


def _bytes(given: Mapping[str, Any]) -> bytes:
    told = given.get("bytes")
    if isinstance(told, list) and told and all(isinstance(one, int) and 0 <= one < 256 for one in told):
        return bytes(told)
    return str(given.get("token", "")).encode("utf-8", errors="replace")
