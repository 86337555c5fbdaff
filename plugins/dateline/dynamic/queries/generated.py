"""Queries from question and answer (DRAGIN, Tables 1 and 6)."""

from __future__ import annotations

from dataclasses import dataclass

from dateline.dynamic.progress import Progress
from dateline.dynamic.queries.base import Query, row_of
from dateline.dynamic.triggers.base import Firing
from dateline.dynamic.words import content_words
from dateline.errors import BadInput


@dataclass(frozen=True)
class QuestionQuery(Query):
    """SR-RAG: the question as asked.

    Example:
        >>> QuestionQuery().name
        'question'
    """

    name = "question"

    def text(self, progress: Progress, *, firing: Firing) -> str:
        """Return the question."""
        return progress.text


@dataclass(frozen=True)
class FullContext(Query):
    """The question and the part of the answer that is kept.

    Example:
        >>> FullContext().name
        'full context'
    """

    name = "full context"

    def text(self, progress: Progress, *, firing: Firing) -> str:
        """Join both with a space."""
        answer = progress.answer
        kept = answer.text if firing.position >= len(answer) else answer.text[: answer.starts[firing.position]]
        return f"{progress.text} {kept.strip()}".strip()


@dataclass(frozen=True)
class LastTokens(Query):
    """FL-RAG: the last `n` kept tokens, as whole words.

    Attributes:
        n: how many (Table 6: 25).

    Example:
        >>> LastTokens(10).n
        10
    """

    n: int = 25

    name = "last tokens"

    def __post_init__(self) -> None:
        if self.n < 1:
            raise BadInput(f"n must be at least 1 token, not {self.n}.")

    def text(self, progress: Progress, *, firing: Firing) -> str:
        """Return their text; a word cut at the start is taken whole."""
        answer = progress.answer
        end = min(firing.position, len(answer))
        if not end:
            return ""
        first = answer.word_start(max(0, end - self.n))
        return answer.text[answer.starts[first] : answer.end(end - 1)].strip()


@dataclass(frozen=True)
class LastSentence(Query):
    """FS-RAG: the last sentence that ended before the position.

    Example:
        >>> LastSentence().name
        'last sentence'
    """

    name = "last sentence"

    def text(self, progress: Progress, *, firing: Firing) -> str:
        """Return that sentence."""
        answer = progress.answer
        sentences = answer.sentences()
        ended = sentences if answer.over else sentences[:-1]
        before = [each for each in ended if each.first < each.end <= firing.position]
        return answer.text_of(before[-1]) if before else ""


@dataclass(frozen=True)
class CertainSentence(Query):
    """FLARE: the current sentence without its low-probability words.

    Attributes:
        threshold: tokens below this probability are unsure.

    Example:
        >>> CertainSentence(0.4).name
        'certain sentence'
    """

    threshold: float = 0.4

    name = "certain sentence"

    def __post_init__(self) -> None:
        if not 0 <= self.threshold <= 1:
            raise BadInput(f"threshold must be a probability from 0 to 1, not {self.threshold}.")

    def text(self, progress: Progress, *, firing: Firing) -> str:
        """Return the remaining words, or the previous sentence's if all are stopwords."""
        answer = progress.answer
        for sentence in reversed(answer.sentences()):
            if sentence.first > max(row_of(firing), 0):
                continue
            unsure = {
                answer.word_start(each) for each in range(*sentence) if answer.probabilities[each] < self.threshold
            }
            kept = [each for each in range(*sentence) if answer.word_start(each) not in unsure]
            text = "".join(answer.text[answer.starts[each] : answer.end(each)] for each in kept)
            if content_words(text):
                return " ".join(text.split())
        return ""
