"""Tokens of a chat model's reply, with log-probabilities where reported."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from langchain_core.messages import BaseMessage

from dateline.dynamic.spelling import pieces_of

UNKNOWN = math.nan
"""Stands for a score that the model does not tell."""


class ReplyToken(NamedTuple):
    """One token of a reply.

    Attributes:
        spelled: its bytes, which may be part of a character.
        probability: as the model reports it, 0 to 1; NaN: not reported.
        entropy: of the reported part of the distribution, in nats; NaN: not reported.
    """

    spelled: bytes
    probability: float = UNKNOWN
    entropy: float = UNKNOWN


def reply_tokens(message: BaseMessage) -> list[ReplyToken]:
    """Return the tokens of a message.

    Without log-probabilities these are its words and punctuation marks, unscored.
    """
    reported = [_reported(token) for token in _content(message)]
    return reported or [ReplyToken(piece) for piece in pieces_of(str(message.text))]


def entropy_of(log_probabilities: Sequence[float]) -> float:
    """Return a lower bound of the entropy in nats (equation 1).

    The probability mass beyond the reported tokens counts as one more token.
    """
    shares = [math.exp(min(0.0, each)) for each in log_probabilities]
    rest = max(0.0, 1 - sum(shares))
    return sum(-share * math.log(share) for share in [*shares, rest] if share > 0)


def ended_by_length(message: BaseMessage) -> bool:
    """Return whether a reply was cut by the provider's limit of tokens."""
    reason = message.response_metadata.get("finish_reason") or message.response_metadata.get("stop_reason") or ""
    return str(reason).lower() in ("length", "max_tokens")


def _content(message: BaseMessage) -> list[Mapping[str, Any]]:
    logprobs = message.response_metadata.get("logprobs")
    content = logprobs.get("content") if isinstance(logprobs, Mapping) else None
    given = content if isinstance(content, list) else []
    return [one for one in given if isinstance(one, Mapping) and isinstance(one.get("logprob"), int | float)]


def _reported(token: Mapping[str, Any]) -> ReplyToken:
    """Read a token in OpenAI's format.

    Log-probabilities above 0 count as 0.
    """
    logprob = float(token["logprob"])
    top = token.get("top_logprobs")
    others = [
        float(one["logprob"])
        for one in (top if isinstance(top, list) else ())
        if isinstance(one, Mapping) and isinstance(one.get("logprob"), int | float)
    ]
    return ReplyToken(_bytes(token), math.exp(min(0.0, logprob)), entropy_of(others or [logprob]))


def _bytes(token: Mapping[str, Any]) -> bytes:
    given = token.get("bytes")
    if isinstance(given, list) and given and all(isinstance(one, int) and 0 <= one < 256 for one in given):
        return bytes(given)
    return str(token.get("token", "")).encode("utf-8", errors="replace")
