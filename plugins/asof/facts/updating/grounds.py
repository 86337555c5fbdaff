"""What a document's own words must say before a model's word counts.

A model may misread a document, or obey it. So a fact is made false only on lines that speak of the same thing, and
a statement is taken in only when its names and numbers stand in what the model was shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from asof.facts.updating.piece import Piece
from asof.temporal.calendar_words import MONTH_NAMES
from asof.text.words import STOPWORDS, content_words, stem, words

ENOUGH_WORDS = 2
"""Words of content that a line must share with a fact whose names it does not mention."""

_NAME = re.compile(r"[^\W\d_a-zß-öø-ÿ][\w'’-]*")
_PRONOUN = re.compile(r"\b(?:he|she|it|they|his|her|hers|its|their|theirs|him|them)\b", re.I)
_TALK = frozenset(
    stem(word)
    for word in [
        "fact",
        "facts",
        "store",
        "statement",
        "document",
        "text",
        "line",
        "instruction",
        "rule",
        "previous",
        "ignore",
        "delete",
        "remove",
        "erase",
        "forget",
        "mark",
        "set",
        "reset",
        "change",
        "false",
        "true",
        "system",
        "assistant",
        "user",
        "prompt",
        "reply",
        "answer",
        "json",
        "verdict",
    ]
)
"""Words in which a document talks to its reader rather than about the world."""


def speaks_of(fact: str, *, lines: Sequence[int], piece: Piece, besides: Iterable[str] = ()) -> bool:
    """Whether the named lines of a piece, and what stands `besides`, are about what a fact is about.

    They must share one of the fact's names, or two of its words of content. A line with a pronoun is read together
    with what comes before it.
    """
    cited = [piece.sentences[line - 1] for line in lines if 1 <= line <= len(piece.sentences)]
    for line in lines:
        if 1 <= line <= len(piece.sentences) and _PRONOUN.search(piece.sentences[line - 1]):
            cited += (piece.title, *piece.sentences[max(0, line - 3) : line - 1])
    content = _content(fact)
    shared = content & _content(" ".join((*cited, *besides)))
    return bool(shared & _names(fact)) or len(shared) >= min(ENOUGH_WORDS, len(content)) > 0


def stands_in(statement: str, *, piece: Piece, besides: Iterable[str] = ()) -> bool:
    """Whether all names and numbers of a statement stand in a piece, in what is shown `besides`, or in its date."""
    shown = " ".join((piece.text, *besides))
    known = {stem(word) for word in words(shown)} | _date_words(piece)
    names = set(content_words(" ".join(_NAME.findall(statement)[_starts_plainly(statement) :])))
    numbers = {word for word in words(statement) if any(map(str.isdigit, word))}
    return names | numbers <= known and bool(_content(statement) & _content(shown))


def _starts_plainly(statement: str) -> bool:
    """Whether the first word has its capital from its place alone, as far as can be told."""
    first, _, rest = statement.partition(" ")
    return bool(_NAME.match(first)) and not _NAME.match(rest)


def _names(text: str) -> set[str]:
    return {stem(word) for word in words(" ".join(_NAME.findall(text))) if word not in STOPWORDS} - _TALK


def _content(text: str) -> set[str]:
    return set(content_words(text)) - _TALK


def _date_words(piece: Piece) -> set[str]:
    """Numbers and months in which a model may write "today" or "last year"."""
    date = piece.document.published
    if date is None or date.start is None:
        return set()
    year = int(date.isoformat()[:4])
    days = {str(day) for day in range(1, 32)} | {f"{day:02}" for day in range(1, 32)}
    return {*days, *(stem(name.lower()) for name in MONTH_NAMES), *(str(each) for each in range(year - 1, year + 2))}
