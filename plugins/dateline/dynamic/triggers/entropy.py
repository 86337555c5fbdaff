"""RIND without attention, for models that expose none (DRAGIN, equations 1, 4)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from dateline.dynamic.progress import Progress
from dateline.dynamic.triggers.base import Firing, ThresholdTrigger
from dateline.dynamic.values import TokenScore
from dateline.errors import BadInput


@dataclass(frozen=True)
class Entropy(ThresholdTrigger):
    """Fires at a content word whose entropy exceeds `threshold`.

    This is equation 5 with the attention set to 1. A token is judged once its word is complete; the word is then
    written again. Where a model reports only its likeliest tokens the entropy is a lower bound, so thresholds are lower
    than with the whole distribution.

    Attributes:
        threshold: in nats.

    Example:
        >>> Entropy(1.5).at_level(2.0).threshold
        2.0
    """

    threshold: float

    name = "entropy"
    needs_probability = True

    def __post_init__(self) -> None:
        if not self.threshold >= 0:
            raise BadInput(f"A threshold of entropy is 0 or more nats, not {self.threshold}.")

    @property
    def horizon(self) -> int | None:
        """A word and the token that completes it."""
        return 9

    def chosen(self, progress: Progress) -> Firing | None:
        """Return the earliest complete word above the threshold."""
        answer = progress.answer
        for token in range(max(progress.floor, len(answer) - 9, 0), len(answer)):
            if not answer.entropies[token] > self.threshold:
                continue
            start, word = answer.word_start(token), answer.word(token)
            if word is not None and word.is_content and answer.is_whole(token) and start >= progress.floor:
                score = answer.entropies[token]
                reason = f'"{word.text}" has an entropy of {score:.2f} nats, above {self.threshold:.2f}'
                return Firing(start, score, self.name, reason, token)
        return None

    def risk(self, token: TokenScore) -> float:
        """Return the token's entropy, 0 for stopwords and punctuation."""
        return (token.entropy or 0.0) if token.word and not token.stopword else 0.0

    def at_level(self, level: float) -> Self:
        """Return a copy with another threshold."""
        return replace(self, threshold=level)
