"""Words of a text with their positions.

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
    """One word with its position: `text[start:end]`."""

    text: str
    start: int
    end: int

    @property
    def is_content(self) -> bool:
        """True if it is not a stopword."""
        return not is_stopword(self.text)


def words_of(text: str, *, start: int = 0) -> list[Word]:
    """Return the words from character `start` on, without punctuation.

    Contractions are split into their parts. Linear time.
    """
    return [Word(found[0], found.start(), found.end()) for found in _WORD.finditer(text, start)]


def content_words(text: str) -> frozenset[str]:
    """Return a text's distinct words in lower case, without stopwords."""
    return frozenset(word.text.casefold() for word in words_of(text) if word.is_content)


def word_at(words: Sequence[Word], start: int, *, end: int) -> Word | None:
    """Return the first word that overlaps `[start, end)`, or `None`."""
    number = bisect_right(words, start, key=lambda word: word.end)
    return words[number] if number < len(words) and words[number].start < end else None
