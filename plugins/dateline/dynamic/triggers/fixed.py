"""Triggers that follow a rule and look at no score: the baselines of DRAGIN's Table 1."""

from __future__ import annotations

from dataclasses import dataclass

from dateline.dynamic.progress import Progress
from dateline.dynamic.triggers.base import Firing, Trigger
from dateline.errors import BadInput


@dataclass(frozen=True)
class Never(Trigger):
    """wo-RAG: nothing is looked up."""

    name = "never"


@dataclass(frozen=True)
class Once(Trigger):
    """SR-RAG: once, before the first token."""

    name = "once"

    def before(self, progress: Progress) -> Firing | None:
        """Always."""
        return Firing(0, 0.0, self.name, "before the first token")


@dataclass(frozen=True)
class EveryTokens(Trigger):
    """FL-RAG: every `n` tokens.

    Attributes:
        n: tokens from one retrieval to the next.
        at_start: whether also before the first token.
    """

    n: int
    at_start: bool = True

    name = "every n tokens"

    def __post_init__(self) -> None:
        if self.n < 1:
            raise BadInput(f"n must be at least 1 token, not {self.n}.")

    def before(self, progress: Progress) -> Firing | None:
        """At the start."""
        return Firing(0, 0.0, self.name, "before the first token") if self.at_start else None

    def chosen(self, progress: Progress) -> Firing | None:
        """When `n` tokens have come since the last retrieval."""
        length = len(progress.answer)
        if progress.answer.over or length - progress.since < self.n:
            return None
        return Firing(length, 0.0, self.name, f"{length - progress.since} tokens since the last retrieval")


@dataclass(frozen=True)
class EverySentence(Trigger):
    """FS-RAG: after every sentence. A sentence has ended when the next begins, whose first token is then chosen anew.

    Attributes:
        at_start: whether also before the first token.
    """

    at_start: bool = True

    name = "every sentence"

    @property
    def horizon(self) -> int | None:
        """The token that begins the next sentence."""
        return 1

    def before(self, progress: Progress) -> Firing | None:
        """At the start."""
        return Firing(0, 0.0, self.name, "before the first token") if self.at_start else None

    def chosen(self, progress: Progress) -> Firing | None:
        """When a sentence has just ended and another begins."""
        sentence = progress.answer.just_ended()
        if sentence is None or progress.answer.over or sentence.end < progress.floor:
            return None
        return Firing(sentence.end, 0.0, self.name, "a sentence has ended")
