"""Tokens of a chat model's reply, with log-probabilities where reported."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from langchain_core.messages import BaseMessage

from dateline.chat import TokenLogprob, tokens_of
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
    reported = [_reported(token, token.logprob) for token in tokens_of(message) if token.logprob is not None]
    return reported or [ReplyToken(piece) for piece in pieces_of(str(message.text))]


def tokens_behind(tokens: Sequence[ReplyToken], *, cut: int) -> list[ReplyToken]:
    """Return the tokens after the first `cut` bytes.

    A token that the cut goes through loses its beginning.
    """
    kept: list[ReplyToken] = []
    for token in tokens:
        if cut >= len(token.spelled):
            cut -= len(token.spelled)
            continue
        kept.append(token._replace(spelled=token.spelled[cut:]))
        cut = 0
    return kept


def entropy_of(log_probabilities: Sequence[float]) -> float:
    """Return a lower bound of the entropy in nats (equation 1).

    The probability mass beyond the reported tokens counts as one more token.
    """
    shares = [math.exp(min(0.0, each)) for each in log_probabilities]
    rest = max(0.0, 1 - sum(shares))
    return sum(-share * math.log(share) for share in [*shares, rest] if share > 0)


def _reported(token: TokenLogprob, logprob: float) -> ReplyToken:
    likeliest = [value for _, value in token.likeliest]
    return ReplyToken(token.spelled, math.exp(logprob), entropy_of(likeliest or [logprob]))
