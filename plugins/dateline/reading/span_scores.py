"""Spans that may answer, scored from a window's logits."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dateline.reading.encoding import Window
from dateline.reading.temporal_tags import read_times
from dateline.records import Evidence

Floats = NDArray[np.float32]

LONGEST_ANSWER = 20
"""Tokens of an answer at most."""
_UNSPACED = "\u2e80"
"""From here on come the scripts of East Asia."""
SPANS = 12
"""Spans of a window that are looked at."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A span that may answer.

    Attributes:
        text: as it stands in the evidence, `evidence[source].text[start:end]`.
        score: the sum of its start's and end's logits, comparable over all evidence of a question.
        behind: by how much the best span of its window scores more.
    """

    text: str
    source: int
    start: int
    end: int
    score: float
    behind: float = 0.0

    def overlaps(self, other: Mention) -> bool:
        """Return whether two mentions share characters."""
        return self.source == other.source and self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class Scored:
    """Spans of a window, best first, and its log-probability of none."""

    mentions: tuple[Mention, ...]
    nothing: float

    def of_source(self, source: int) -> Scored:
        """Return the same of a piece of evidence with another number."""
        return replace(self, mentions=tuple(replace(mention, source=source) for mention in self.mentions))


def sentence_starts(piece: Evidence) -> list[int]:
    """Return where the sentences of a piece begin."""
    return [start for start, _ in read_times(piece.text, piece.published).sentences]


def score(window: Window, *, logits: Floats, text: str, begins: Sequence[int]) -> Scored:
    """Score the spans of a window of `text`.

    `begins` is where the text's sentences begin. A span lies within one sentence: of 1,500 answers of SQuAD two do not. `logits` has shape (tokens, 2), start and end; those of
    the first token stand for no answer.
    """
    starts, ends = logits[window.first : len(window.ids) - 1].T
    size = len(starts)
    none = logits[0]
    nothing = float(none[0] - _log_sum(starts, none[0]) + none[1] - _log_sum(ends, none[1]))
    firsts = np.repeat(np.arange(size), LONGEST_ANSWER)
    lasts = firsts + np.tile(np.arange(LONGEST_ANSWER), size)
    firsts, lasts = firsts[lasts < size], lasts[lasts < size]
    scores = starts[firsts] + ends[lasts]
    best = np.argsort(-scores, kind="stable")
    places = zip(window.offsets[firsts[best], 0].tolist(), window.offsets[lasts[best], 1].tolist(), best, strict=True)
    whole = (
        (_with_sign(text, start), end, place)
        for start, end, place in places
        if not (_joined(text, start) or _joined(text, end)) and bisect_right(begins, start) == bisect_left(begins, end)
    )
    held: dict[tuple[int, int], int] = {}
    for start, end, place in whole:
        held.setdefault((start, end), place)
        if len(held) == SPANS:
            break
    kept = [(start, end, place) for (start, end), place in held.items()]
    mentions = tuple(
        Mention(
            text[start:end], window.source, start, end, float(scores[place]), float(scores[kept[0][2]] - scores[place])
        )
        for start, end, place in kept
    )
    return Scored(mentions, nothing)


def _with_sign(text: str, start: int) -> int:
    """Return where a number begins with its minus."""
    before = text[max(0, start - 2) : start - 1]
    signed = start > 0 and text[start].isdigit() and text[start - 1] in "-−" and not before.strip(" (\t\n\u00a0")
    return start - signed


def _joined(text: str, place: int) -> bool:
    """Return whether a place lies inside a word; unspaced scripts have none."""
    if not 0 < place < len(text):
        return False
    before, after = text[place - 1], text[place]
    return before.isalnum() and after.isalnum() and max(before, after) < _UNSPACED


def _log_sum(values: Floats, other: np.float32) -> float:
    top = max(float(values.max(initial=-np.inf)), float(other))
    return top + float(np.log(np.exp(values - top).sum() + np.exp(other - top)))
