"""Input of the small reader: tokens with their temporal tags."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dateline.encodable import encodable
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


def windows(question: Question, *, evidence: Sequence[Evidence], tokenizer: Any) -> list[Window]:
    """Cut evidence into windows, in order; long evidence gives several."""
    titles = [encodable(piece.title) for piece in evidence]
    heads = tokenizer.encode_batch([encodable(question.text), *titles], add_special_tokens=False)
    texts = tokenizer.encode_batch([encodable(piece.text) for piece in evidence], add_special_tokens=False)
    asked = [_CLS, *heads[0].ids[:_QUESTION], _SEP]
    built = []
    for source, (title, text, marked) in enumerate(
        zip(heads[1:], texts, tag(question, evidence=evidence), strict=True)
    ):
        head = [*asked, *title.ids[:_TITLE], *([_SEP] if title.ids else [])]
        head_marks = [UNMARKED] * len(asked) + [marked.title] * (len(head) - len(asked))
        most = max(LONGEST, int(len(evidence[source].text) / _CHARACTERS_A_TOKEN))
        offsets = np.array(text.offsets[:most], dtype=np.int64).reshape(-1, 2)
        ids = np.array(text.ids[:most], dtype=np.int64)
        codes = np.zeros(len(ids), dtype=np.int64)
        for start, end, code in marked.text:
            codes[np.searchsorted(offsets[:, 0], start) : np.searchsorted(offsets[:, 1], end, side="right")] = code
        for start in _starts(len(ids), room=LONGEST - len(head) - 1):
            stretch = slice(start, start + LONGEST - len(head) - 1)
            whole = [*head, *ids[stretch], _SEP]
            segments = np.full(len(whole), _OF_EVIDENCE)
            segments[: len(asked)] = 0
            built.append(
                Window(
                    ids=np.array(whole, dtype=np.int64),
                    segments=segments,
                    marks=np.array([*head_marks, *codes[stretch], UNMARKED], dtype=np.int64),
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
