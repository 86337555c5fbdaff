"""Certainty from a chat model's log-probabilities of the label's letter."""

from __future__ import annotations

import math
from collections.abc import Sequence

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage

from dateline.certainty.gate import NOTHING
from dateline.certainty.prompt import BUDGET, certainty_messages
from dateline.certainty.self_report import of_shares
from dateline.chat import TRIES, Extras, ReplyLoop, TokenLogprob, prompt_room, reply_text, spoken, stated, tokens_of
from dateline.flow import Flow, twins
from dateline.records import Certainty, Evidence, Reading
from dateline.temporal.constraint import Question

LETTERS = ("A", "B", "C")

_INSTRUCTION = "Which label holds? Reply with its letter alone: A, B or C."
_AGAIN = "That reply could not be read. Reply with one letter and nothing else: A, B or C."

_EXTRAS = Extras(logprobs=10, limit=16)
"""Room for a letter and a few words around it; a second request has no limit, for models that think first."""

_MOST = 0.5
"""Probability that the letters must hold together where the model chose none of them."""


class LogprobEstimator:
    """Estimates certainty from the probabilities of one token: A, B or C.

    Needs a model whose integration returns log-probabilities (`logprobs=True, top_logprobs=10` as OpenAI, its
    compatible servers, and others name them); the reply is limited to a few tokens. A model that refuses to be asked
    for them is asked without. They are read where the reply states its letter, or where the letters hold most of the
    probability: an "A" far down among the alternatives of "The" says nothing. Where none come back the letter itself
    decides; and where no reply of `tries` has a letter, it counts as uncertain.

    Raises:
        BadInput: when `tries` is below 1 or `model` is no chat model.
        ModelFailed: from `estimate`, when the model itself fails.
    """

    def __init__(self, model: BaseChatModel, *, tries: int = TRIES) -> None:
        self._loop = ReplyLoop(model, tries=tries)
        self._budget = prompt_room(model, budget=BUDGET)

    def _estimate(self, question: Question, *, evidence: Sequence[Evidence], reading: Reading) -> Flow[Certainty]:
        """Return the probabilities of the three labels."""
        messages = certainty_messages(
            question, evidence=evidence, reading=reading, instruction=_INSTRUCTION, budget=self._budget
        )
        reply = yield from self._loop.asking(messages, read=parse_letter, again=_AGAIN, extras=_EXTRAS)
        return reply.raise_for_failure().value or NOTHING

    estimate, aestimate = twins(_estimate)


def parse_letter(reply: BaseMessage) -> Certainty | None:
    """Return the letters' shares, a plain letter's as 1, or `None`."""
    tokens = tokens_of(reply)
    letter = stated("".join(token.text for token in tokens), options=LETTERS)
    if letter is not None:
        place = next(token for token in tokens if token.start + len(token.text) > letter.start(1))
        return _shares(place) or _alone(letter[1])
    for token in tokens:
        if token.likeliest and sum(_weights(token).values()) > _MOST:
            return _shares(token)
    plain = stated(spoken(reply_text(reply)), options=LETTERS)
    return None if plain is None else _alone(plain[1])


def _shares(token: TokenLogprob) -> Certainty | None:
    weights = _weights(token)
    return of_shares(weights["A"], weights["B"], weights["C"]) if sum(weights.values()) > 0 else None


def _weights(token: TokenLogprob) -> dict[str, float]:
    weights = dict.fromkeys(LETTERS, 0.0)
    for text, logprob in token.likeliest:
        letter = text.strip(" \t\n(*\"'")
        if letter in weights:
            weights[letter] += math.exp(logprob)
    return weights


def _alone(letter: str) -> Certainty:
    return of_shares(*(float(letter == one) for one in LETTERS))
