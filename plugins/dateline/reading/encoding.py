"""Input of the small reader: tokens with their temporal tags."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dateline.encodable import encodable
from dateline.latest import Latest
from dateline.reading.temporal_tags import UNMARKED, tag
from dateline.records import Evidence
from dateline.temporal.constraint import Question

Ints = NDArray[np.int64]

LONGEST = 320
"""Tokens of one window: question, title and a stretch of the text."""
OVERLAP = 64
"""Tokens of text that a window shares with the one before it."""
_QUESTION, _TITLE = 64, 24
"""Tokens at most of the question and of a title."""
_CLS, _SEP = 101, 102
_CHARACTERS_A_TOKEN = 2.5
"""Of prose; where marks and digits make more tokens, only so many are read, so that they cost no more than words."""

_OF_EVIDENCE = 1
"""BERT's number of the second segment."""
_KEPT_BYTES = 16 * 2**20
"""Texts and their tokens that are kept: some 5,000 passages of a hundred words."""


class EncodedText(NamedTuple):
    """Tokens of a text, and the characters (start, end) of each."""

    ids: Ints
    offsets: Ints


class TextTokens:
    """A tokenizer that remembers the latest texts.

    One answer reads its evidence several times, and questions meet the same texts again.
    """

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._kept = Latest[str, EncodedText](size=_KEPT_BYTES)

    def of(self, text: str) -> EncodedText:
        """Return the tokens of a text, without those that frame it."""
        if (known := self._kept.get(text)) is not None:
            return known
        read = self._tokenizer.encode(encodable(text), add_special_tokens=False)
        made = EncodedText(np.array(read.ids, dtype=np.int64), np.array(read.offsets, dtype=np.int64).reshape(-1, 2))
        self._kept.put(text, made, weight=made.ids.nbytes + made.offsets.nbytes + len(text))
        return made


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of one piece of evidence behind the question.

    Attributes:
        ids, segments, marks: shape (tokens,).
        first: the index of the first token of the text; those before it are question and title.
        offsets: characters (start, end) in the text of each of its tokens, shape (tokens - first - 1, 2).
        source: which piece of evidence it is of.
    """

    ids: Ints
    segments: Ints
    marks: Ints
    first: int
    offsets: Ints
    source: int


def windows(
    question: Question,
    *,
    evidence: Sequence[Evidence],
    tokens: TextTokens,
    question_tokens: int = _QUESTION,
    title_tokens: int = _TITLE,
) -> list[Window]:
    """Cut evidence into windows, in order; long evidence gives several.

    Args:
        question_tokens: so many of the question at most, the last: what is asked stands at its end.
        title_tokens: so many of a title at most.
    """
    asked = [_CLS, *tokens.of(question.text).ids[-question_tokens:], _SEP]
    built = []
    for source, (piece, marked) in enumerate(zip(evidence, tag(question, evidence=evidence), strict=True)):
        title, text = tokens.of(piece.title).ids[:title_tokens], tokens.of(piece.text)
        head = [*asked, *title, *([_SEP] if len(title) else [])]
        head_marks = [UNMARKED] * len(asked) + [marked.title] * (len(head) - len(asked))
        most = max(LONGEST, int(len(piece.text) / _CHARACTERS_A_TOKEN))
        offsets, ids = text.offsets[:most], text.ids[:most]
        codes = np.zeros(len(ids), dtype=np.int64)
        for start, end, code in marked.text:
            codes[np.searchsorted(offsets[:, 0], start) : np.searchsorted(offsets[:, 1], end, side="right")] = code
        for start in _starts(len(ids), room=LONGEST - len(head) - 1):
            stretch = slice(start, start + LONGEST - len(head) - 1)
            whole = np.concatenate([head, ids[stretch], [_SEP]])
            segments = np.full(len(whole), _OF_EVIDENCE)
            segments[: len(asked)] = 0
            built.append(
                Window(
                    ids=whole,
                    segments=segments,
                    marks=np.concatenate([head_marks, codes[stretch], [UNMARKED]]),
                    first=len(head),
                    offsets=offsets[stretch],
                    source=source,
                )
            )
    return built


def _starts(tokens: int, *, room: int) -> list[int]:
    """Place windows so that all tokens are covered and all full."""
    if tokens <= room:
        return [0]
    return [*range(0, tokens - room, room - OVERLAP), tokens - room]


def batch(rows: Sequence[Window]) -> dict[str, Ints]:
    """Windows as padded arrays of shape (windows, longest): ids, mask, segments, marks."""
    longest = max(len(row.ids) for row in rows)
    arrays = {name: np.zeros((len(rows), longest), dtype=np.int64) for name in ("ids", "mask", "segments", "marks")}
    for number, row in enumerate(rows):
        size = len(row.ids)
        arrays["ids"][number, :size] = row.ids
        arrays["mask"][number, :size] = 1
        arrays["segments"][number, :size] = row.segments
        arrays["marks"][number, :size] = row.marks
    return arrays
