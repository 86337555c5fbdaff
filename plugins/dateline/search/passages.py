"""Long documents split into passages at paragraphs, sentences or words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from dateline.text.sentences import split_sentences

MAX_CHARACTERS = 1_200
"""About 200 words, so that a passage fits a small reader's 288 tokens (100-word passages are DRAGIN's unit)."""

_PARAGRAPH = re.compile(r"\n[ \t]*\n\s*")


def passages(text: str, *, limit: int = MAX_CHARACTERS) -> list[str]:
    """Split a text into pieces of at most `limit` characters, in order.

    Together they hold all of its words. A heading line stays with the paragraph below it.
    """
    done: list[str] = []
    current = ""
    for piece in _pieces(text, limit):
        joined = f"{current}\n\n{piece}" if current else piece
        if len(joined) <= limit:
            current = joined
            continue
        head, heading = _without_last_heading(current)
        if heading and len(heading) + 2 + len(piece) <= limit:
            done += [head] if head else []
            current = f"{heading}\n\n{piece}"
        else:
            done.append(current)
            current = piece
    return [*done, current] if current else done


def _without_last_heading(text: str) -> tuple[str, str]:
    head, _, last = text.rpartition("\n\n")
    return (head, last) if last.startswith("#") and "\n" not in last else (text, "")


def _pieces(text: str, limit: int) -> Iterator[str]:
    for paragraph in _PARAGRAPH.split(text):
        paragraph = paragraph.strip()
        if len(paragraph) <= limit:
            if paragraph:
                yield paragraph
        else:
            yield from _packed(paragraph, limit)


def _packed(paragraph: str, limit: int) -> Iterator[str]:
    """Yield as many sentences at a time as there is room for."""
    current = ""
    starts = [sentence.start for sentence in split_sentences(paragraph)]
    for start, end in pairwise([*starts, len(paragraph)]):
        sentence = paragraph[start:end]
        while len(sentence.rstrip()) > limit:
            border = sentence.rfind(" ", 1, limit)
            border = border if border > 0 else limit
            if current:
                yield current.rstrip()
                current = ""
            yield sentence[:border].strip()
            sentence = sentence[border:].lstrip()
        if current and len(f"{current}{sentence}".rstrip()) > limit:
            yield current.rstrip()
            current = ""
        current += sentence
    if current:
        yield current.rstrip()
