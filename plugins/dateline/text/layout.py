"""Line breaks that writers set, apart from those that wrap prose."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

_COLUMNS = re.compile(r"(?:(?<!\.)\.{4,}+|(?<! ) {3,}+|(?<!\t)\t++) ?\S")
"""Leaders or a gap between two columns."""


class _Line(NamedTuple):
    """Line of a paragraph; `end` is the place of its line break."""

    text: str
    end: int


def line_ends(text: str) -> list[int]:
    r"""Find the line breaks within paragraphs that are set on purpose.

    In wrapped prose, a line ends where the next word would not have fitted. Rows of a Markdown table are one line.

    Example:
        >>> line_ends("eggs 2.10\ncream, half a litre 1.90")
        [9]
    """
    return [end for paragraph in _paragraphs(text) for end in _set_ends(paragraph)]


def _paragraphs(text: str) -> Iterator[list[_Line]]:
    paragraph: list[_Line] = []
    end = -1
    for line in text.split("\n"):
        end += len(line) + 1
        if bare := line.strip():
            paragraph.append(_Line(bare, end))
        else:
            yield paragraph
            paragraph = []
    yield paragraph


def _set_ends(paragraph: Sequence[_Line]) -> Iterator[int]:
    width = max((len(line.text) for line in paragraph), default=0)
    pairs = list(pairwise(paragraph))
    fits = [len(line.text) + 1 + len(following.text.split(maxsplit=1)[0]) <= width for line, following in pairs]
    is_list = all(fits)
    for (line, following), fit in zip(pairs, fits, strict=True):
        if line.text.startswith("|") and following.text.startswith("|"):
            continue
        as_set = fit and (is_list or not following.text[0].islower())
        if as_set or _COLUMNS.search(line.text) or _COLUMNS.search(following.text):
            yield line.end
