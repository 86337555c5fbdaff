"""Spans that may answer, scored from a window's logits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dateline.reading.encoding import Window
from dateline.records import Evidence

Floats = NDArray[np.float32]

LONGEST_ANSWER = 20
"""Tokens of an answer at most."""
_UNSPACED = "\u2e80"
"""From here on come the scripts of East Asia."""
SPANS = 10
"""Spans of a window that are looked at."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A span that may answer.

    Attributes:
        text: as it stands in the evidence, `evidence[source].text[start:end]`.
        score: the sum of its start's and end's logits, comparable over all evidence of a question.
    """

    text: str
    source: int
    start: int
    end: int
    score: float


@dataclass(frozen=True, slots=True)
class Scored:
    """Spans of a window, best first, and its log-probability of none."""

    mentions: tuple[Mention, ...]
    nothing: float


def score(window: Window, *, logits: Floats, evidence: Sequence[Evidence]) -> Scored:
    """Score the spans of a window.

    `logits` has shape (tokens, 2), start and end; those of the first token stand for no answer.
    """
    starts, ends = logits[window.first : len(window.ids) - 1].T
    size = len(starts)
    none = logits[0]
    nothing = float(none[0] - _log_sum(starts, none[0]) + none[1] - _log_sum(ends, none[1]))
    text = evidence[window.source].text
    opens = np.array([not _joined(text, int(start)) for start, _ in window.offsets], dtype=bool)
    closes = np.array([not _joined(text, int(end)) for _, end in window.offsets], dtype=bool)
    scores = starts[:, None] + ends[None, :]
    places = np.arange(size)
    length = places[None, :] - places[:, None]
    whole = opens[:, None] & closes[None, :]
    scores = np.where((length >= 0) & (length < LONGEST_ANSWER) & whole, scores, -np.inf)
    best = np.argsort(-scores, axis=None, kind="stable")[:SPANS]
    mentions = []
    for first, last in zip(*np.unravel_index(best, scores.shape), strict=True):
        value = float(scores[first, last])
        if np.isfinite(value):
            start, end = int(window.offsets[first, 0]), int(window.offsets[last, 1])
            mentions.append(Mention(text[start:end], window.source, start, end, value))
    return Scored(tuple(mentions), nothing)


def _joined(text: str, place: int) -> bool:
    """Return whether a place lies inside a word; unspaced scripts have none."""
    if not 0 < place < len(text):
        return False
    before, after = text[place - 1], text[place]
    return before.isalnum() and after.isalnum() and max(before, after) < _UNSPACED


def _log_sum(values: Floats, other: np.float32) -> float:
    top = max(float(values.max(initial=-np.inf)), float(other))
    return top + float(np.log(np.exp(values - top).sum() + np.exp(other - top)))
