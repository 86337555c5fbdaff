"""Exact match, token F1 and recall as question-answering papers define them."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterable, Sequence

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)


def normalise(text: str) -> str:
    """Lower case, no punctuation, no articles, single spaces (the SQuAD normalisation)."""
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split())


def exact_match(answer: str, *, golds: Iterable[str]) -> float:
    """Score 1.0 where the answer equals a gold answer, both normalised.

    Example:
        >>> exact_match("The Beatles!", golds=["Beatles"])
        1.0
    """
    return float(normalise(answer) in {normalise(gold) for gold in golds})


def token_f1(answer: str, *, golds: Iterable[str]) -> float:
    """Return the best token F1 over the gold answers."""
    return max((_f1(normalise(answer).split(), normalise(gold).split()) for gold in golds), default=0.0)


def _f1(answer: Sequence[str], gold: Sequence[str]) -> float:
    if not answer or not gold:
        return float(answer == gold)
    common = sum((Counter(answer) & Counter(gold)).values())
    return 2 * common / (len(answer) + len(gold))


def holds_answer(text: str, *, golds: Iterable[str]) -> bool:
    """Find a normalised gold answer, as whole words, in the normalised text."""
    padded = f" {normalise(text)} "
    return any(f" {normalised} " in padded for gold in golds if (normalised := normalise(gold)))
