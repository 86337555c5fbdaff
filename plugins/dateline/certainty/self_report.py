"""Certainty by asking a chat model for the three probabilities in numbers."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from langchain_core.language_models import BaseChatModel

from dateline.certainty.gate import NOTHING
from dateline.certainty.prompt import BUDGET, certainty_messages
from dateline.chat import TRIES, ReplyLoop, prompt_room, reply_text, spoken
from dateline.flow import Flow, twins
from dateline.records import Certainty, Evidence, Reading
from dateline.temporal.constraint import Question

_INSTRUCTION = (
    "How probable is each label? Reply with one line of JSON only, numbers from 0 to 1 that add up to 1: "
    '{"A": ..., "B": ..., "C": ...}'
)


class SelfReportEstimator:
    """Asks a chat model for the three probabilities.

    An unreadable reply is asked again, `tries` times in all, then counts as uncertain.

    Raises:
        BadInput: when `tries` is below 1 or `model` is no chat model.
        ModelFailed: from `estimate`, when the model itself fails.
    """

    def __init__(self, model: BaseChatModel, *, tries: int = TRIES) -> None:
        self._loop = ReplyLoop(model, tries=tries)
        self._budget = prompt_room(model, budget=BUDGET)

    def _estimate(self, question: Question, *, evidence: Sequence[Evidence], reading: Reading) -> Flow[Certainty]:
        """Return the probabilities as the model reports them."""
        messages = certainty_messages(
            question, evidence=evidence, reading=reading, instruction=_INSTRUCTION, budget=self._budget
        )
        reply = yield from self._loop.asking(messages, read=lambda message: parse_report(reply_text(message)))
        return reply.raise_for_failure().value or NOTHING

    estimate, aestimate = twins(_estimate)


def parse_report(reply: str) -> Certainty | None:
    """Return the first JSON's A, B, C as shares, thoughts left out."""
    for match in re.finditer(r"\{[^{}]{1,400}\}", spoken(reply)):
        try:
            values = json.loads(match.group())
            shares = [_number(values[key]) for key in "ABC"]
        except (ValueError, KeyError, TypeError):
            continue
        total = sum(shares)
        # Probabilities or percentages, not quite exact; any other three numbers were no answer.
        if min(shares) >= 0 and any(abs(total - whole) <= whole / 2 for whole in (1, 100)):
            return of_shares(*shares)
    return None


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise TypeError("no number")
    return float(value)


def of_shares(reliable: float, misleading: float, uncertain: float) -> Certainty:
    """Return three weights, not all 0, as probabilities."""
    total = reliable + misleading + uncertain
    return Certainty(reliable=reliable / total, misleading=misleading / total, uncertain=uncertain / total)
