"""MRAG's keyword ranking (appendix F; weights of its published code).

The paper asks a chat model for the keywords (table 11); here rules find them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dateline.text.words import STOPWORDS, content_words, words

KeywordKind = Literal["special", "superlative", "numeric", "general"]
"""A name or quotation; "first", "highest"; a number; any other word that carries content."""

WEIGHTS: dict[KeywordKind, float] = {"special": 1.0, "superlative": 0.7, "numeric": 0.5, "general": 0.4}
"""What a keyword found in a passage is worth (MRAG's published code; adjectives count as general)."""

_TOKEN = re.compile(r"[\"“](?P<quoted>[^\"”]{2,80})[\"”]|(?P<word>[^\W_][\w'’.&-]*)")
_SUPERLATIVES = frozenset(
    {"most", "least", "first", "last", "latest", "earliest", "best", "worst", "highest", "lowest"}
)


class WeightedKeyword(NamedTuple):
    """Words that a passage should hold, and what they are."""

    text: str
    kind: KeywordKind


def keywords(question: str) -> list[WeightedKeyword]:
    """Extract a question's keywords in order; names stay whole."""
    found: list[WeightedKeyword] = []
    joinable = False
    for number, match in enumerate(_TOKEN.finditer(question)):
        text = match["quoted"] or match["word"].rstrip(".-'’")
        kind = "special" if match["quoted"] else _kind(text, opening=number == 0)
        if kind is None:
            joinable = False
            continue
        adjacent = joinable and kind == "special" and not match["quoted"]
        if adjacent:
            found[-1] = WeightedKeyword(f"{found[-1].text} {text}", "special")
        else:
            found.append(WeightedKeyword(text, kind))
        joinable = kind == "special" and not match["quoted"]
    return found


def keyword_scores(question: str, *, stems: Sequence[Collection[str]]) -> NDArray[np.float64]:
    """Return each text's share of keyword weight, shape (len(stems),).

    `stems` are the content words of each text (`dateline.text.words.content_words`), as sets. A name counts by the share of its
    words that are there. Without keywords every text scores 0.
    """
    wanted = [(content_words(keyword.text), WEIGHTS[keyword.kind]) for keyword in keywords(question)]
    total = sum(weight for name, weight in wanted if name)
    if not total:
        return np.zeros(len(stems))
    return np.array(
        [
            sum(weight * sum(word in held for word in name) / len(name) for name, weight in wanted if name) / total
            for held in stems
        ],
        dtype=np.float64,
    )


def _kind(text: str, *, opening: bool) -> KeywordKind | None:
    folded = "".join(words(text))
    if not folded:
        return None
    if folded in _SUPERLATIVES or (folded.endswith("est") and len(folded) > 5 and text[0].islower()):
        return "superlative"
    if folded in STOPWORDS:
        return None
    if folded[0].isdigit():
        return "numeric"
    return "special" if text[0].isupper() and not opening else "general"
