"""Words for matching: folded, without accents or apostrophes, with a light stem."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Set
from functools import lru_cache

from dateline.language.word_lists import word_list
from dateline.remember import remember

STOPWORDS = word_list("function_words")
"""Function words of English, question words among them."""

_WORD = re.compile(r"[^\W_]+")
_APOSTROPHES = str.maketrans("", "", "'’ʼ`´")
_VOWELS = frozenset("aeiouy")
_SUFFIXES = (("ies", "y", 5), ("sses", "ss", 5), ("ing", "", 6), ("ed", "", 5), ("ly", "", 6))


def words(text: str) -> list[str]:
    """Return the words of a text, folded; numbers count as words.

    Folded is lower case without accents and apostrophes.
    """
    return list(_words(text))


@remember
def _words(text: str) -> tuple[str, ...]:
    folded = text.translate(_APOSTROPHES).casefold()
    if not folded.isascii():
        folded = "".join(c for c in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(c))
        folded = folded.casefold()  # letters come out of signs such as "℠"
    return tuple(_WORD.findall(folded))


def spaced(text: str) -> str:
    """Return a text's words between single spaces, to find whole words."""
    return f" {' '.join(words(text))} "


def word_f1(text: str, other: str) -> float:
    """Return the F1 of two texts' distinct words, 0 to 1.

    Example:
        >>> word_f1("Ada Berg", "Ada Lund")
        0.5
    """
    mine, theirs = _words_of(text), _words_of(other)
    return 2 * len(mine & theirs) / (len(mine) + len(theirs)) if mine and theirs else 0.0


@lru_cache(maxsize=4096)
def _words_of(text: str) -> frozenset[str]:
    return frozenset(words(text))


def content_words(text: str) -> list[str]:
    """Return the stems of a text's content words, in order, with repeats."""
    return [stem(word) for word in words(text) if word not in STOPWORDS]


def stems(text: str) -> list[str]:
    """Return the stems of all words in order, function words too."""
    return [stem(word) for word in words(text)]


def share_held(wanted: Set[str], *, text: str) -> float:
    """Return the share of some stems that a text holds.

    Example:
        >>> share_held({"mayor", "oslo"}, text="She is a mayor.")
        0.5
    """
    return len(wanted & set(content_words(text))) / max(1, len(wanted))


@lru_cache(maxsize=1 << 17)
def stem(word: str) -> str:
    """Return the light stem of a folded word.

    Plural and the commonest verb endings go, meaning stays. Numbers and words of up to three letters are left alone.
    """
    if len(word) < 4 or not word.isalpha():
        return word
    for suffix, replacement, shortest in _SUFFIXES:
        if word.endswith(suffix) and len(word) >= shortest and not _VOWELS.isdisjoint(word[: -len(suffix)]):
            return _tidy(word[: -len(suffix)] + replacement)
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return _tidy(word[:-1])
    return _tidy(word)


def _tidy(root: str) -> str:
    """Make the roots of "stopped"/"stop" and "serve"/"served"/"serving" meet."""
    if len(root) > 3 and root[-1] == root[-2] and root[-1] not in "aeiouls":
        return root[:-1]
    return root[:-1] if len(root) > 3 and root.endswith("e") else root
