"""Rule-based triggers: the baselines of DRAGIN's Table 1."""

from __future__ import annotations

from dataclasses import dataclass

from dateline.dynamic.progress import Progress
from dateline.dynamic.triggers.base import Firing, Trigger
from dateline.errors import BadInput


@dataclass(frozen=True)
class Never(Trigger):
    """wo-RAG: no retrieval.

    Example:
        >>> Never().name
        'never'
    """

    name = "never"


@dataclass(frozen=True)
class Once(Trigger):
    """SR-RAG: one retrieval before the first token.

    Example:
        >>> Once().name
        'once'
    """

    name = "once"
    at_start = True


@dataclass(frozen=True)
class EveryTokens(Trigger):
    """FL-RAG: a retrieval every `n` tokens.

    Attributes:
        n: tokens from one retrieval to the next.
        at_start: whether also before the first token.

    Example:
        >>> EveryTokens(25).at_start
        True
    """

    n: int
    at_start: bool = True

    name = "every n tokens"

    def __post_init__(self) -> None:
        if self.n < 1:
            raise BadInput(f"n must be at least 1 token, not {self.n}.")

    def chosen(self, progress: Progress) -> Firing | None:
        """Fire once `n` tokens have come since the last retrieval."""
        length = len(progress.answer)
        if progress.answer.over or length - progress.since < self.n:
            return None
        return Firing(length, 0.0, self.name, f"{length - progress.since} tokens since the last retrieval")


@dataclass(frozen=True)
class EverySentence(Trigger):
    """FS-RAG: a retrieval after every sentence.

    A sentence has ended when the next begins; the tokens that begin that next sentence are then chosen again.

    Attributes:
        at_start: whether also before the first token.

    Example:
        >>> EverySentence().horizon
        8
    """

    at_start: bool = True

    name = "every sentence"

    @property
    def horizon(self) -> int | None:
        """The marks that open the next sentence, and its first word."""
        return 8

    def chosen(self, progress: Progress) -> Firing | None:
        """Fire when a sentence has ended and another begins."""
        sentence = progress.answer.just_ended()
        if sentence is None or progress.answer.over or sentence.end < progress.floor:
            return None
        return Firing(sentence.end, 0.0, self.name, "a sentence has ended")
