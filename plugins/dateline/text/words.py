"""Words for matching: folded, without accents or apostrophes, with a light stem."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

STOPWORDS = frozenset(
    [
        "a",
        "about",
        "above",
        "after",
        "again",
        "against",
        "all",
        "also",
        "am",
        "among",
        "an",
        "and",
        "any",
        "are",
        "as",
        "at",
        "be",
        "became",
        "because",
        "become",
        "been",
        "before",
        "being",
        "below",
        "between",
        "both",
        "but",
        "by",
        "can",
        "could",
        "did",
        "do",
        "does",
        "doing",
        "down",
        "during",
        "each",
        "else",
        "ever",
        "few",
        "for",
        "from",
        "further",
        "had",
        "has",
        "have",
        "having",
        "he",
        "her",
        "here",
        "hers",
        "herself",
        "him",
        "himself",
        "his",
        "how",
        "however",
        "i",
        "if",
        "in",
        "into",
        "is",
        "it",
        "its",
        "itself",
        "just",
        "later",
        "may",
        "me",
        "might",
        "more",
        "most",
        "must",
        "my",
        "myself",
        "no",
        "nor",
        "not",
        "of",
        "off",
        "on",
        "once",
        "only",
        "onto",
        "or",
        "other",
        "our",
        "ours",
        "ourselves",
        "out",
        "over",
        "own",
        "per",
        "same",
        "shall",
        "she",
        "should",
        "since",
        "so",
        "some",
        "such",
        "than",
        "that",
        "the",
        "their",
        "theirs",
        "them",
        "themselves",
        "then",
        "there",
        "these",
        "they",
        "this",
        "those",
        "through",
        "thus",
        "to",
        "too",
        "under",
        "until",
        "up",
        "upon",
        "us",
        "very",
        "was",
        "we",
        "were",
        "what",
        "when",
        "where",
        "whether",
        "which",
        "while",
        "who",
        "whom",
        "whose",
        "why",
        "will",
        "with",
        "within",
        "without",
        "would",
        "you",
        "your",
        "yours",
        "yourself",
        "yourselves",
    ]
)
"""Function words of English, question words among them."""

_WORD = re.compile(r"[^\W_]+")
_APOSTROPHES = str.maketrans("", "", "'’ʼ`´")
_VOWELS = frozenset("aeiouy")
_SUFFIXES = (("ies", "y", 5), ("sses", "ss", 5), ("ing", "", 6), ("ed", "", 5), ("ly", "", 6))


def words(text: str) -> list[str]:
    """Return the words of a text, folded.

    Lower case, no accents, no apostrophes; numbers count as words.
    """
    folded = text.translate(_APOSTROPHES).casefold()
    if not folded.isascii():
        folded = "".join(c for c in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(c))
        folded = folded.casefold()  # letters come out of signs such as "℠"
    return _WORD.findall(folded)


def content_words(text: str) -> list[str]:
    """Return the stems of a text's content words, in order.

    Repeats are kept.
    """
    return [stem(word) for word in words(text) if word not in STOPWORDS]


@lru_cache(maxsize=1 << 17)
def stem(word: str) -> str:
    """Return the light stem of a folded word.

    Plural and the commonest verb endings go, meaning stays.

    Numbers and words of up to three letters are left alone.
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
