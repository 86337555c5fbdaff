"""Long documents split into passages at paragraphs, sentences or words."""

from __future__ import annotations

import re
from collections.abc import Iterator

MAX_CHARACTERS = 1_200
"""About 200 words, so that a passage fits a small reader's 288 tokens (100-word passages are DRAGIN's unit)."""

_PARAGRAPH = re.compile(r"\n[ \t]*\n\s*")
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+")


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
            yield from _packed(_SENTENCE.split(paragraph), limit)


def _packed(sentences: list[str], limit: int) -> Iterator[str]:
    current = ""
    for sentence in sentences:
        while len(sentence) > limit:
            border = sentence.rfind(" ", 1, limit)
            border = border if border > 0 else limit
            if current:
                yield current
                current = ""
            yield sentence[:border].strip()
            sentence = sentence[border:].strip()
        joined = f"{current} {sentence}" if current else sentence
        if len(joined) <= limit:
            current = joined
        else:
            yield current
            current = sentence
    if current:
        yield current
