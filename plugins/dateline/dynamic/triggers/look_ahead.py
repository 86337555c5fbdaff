"""Look up what the model is about to say, sentence by sentence, where nothing tells how sure it is."""

from __future__ import annotations

from dataclasses import dataclass

from dateline.dynamic.answer import TokenRange
from dateline.dynamic.progress import Progress
from dateline.dynamic.triggers.base import Firing, Trigger, sentence_open
from dateline.dynamic.words import words_of
from dateline.errors import BadInput


@dataclass(frozen=True)
class LookAhead(Trigger):
    """Fires at a sentence that has ended and says what neither the question nor the documents in front say.

    The sentence is a draft: it is what is looked up (with the query `CertainSentence(0)`), and is written anew with what
    was found. Needs no scores, so that it serves models behind an API that tell none.

    Attributes:
        untold: the share of a sentence's different content words, 0 to 1, that may be new before it is looked up.
    """

    untold: float = 0.0

    name = "look ahead"

    def __post_init__(self) -> None:
        if not 0 <= self.untold < 1:
            raise BadInput(f"untold must lie between 0 and below 1, not {self.untold}.")

    @property
    def horizon(self) -> int | None:
        """What there is of a sentence."""
        return None

    def first_open(self, progress: Progress) -> int | None:
        """The sentence that may just have ended."""
        return sentence_open(progress)

    def chosen(self, progress: Progress) -> Firing | None:
        """Judge the sentence that has just ended."""
        sentence = progress.answer.just_ended()
        if sentence is None or sentence.first < progress.floor:
            return None
        words = _content(progress.answer.text_of(sentence))
        new = words - _told(progress, sentence)
        share = len(new) / len(words) if words else 0.0
        if share <= self.untold:
            return None
        reason = f"{len(new)} of the {len(words)} words that carry a draft sentence stand in no document"
        return Firing(sentence.first, share, self.name, reason, sentence.first)


def _content(text: str) -> set[str]:
    return {word.text.casefold() for word in words_of(text) if word.is_content}


def _told(progress: Progress, sentence: TokenRange) -> set[str]:
    """The words that the question, the documents in front, and the answer before the sentence say."""
    before = progress.answer.text_of(TokenRange(0, sentence.first))
    documents = [f"{each.title} {each.text} {each.published or ''}" for each in progress.documents]
    return _content(" ".join([progress.text, before, *documents]))
