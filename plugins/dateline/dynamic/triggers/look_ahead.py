"""Sentence-level look-ahead for models that report no scores."""

from __future__ import annotations

from dataclasses import dataclass

from dateline.dynamic.answer import TokenRange
from dateline.dynamic.progress import Progress
from dateline.dynamic.triggers.base import Firing, SentenceTrigger
from dateline.dynamic.words import content_words
from dateline.errors import BadInput


@dataclass(frozen=True)
class LookAhead(SentenceTrigger):
    """Fires at a finished sentence with words absent from question and documents.

    The sentence is a draft: it becomes the query (with `CertainSentence(0)`) and is written again with what was
    retrieved. Needs no scores, so it serves models behind an API that report none.

    Attributes:
        new_share: share of a sentence's distinct content words, 0 to 1, that may be new without a retrieval.

    Example:
        >>> LookAhead().needs_probability
        False
    """

    new_share: float = 0.0

    name = "look ahead"
    doubts = True

    def __post_init__(self) -> None:
        if not 0 <= self.new_share < 1:
            raise BadInput(f"new_share must lie between 0 and below 1, not {self.new_share}.")

    def judged(self, progress: Progress, *, sentence: TokenRange) -> Firing | None:
        """Judge one sentence."""
        answer = progress.answer
        words = content_words(answer.text_of(sentence))
        before = answer.text_of(TokenRange(0, sentence.first))
        new = words - content_words(" ".join([*progress.given, before]))
        share = len(new) / len(words) if words else 0.0
        if share <= self.new_share:
            return None
        reason = f"{len(new)} of the {len(words)} words that carry a draft sentence stand in no document"
        return Firing(sentence.first, share, self.name, reason, sentence.first)
