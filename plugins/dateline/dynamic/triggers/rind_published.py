"""RIND as in DRAGIN's published code, which differs from its equations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dateline.dynamic.answer import FloatArray, GeneratedAnswer, TokenRange
from dateline.dynamic.progress import Progress
from dateline.dynamic.stopwords import is_stopword
from dateline.dynamic.triggers.base import Firing, SentenceTrigger
from dateline.dynamic.words import words_of
from dateline.errors import BadInput


def is_content(text: str) -> bool:
    """Return whether a text holds a content word.

    Stands in for the parts of speech that the published code takes from spaCy.
    """
    return any(not is_stopword(word.text) for word in words_of(text))


@dataclass(frozen=True)
class RindPublished(SentenceTrigger):
    """The RIND score behind Table 9's thresholds (0.6 to 1.5).

    It differs from `Rind`: the attention is that of the generated tokens alone, without the prompt, from a separate
    pass; each head's largest value, a token's own included, is averaged over the heads; the values of tokens between
    two spaces are added up; a sentence's values are divided by their sum and multiplied by their number; only content
    words count; and the sentence is written again from its start.

    One difference from the published code remains: the code judges a whole stretch of `generate length` tokens, this a
    sentence as it ends, so later sentences do not attend to it.

    Attributes:
        threshold: theta of Table 9.
        content: which words count; the code asks spaCy's tagger for nouns, adjectives, verbs, names and numbers.

    Example:
        >>> RindPublished(1.2).name
        'rind published'
    """

    threshold: float
    content: Callable[[str], bool] = is_content

    name = "rind published"
    needs_attention = True
    needs_probability = True

    def __post_init__(self) -> None:
        if not self.threshold >= 0:
            raise BadInput(f"A threshold of RIND is 0 or more, not {self.threshold}.")

    def judged(self, progress: Progress, *, sentence: TokenRange) -> Firing | None:
        """Judge one sentence."""
        answer = progress.answer
        first = min(progress.since, sentence.first)
        weights = progress.alone(answer.ids[first : sentence.end])
        words, scores = published_scores(answer, sentence, weights=weights[:, :, sentence.first - first :])
        above = [
            number
            for number in np.flatnonzero(scores > self.threshold).tolist()
            if self.content(answer.text_of(words[number]))
        ]
        if not above:
            return None
        worst = max(above, key=lambda number: float(scores[number]))
        score = float(scores[worst])
        reason = f'"{answer.text_of(words[worst])}" scores {score:.2f} of published RIND, above {self.threshold:.2f}'
        return Firing(sentence.first, score, self.name, reason, words[above[0]].first)


def published_scores(
    answer: GeneratedAnswer, sentence: TokenRange, *, weights: FloatArray
) -> tuple[list[TokenRange], NDArray[np.float64]]:
    """Return a sentence's words, as the published code joins them, with scores.

    Args:
        answer: the answer so far.
        sentence: its tokens.
        weights: shape (heads, rows, tokens of the sentence): what each row attends to these tokens.
    """
    most = weights.max(axis=1).mean(axis=0).astype(np.float64)
    words = _joined(answer, sentence)
    attention = np.array([most[word.first - sentence.first : word.end - sentence.first].sum() for word in words])
    entropy = np.array([np.mean(answer.entropies[word.first : word.end]) for word in words])
    total = attention.sum()
    shares = attention / total if total > 0 else attention
    return words, shares * entropy * len(words)


def _joined(answer: GeneratedAnswer, sentence: TokenRange) -> list[TokenRange]:
    """Join tokens into words at white space."""
    firsts = [
        token
        for token in range(sentence.first, sentence.end)
        if token == sentence.first or answer.text[answer.starts[token] : answer.starts[token] + 1].isspace()
    ]
    return [TokenRange(*each) for each in pairwise([*firsts, sentence.end])]
