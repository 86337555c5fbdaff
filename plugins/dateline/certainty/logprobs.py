"""Certainty from a chat model's log-probabilities of the label's letter."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage

from dateline.certainty.gate import NOTHING
from dateline.certainty.prompt import certainty_messages
from dateline.certainty.self_report import of_shares
from dateline.chat import TRIES, ReplyLoop, reply_text
from dateline.flow import Flow, twins
from dateline.records import Certainty, Evidence, Reading
from dateline.temporal.constraint import Question

_INSTRUCTION = "Which label holds? Reply with its letter alone: A, B or C."
_TOP = 10


class LogprobEstimator:
    """Estimates certainty from the probabilities of one token: A, B or C.

    Needs a model whose integration returns log-probabilities (`logprobs=True, top_logprobs=10` as
    OpenAI, its compatible servers, and others name them). A model that refuses to be asked for them is
    asked without; where none come back the letter itself decides; and where no reply of `tries` has a
    letter, it counts as uncertain.

    Raises:
        BadInput: when `tries` is below 1 or `model` is no chat model.
        ModelFailed: from `estimate`, when the model itself fails.
    """

    def __init__(self, model: BaseChatModel, *, tries: int = TRIES) -> None:
        self._plain = ReplyLoop(model, tries=tries)
        self._with_logprobs = ReplyLoop(model.bind(logprobs=True, top_logprobs=_TOP), tries=tries)

    def _estimate(self, question: Question, *, evidence: Sequence[Evidence], reading: Reading) -> Flow[Certainty]:
        """Return the probabilities of the three labels."""
        messages = certainty_messages(question, evidence=evidence, reading=reading, instruction=_INSTRUCTION)
        reply = yield from self._with_logprobs.asking(messages, read=parse_letter)
        if reply.failed is not None:  # for example because it gives no log-probabilities
            reply = yield from self._plain.asking(messages, read=parse_letter)
        return reply.raise_for_failure().value or NOTHING

    estimate, aestimate = twins(_estimate)


def parse_letter(reply: BaseMessage) -> Certainty | None:
    """Return the letters' shares, a plain letter's as 1, or `None`."""
    for token in _tokens(reply):
        weights = dict.fromkeys("ABC", 0.0)
        for option in token.get("top_logprobs") or [token]:
            letter = str(option.get("token", "")).strip().upper()
            if letter in weights and isinstance(option.get("logprob"), int | float):
                weights[letter] += math.exp(min(0.0, option["logprob"]))
        if sum(weights.values()) > 0:
            return of_shares(weights["A"], weights["B"], weights["C"])
    letter = reply_text(reply).strip()[:1].upper()
    return of_shares(*(float(letter == one) for one in "ABC")) if letter and letter in "ABC" else None


def _tokens(reply: BaseMessage) -> list[Mapping[str, Any]]:
    """Return the tokens with their alternatives, in OpenAI's shape, or none."""
    logprobs = reply.response_metadata.get("logprobs")
    content = logprobs.get("content") if isinstance(logprobs, Mapping) else None
    return [token for token in content if isinstance(token, Mapping)] if isinstance(content, list) else []
