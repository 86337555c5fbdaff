"""Agreement of two judges, such as model and person (FreshLLMs, table 2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from dateline.errors import BadInput
from dateline.evaluation.judgement import Judgement


@dataclass(frozen=True, slots=True)
class JudgeAgreement:
    """Agreement over the same answers.

    Attributes:
        n: number of answers.
        accuracy: share of equal verdicts, 0 to 100; an undecided one equals only another undecided one.
        kappa: Cohen's kappa, at most 1; 0 is what chance gives. 1.0 where both always say the same one thing.
        undecided: number of undecided judgements.
    """

    n: int
    accuracy: float
    kappa: float
    undecided: int


def agreement(judgements: Sequence[Judgement], *, labels: Sequence[bool | None]) -> JudgeAgreement:
    """Compare judgements with labels.

    Raises `BadInput` for none, or for different numbers of them.
    """
    if not judgements or len(judgements) != len(labels):
        raise BadInput(f"There are {len(judgements)} judgements and {len(labels)} labels; give as many of each.")
    said = [judgement.correct for judgement in judgements]
    n = len(said)
    observed = sum(left is right for left, right in zip(said, labels, strict=True)) / n
    ours, theirs = Counter(said), Counter(labels)
    chance = sum(ours[verdict] * theirs[verdict] for verdict in ours) / n**2
    kappa = 1.0 if chance == 1.0 else (observed - chance) / (1.0 - chance)
    return JudgeAgreement(n, 100 * observed, kappa, ours[None])
