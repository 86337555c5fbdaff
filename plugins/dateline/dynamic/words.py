"""Words of a text with their places, and which of them carry meaning.

RIND and QFS are defined on tokens, stopwords and content words on words; a word piece takes the part of the word that
it belongs to, so that "the" in "therapist" is no stopword.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from dateline.dynamic.stopwords import is_stopword

_WORD = re.compile(
    r"[^\W_]+?(?=n['‘’]t(?![^\W_]))|n['‘’]t(?![^\W_])|['‘’](?:s|d|m|ll|re|ve)(?![^\W_])|[^\W_]+", re.IGNORECASE
)


class Word(NamedTuple):
    """One word and where it stands: `text[start:end]`."""

    text: str
    start: int
    end: int

    @property
    def is_content(self) -> bool:
        """Whether it is no stopword."""
        return not is_stopword(self.text)


def words_of(text: str, *, start: int = 0) -> list[Word]:
    """The words from character `start` on, contractions in their parts, punctuation left out. Linear."""
    return [Word(found[0], found.start(), found.end()) for found in _WORD.finditer(text, start)]


def word_at(words: Sequence[Word], start: int, *, end: int) -> Word | None:
    """The first of the ordered `words` that shares a character with `[start, end)`, or `None`."""
    number = bisect_right(words, start, key=lambda word: word.end)
    return words[number] if number < len(words) and words[number].start < end else None
