"""RIND: real-time information needs detection (DRAGIN, section 3.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, Self, get_args

import numpy as np

from dateline.dynamic.progress import Progress
from dateline.dynamic.triggers.base import Firing, ThresholdTrigger
from dateline.dynamic.values import TokenScore
from dateline.errors import BadInput, check_choice

PieceRule = Literal["sum", "largest"]
"""What a word's risk is: that of all its pieces together, or that of the riskiest."""


@dataclass(frozen=True)
class Rind(ThresholdTrigger):
    """Fires where equation 5 exceeds `threshold`.

    The score is entropy x the most that a later token attends to the token x [its word is no stopword] (equations 1 to
    5). A word is judged whenever a later token attends to it, once it is complete; the earliest that exceeds the
    threshold fires and is written again. The paper gives no threshold for these equations (those of Table 9
    belong to the published code, see `RindPublished`): find one with `calibrate`.

    The equations judge token by token. Where a vocabulary writes a digit a token, a year is four small doubts, so by
    default the risk of a word is the sum over its pieces; a word of one piece has the same risk either way.

    Attributes:
        threshold: theta, in nats.
        within: only the next so many tokens can make a token fire; `None`, as in the paper, for all later ones.
        pieces: "sum", ours: a word's pieces count together; "largest", as in the equations: each for itself.

    Example:
        >>> Rind(1.2, within=8).horizon
        16
    """

    threshold: float
    within: int | None = None
    pieces: PieceRule = "sum"

    name = "rind"
    needs_attention = True
    needs_probability = True

    def __post_init__(self) -> None:
        if not self.threshold >= 0:
            raise BadInput(f"A threshold of RIND is 0 or more nats, not {self.threshold}.")
        if self.within is not None and self.within < 1:
            raise BadInput(f"within must be at least 1 token, or None for all, not {self.within}.")
        check_choice(self.pieces, name="pieces", choices=get_args(PieceRule))

    @property
    def horizon(self) -> int | None:
        """Tokens that may judge, and those that complete a word."""
        return None if self.within is None else self.within + 8

    def attended(self, progress: Progress) -> Firing | None:
        """Return the earliest word that now exceeds the threshold."""
        answer, floor = progress.answer, progress.floor
        newest = len(answer) - 1 if not answer.over else len(answer)
        first = floor if self.within is None else max(floor, newest - self.within)
        risks = np.array(answer.entropies[:newest]) * answer.max_attention[:newest]
        for tokens in answer.whole_words(first):
            if tokens.end > newest or answer.word_start(tokens.first) < floor:
                continue
            pieces = risks[slice(*tokens)]
            score = float(self.word_risk(pieces.tolist()))
            if score > self.threshold:
                above = np.flatnonzero(pieces > self.threshold)
                token = tokens.first + int(above[0] if len(above) else pieces.argmax())
                word = answer.word(token)
                reason = f'"{word.text if word else ""}" scores {score:.2f} of RIND, above {self.threshold:.2f}'
                return Firing(answer.word_start(token), score, self.name, reason, token)
        return None

    def risk(self, token: TokenScore) -> float:
        """Return equation 5."""
        return token.rind or 0.0

    def word_risk(self, risks: Sequence[float]) -> float:
        """Add the pieces up, or return the largest."""
        return sum(risks) if self.pieces == "sum" else max(risks)

    def at_level(self, level: float) -> Self:
        """Return a copy with another threshold."""
        return replace(self, threshold=level)
