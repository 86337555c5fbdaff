"""RIND: real-time information needs detection (DRAGIN, section 3.1)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from dateline.dynamic.progress import Progress
from dateline.dynamic.triggers.base import Firing, ThresholdTrigger
from dateline.dynamic.values import TokenScore
from dateline.errors import BadInput


@dataclass(frozen=True)
class Rind(ThresholdTrigger):
    """Fires where equation 5 exceeds `threshold`.

    The score is entropy x the most that a later token attends to the token x [its word is no stopword] (equations 1 to
    5). A token is judged whenever a later one attends to it, once its word is complete; the earliest that exceeds the
    threshold fires, and its word is written again. The paper gives no threshold for these equations (those of Table 9
    belong to the published code, see `RindPublished`): find one with `calibrate`.

    Attributes:
        threshold: theta, in nats.
        within: only the next so many tokens can make a token fire; `None`, as in the paper, for all later ones.

    Example:
        >>> Rind(1.2, within=8).horizon
        16
    """

    threshold: float
    within: int | None = None

    name = "rind"
    needs_attention = True
    needs_probability = True

    def __post_init__(self) -> None:
        if not self.threshold >= 0:
            raise BadInput(f"A threshold of RIND is 0 or more nats, not {self.threshold}.")
        if self.within is not None and self.within < 1:
            raise BadInput(f"within must be at least 1 token, or None for all, not {self.within}.")

    @property
    def horizon(self) -> int | None:
        """Tokens that may judge, and those that complete a word."""
        return None if self.within is None else self.within + 8

    def attended(self, progress: Progress) -> Firing | None:
        """Return the earliest token that now exceeds the threshold."""
        answer = progress.answer
        newest = len(answer) - 1 if not answer.over else len(answer)
        first = progress.floor if self.within is None else max(progress.floor, newest - self.within)
        risks = np.array(answer.entropies[first:newest]) * answer.max_attention[first:newest]
        for token in (np.flatnonzero(risks > self.threshold) + first).tolist():
            start = answer.word_start(token)
            if answer.is_whole(token) and answer.carries_meaning(token) and start >= progress.floor:
                score = float(risks[token - first])
                word = answer.word(token)
                reason = f'"{word.text if word else ""}" scores {score:.2f} of RIND, above {self.threshold:.2f}'
                return Firing(start, score, self.name, reason, token)
        return None

    def risk(self, token: TokenScore) -> float:
        """Return equation 5."""
        return token.rind or 0.0

    def at_level(self, level: float) -> Self:
        """Return a copy with another threshold."""
        return replace(self, threshold=level)
