"""Relevance by meaning: sentences that speak of the question in other words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from asof.reading.clues import Clue
from asof.records import Evidence
from asof.text.embeddings import embed

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings

MAX_EMBEDDED = 48
"""Sentences embedded for one question, the most relevant by words first."""

_SHARE = 0.5
"""How much of the relevance is meaning; the rest stays words."""
_LOW, _HIGH = 0.1, 0.8
"""Cosines that count as unrelated and as the same."""


def with_meaning(
    clues: Sequence[Clue], *, question: str, evidence: Sequence[Evidence], embeddings: Embeddings
) -> list[Clue]:
    """The clues with closeness in meaning mixed into relevance and coverage.

    Each sentence is read with its title, which often names what the sentence only refers to.
    """
    order = sorted(range(len(clues)), key=lambda index: (-clues[index].relevance, index))[:MAX_EMBEDDED]
    if not order:
        return list(clues)
    texts = [f"{evidence[clues[index].source].title}. {clues[index].text}".lstrip(". ") for index in order]
    vectors = embed([question, *texts], embeddings=embeddings)
    close = np.clip((vectors[1:] @ vectors[0] - _LOW) / (_HIGH - _LOW), 0.0, 1.0)
    by_clue = dict(zip(order, close.tolist(), strict=True))
    around: dict[int, float] = {}
    for index, value in by_clue.items():
        source = clues[index].source
        around[source] = max(value, around.get(source, 0.0))
    return [
        replace(
            clue,
            relevance=(1 - _SHARE) * clue.relevance + _SHARE * by_clue.get(index, 0.0),
            coverage=(1 - _SHARE) * clue.coverage + _SHARE * around.get(clue.source, 0.0),
        )
        for index, clue in enumerate(clues)
    ]
