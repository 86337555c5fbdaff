"""Threshold calibration to a target retrieval rate on sample questions.

The paper gives no threshold for its own equations, and a good one differs from model to model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from dateline.dynamic.base import RetrievingGenerator
from dateline.dynamic.triggers import ThresholdTrigger
from dateline.dynamic.values import TokenScore
from dateline.errors import BadInput
from dateline.temporal.constraint import Question


@dataclass(frozen=True, slots=True)
class Calibration:
    """A calibrated trigger.

    Attributes:
        trigger: fires at the level found.
        level: of the trigger's `risk`.
        rate: target retrievals per question.
        measured: retrievals per question with the retriever at work; `None` where that was not tried.
        questions: number of sample questions.
    """

    trigger: ThresholdTrigger
    level: float
    rate: float
    measured: float | None
    questions: int


def calibrate(
    generator: RetrievingGenerator,
    *,
    questions: Sequence[str | Question],
    rate: float,
    rounds: int = 2,
    as_of: datetime | None = None,
) -> Calibration:
    """Find the threshold at which a trigger retrieves `rate` times per question.

    The questions are answered once without retrieval, which gives every word's risk; the first guess is the level that
    `rate` words per question exceed. Documents change what is written and so how often the trigger fires: in each of
    `rounds` further rounds the questions are answered with the retriever at work, and the level is moved accordingly.
    The round nearest to `rate` is kept. Costs (1 + rounds) generations per question.

    Raises:
        BadInput: for a trigger without a threshold, no questions, or a `rate` that is not above 0.
    """
    trigger = generator.options.trigger
    if not isinstance(trigger, ThresholdTrigger):
        raise BadInput(f"The trigger {trigger.name!r} has no threshold to calibrate; choose Rind or Flare.")
    if not questions:
        raise BadInput("Calibration needs at least one sample question.")
    if not rate > 0:
        raise BadInput(f"rate must be above 0 retrievals a question, not {rate}.")
    silent = generator.with_options(trigger=trigger.at_level(float("inf")))
    runs = silent.generate_many(questions, as_of=as_of)
    risks = sorted((risk for run in runs for risk in word_risks(run.tokens, trigger=trigger)), reverse=True)
    aim = rate * len(questions)
    level = _level(risks, aim)
    best = Calibration(trigger.at_level(level), level, rate, None, len(questions))
    for _ in range(rounds):
        at_level = trigger.at_level(level)
        answers = generator.with_options(trigger=at_level).generate_many(questions, as_of=as_of)
        measured = sum(len(each.retrievals) for each in answers) / len(questions)
        if best.measured is None or abs(measured - rate) < abs(best.measured - rate):
            best = Calibration(at_level, level, rate, measured, len(questions))
        aim *= rate / measured if measured else 2.0
        level = _level(risks, aim)
    return best


def word_risks(tokens: Sequence[TokenScore], *, trigger: ThresholdTrigger) -> list[float]:
    """Return each word's risk, the maximum over its tokens."""
    risks: list[float] = []
    before = ""
    for token in tokens:
        risk = trigger.risk(token)
        if token.word and token.word == before and not token.text[:1].isspace():
            risks[-1] = max(risks[-1], risk)
        else:
            risks.append(risk)
        before = token.word
    return risks


def _level(risks: Sequence[float], wanted: float) -> float:
    """Return a threshold that the `wanted` highest risks exceed."""
    count = min(len(risks), max(0, round(wanted)))
    if not risks or count == len(risks):
        return 0.0
    return (risks[count - 1] + risks[count]) / 2 if count else risks[0]
