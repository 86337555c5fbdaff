"""The state of a generation that triggers and queries read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from dateline.dynamic.answer import FloatArray, GeneratedAnswer
from dateline.dynamic.pieces import offsets_of
from dateline.dynamic.prompt import PromptText
from dateline.dynamic.words import Word, word_at, words_of
from dateline.records import Evidence
from dateline.temporal.constraint import Question


@dataclass(frozen=True)
class Context:
    """The prompt as the model sees it: `ids` are its tokens."""

    prompt: PromptText
    ids: tuple[int, ...]
    tokenizer: Any = field(repr=False)

    @cached_property
    def words(self) -> list[Word | None]:
        """The word of each token, `None` for punctuation and special tokens."""
        words = words_of(self.prompt.text)
        return [word_at(words, start, end=end) if end > start else None for start, end in self.offsets]

    @cached_property
    def offsets(self) -> list[tuple[int, int]]:
        """Span of each token in the prompt's text."""
        return offsets_of(self.tokenizer, self.prompt.text, ids=self.ids)


@dataclass
class Progress:
    """A generation under way, which triggers and queries read and never change.

    Attributes:
        text: the question as asked.
        question: the same decomposed, where an asking date is known.
        context: the current prompt.
        answer: what was generated so far.
        documents: those now in front of the answer.
        floor: the first position at which a retrieval may still happen; each position allows one at most.
        since: the answer's length at the last retrieval.
        asked: number of retrievals so far.
        alone: the last layer's attention over tokens by themselves, shape (heads, tokens, tokens).
    """

    text: str
    question: Question | None
    context: Context
    answer: GeneratedAnswer
    alone: Callable[[Sequence[int]], FloatArray]
    documents: tuple[Evidence, ...] = ()
    floor: int = 0
    since: int = 0
    asked: int = 0

    @property
    def given(self) -> list[str]:
        """The question, and each document in front of the answer."""
        return [self.text, *(f"{each.title} {each.text} {each.published or ''}" for each in self.documents)]
