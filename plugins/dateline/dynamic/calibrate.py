"""Threshold calibration to a target retrieval rate on sample questions.

The paper gives no threshold for its own equations, and a good one differs from model to model.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from dateline.dynamic.base import RetrievingGenerator
from dateline.dynamic.triggers import AnyOf, ThresholdTrigger, Trigger
from dateline.dynamic.values import Generation, TokenScore
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

    trigger: Trigger
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
    note: Callable[[int, int], None] | None = None,
) -> Calibration:
    """Find the threshold at which a trigger retrieves `rate` times per question.

    The questions are answered once without doubt, which gives every word's risk; the first guess is the level that
    `rate` words per question exceed. Documents change what is written and so how often the trigger fires: in each of
    `rounds` further rounds the questions are answered with the retriever at work, and the level is moved accordingly.
    The round nearest to `rate` is kept. Costs (1 + rounds) generations per question; `note(done, total)` is told after
    each. Retrievals that need no doubt, such as those of `AnyOf([Once(), Rind(0.0)])` before the first token, count.

    Raises:
        BadInput: for a trigger without a threshold, no questions, or a `rate` that is not above 0.
    """
    given = generator.options.trigger
    trigger = given.threshold_trigger if isinstance(given, AnyOf) else given
    if not isinstance(trigger, ThresholdTrigger):
        raise BadInput(f"The trigger {given.name!r} has no threshold to calibrate; choose Rind or Flare.")
    if not questions:
        raise BadInput("Calibration needs at least one sample question.")
    if not rate > 0:
        raise BadInput(f"rate must be above 0 retrievals a question, not {rate}.")
    done = 0

    def answers(level: float) -> list[Generation]:
        nonlocal done
        used, found = generator.with_options(trigger=_at_level(given, level)), []
        for question in questions:
            found.append(used.generate(question, as_of=as_of))
            done += 1
            if note is not None:
                note(done, (1 + rounds) * len(questions))
        return found

    runs = answers(float("inf"))
    always = sum(len(run.retrievals) for run in runs) / len(questions)
    risks = sorted((risk for run in runs for risk in word_risks(run.tokens, trigger=trigger)), reverse=True)
    aim = max(0.0, rate - always) * len(questions)
    level = _level(risks, aim)
    best = Calibration(_at_level(given, level), level, rate, None, len(questions))
    for _ in range(rounds):
        measured = sum(len(each.retrievals) for each in answers(level)) / len(questions)
        if best.measured is None or abs(measured - rate) < abs(best.measured - rate):
            best = Calibration(_at_level(given, level), level, rate, measured, len(questions))
        aim *= (rate - always) / (measured - always) if measured > always else 2.0
        level = _level(risks, aim)
    return best


def _at_level(trigger: Trigger, level: float) -> Trigger:
    """Return a trigger, or the union that holds it, at another level."""
    if isinstance(trigger, AnyOf) and trigger.threshold_trigger is not None:
        return trigger.with_threshold_trigger(trigger.threshold_trigger.at_level(level))
    return trigger.at_level(level) if isinstance(trigger, ThresholdTrigger) else trigger


def word_risks(tokens: Sequence[TokenScore], *, trigger: ThresholdTrigger) -> list[float]:
    """Return each word's risk, its pieces put together as the trigger does."""
    words: list[list[float]] = []
    before = ""
    for token in tokens:
        risk = trigger.risk(token)
        if token.word and token.word == before and not token.text[:1].isspace():
            words[-1].append(risk)
        else:
            words.append([risk])
        before = token.word
    return [trigger.word_risk(pieces) for pieces in words]


def _level(risks: Sequence[float], wanted: float) -> float:
    """Return a threshold that the `wanted` highest risks exceed."""
    count = min(len(risks), max(0, round(wanted)))
    if not risks or count == len(risks):
        return 0.0
    return (risks[count - 1] + risks[count]) / 2 if count else risks[0]
