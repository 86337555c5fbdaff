"""FLARE: retrieval at low-probability tokens (DRAGIN, Table 1)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, Self, get_args

from dateline.dynamic.progress import Progress
from dateline.dynamic.triggers.base import Firing, ThresholdTrigger, sentence_open
from dateline.dynamic.values import TokenScore
from dateline.errors import BadInput, check_choice

Cut = Literal["token", "sentence"]


@dataclass(frozen=True)
class Flare(ThresholdTrigger):
    """Fires at a token with a probability below `threshold`.

    Attributes:
        threshold: a probability, 0 to 1.
        cut: "token" fires at once and writes the token's word again; "sentence", as published, finishes the sentence,
            searches with it and writes it again.

    Example:
        >>> Flare(0.4, cut="sentence").horizon is None
        True
    """

    threshold: float
    cut: Cut = "token"

    name = "flare"
    needs_probability = True

    def __post_init__(self) -> None:
        if not 0 <= self.threshold <= 1:
            raise BadInput(f"A threshold of FLARE is a probability from 0 to 1, not {self.threshold}.")
        check_choice(self.cut, name="cut", choices=get_args(Cut))

    @property
    def horizon(self) -> int | None:
        """Length of a word; unlimited when cutting at sentences."""
        return 8 if self.cut == "token" else None

    def first_open(self, progress: Progress) -> int | None:
        """Return the start of the sentence that may just have ended."""
        return sentence_open(progress) if self.cut == "sentence" else super().first_open(progress)

    def chosen(self, progress: Progress) -> Firing | None:
        """Judge the newest token, or the sentence that has just ended."""
        answer = progress.answer
        if self.cut == "sentence":
            sentence = answer.just_ended()
            if sentence is None or sentence.first < progress.floor:
                return None
            unsure = [token for token in range(*sentence) if answer.probabilities[token] < self.threshold]
            return self._firing(progress, unsure[0], sentence.first) if unsure else None
        token = len(answer) - 1
        if answer.over or token < progress.floor or not answer.probabilities[token] < self.threshold:
            return None
        start = answer.word_start(token)
        return self._firing(progress, token, start) if start >= progress.floor else None

    def _firing(self, progress: Progress, token: int, position: int) -> Firing:
        probability = progress.answer.probabilities[token]
        text = progress.answer.score(token).text.strip()
        reason = f'"{text}" has probability {probability:.2f}, below {self.threshold:.2f}'
        return Firing(position, 1 - probability, self.name, reason, token)

    def risk(self, token: TokenScore) -> float:
        """Return 1 minus the probability."""
        return 0.0 if token.probability is None else 1 - token.probability

    def at_level(self, level: float) -> Self:
        """Return a copy with the threshold 1 - `level`."""
        return replace(self, threshold=min(1.0, max(0.0, 1 - level)))
