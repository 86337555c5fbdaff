"""Telling a text's language by its commonest words."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache

from dateline.errors import BadInput
from dateline.language.calendar import MONTHS
from dateline.language.word_lists import word_list
from dateline.temporal import language_files
from dateline.temporal.calendar_words import CLASS_OF
from dateline.temporal.vocabulary import ENGLISH, Vocabulary

LANGUAGES: tuple[str, ...] = ("en", *language_files.LANGUAGES)
"""The languages in which times are read, the first where nothing speaks for another."""

_WORD = re.compile(r"[^\W\d_]{2,}(?:-[^\W\d_]+)*")
_LOOKED_AT = 3_000
"""Characters of a text by which its language is told."""


def checked_languages(languages: Sequence[str]) -> tuple[str, ...]:
    """Return languages as a tuple.

    Raises:
        BadInput: for none, a text instead of a list, or an unknown one.
    """
    given = (languages,) if isinstance(languages, str) else tuple(languages)
    unknown = [code for code in given if code not in LANGUAGES]
    if unknown or not given:
        raise BadInput(f"Unknown languages {unknown!r}; give some of {', '.join(LANGUAGES)}.")
    return given


def told(text: str, languages: Sequence[str] = LANGUAGES) -> Vocabulary:
    """Return the vocabulary of a text's language.

    Each word of a text counts two for the only language that has it and one for each of several; the first language wins
    where no other has more.

    Example:
        >>> told("Wer war 2018 Direktor?").code, told("Who was it in 2018?").code
        ('de', 'en')
    """
    if len(languages) == 1:
        return _vocabulary(languages[0])
    words = set(_WORD.findall(text[:_LOOKED_AT].lower()))
    if "en" in languages and words.isdisjoint(_beyond_english()):
        return ENGLISH
    counts = dict.fromkeys(languages, 0)
    table = _telling()
    for word in words:
        of = table.get(word, ())
        for code in of:
            if code in counts:
                counts[code] += 2 if len(of) == 1 else 1
    best = max(languages, key=lambda code: (counts[code], code == "en"))
    return _vocabulary(best)


def _vocabulary(code: str) -> Vocabulary:
    return ENGLISH if code == "en" else language_files.foreign(code)


@cache
def _telling() -> Mapping[str, tuple[str, ...]]:
    """Return which languages have a word."""
    table: defaultdict[str, list[str]] = defaultdict(list)
    for code in LANGUAGES:
        for word in _words(code):
            table[word].append(code)
    return {word: tuple(codes) for word, codes in table.items()}


def _words(code: str) -> frozenset[str]:
    if code == "en":
        return word_list("function_words") | {word for word in (*CLASS_OF, *MONTHS) if word.isalpha()}
    return frozenset(word for word in language_files.known_words(code) if _WORD.fullmatch(word) and word.islower())


@cache
def _beyond_english() -> frozenset[str]:
    """Return the words of other languages that English lacks."""
    return frozenset(word for word, codes in _telling().items() if "en" not in codes)
