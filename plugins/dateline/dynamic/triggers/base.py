"""The common interface of all triggers."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from dateline.dynamic.answer import TokenRange
from dateline.dynamic.progress import Progress
from dateline.dynamic.values import TokenScore
from dateline.temporal.constraint import Question


@dataclass(frozen=True, slots=True)
class Firing:
    """A trigger's request to retrieve.

    Attributes:
        position: generation goes on from here; the answer's tokens from this one on are withdrawn.
        score: the value that made it fire, on the trigger's own scale.
        trigger: its name.
        reason: why, in words for people.
        token: the token in doubt, if there is one.

    Example:
        >>> Firing(position=3, score=0.2, trigger="flare", reason="'Oslo' is unsure.").token is None
        True
    """

    position: int
    score: float
    trigger: str
    reason: str
    token: int | None = None


class Trigger(ABC):  # noqa: B024 - every method has a sensible answer: nothing fires
    """Decides when to retrieve. Stateless: one trigger serves many generations at once.

    A position below `progress.floor` is ignored, so that each position leads to one retrieval at most.

    Attributes:
        name: what it is called in results.
        needs_attention: whether it reads the last layer's attention.
        needs_probability: whether it reads probabilities or entropies, which some models behind an API do not report.
        doubts: whether an answer that ends without a word makes it fire: there is no token to doubt in it.
        at_start: whether it fires before the first token.
        horizon: how many later tokens can still make it fire at a token (`None`: all of them); anything further back
            can no longer be withdrawn.
    """

    name: str = "trigger"
    needs_attention: bool = False
    needs_probability: bool = False
    doubts: bool = False
    at_start: bool = False

    @property
    def horizon(self) -> int | None:
        """Number of later tokens that can still withdraw a token; `None`: unlimited."""
        return 0

    def check(self, question: Question | None) -> None:
        """Refuse a question that this trigger cannot handle.

        Raises:
            BadInput: for such a question.
        """
        return None

    def first_open(self, progress: Progress) -> int | None:
        """Return the first token that may still be withdrawn, `None` for any."""
        if self.horizon is None:
            return None
        oldest = len(progress.answer) - 1 - self.horizon
        return progress.answer.word_start(oldest) if oldest > 0 else 0

    def before(self, progress: Progress) -> Firing | None:
        """Judge before the first token."""
        return Firing(0, 0.0, self.name, "before the first token") if self.at_start else None

    def chosen(self, progress: Progress) -> Firing | None:
        """Judge a chosen token before the model has seen it.

        Also called when `answer.over` is set.
        """
        return None

    def attended(self, progress: Progress) -> Firing | None:
        """Judge the newest token once its attention is known."""
        return None


class ThresholdTrigger(Trigger):
    """A trigger with a score threshold that can be calibrated."""

    doubts = True

    def risk(self, token: TokenScore) -> float:
        """Return one token's risk, 0 or more; higher means less certain."""
        raise NotImplementedError

    def word_risk(self, risks: Sequence[float]) -> float:
        """Return a word's risk, by default that of its riskiest piece."""
        return max(risks)

    def at_level(self, level: float) -> Self:
        """Return a copy that fires where `risk` exceeds `level`."""
        raise NotImplementedError


class SentenceTrigger(Trigger):
    """Trigger that judges each sentence as it ends.

    The sentence is written again from its start.
    """

    @property
    def horizon(self) -> int | None:
        """Unlimited: the whole sentence may be withdrawn."""
        return None

    def first_open(self, progress: Progress) -> int | None:
        """Return the start of the sentence that may just have ended."""
        return sentence_open(progress)

    def chosen(self, progress: Progress) -> Firing | None:
        """Judge the sentence that has just ended."""
        sentence = progress.answer.just_ended()
        return None if sentence is None or sentence.first < progress.floor else self.judged(progress, sentence=sentence)

    def judged(self, progress: Progress, *, sentence: TokenRange) -> Firing | None:
        """Judge a whole sentence."""
        raise NotImplementedError


def sentence_open(progress: Progress) -> int:
    """Return `first_open` for a trigger that judges whole sentences."""
    ended = progress.answer.just_ended()
    return ended.first if ended is not None else progress.answer.sentences()[-1].first
