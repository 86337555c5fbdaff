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
from dateline.temporal.tokens import Tokens
from dateline.temporal.vocabulary import ENGLISH, Vocabulary

LANGUAGES: tuple[str, ...] = ("en", *language_files.LANGUAGES)
"""The languages in which times are read, the first where nothing speaks for another."""

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_LOOKED_AT = 3_000
"""Characters of a text by which its language is told."""


def checked_languages(languages: Sequence[str]) -> tuple[str, ...]:
    """Return languages as a tuple.

    Raises:
        BadInput: for none, or an unknown one.
    """
    if languages is LANGUAGES:
        return LANGUAGES
    given = (languages,) if isinstance(languages, str) else tuple(languages)
    unknown = [code for code in given if code not in LANGUAGES]
    if unknown or not given:
        raise BadInput(f"Unknown languages {unknown!r}; give some of {', '.join(LANGUAGES)}.")
    return given


def told(text: str, languages: Sequence[str] = LANGUAGES) -> Vocabulary:
    """Return the vocabulary of a text's language.

    Each word or letter with a mark counts four for the only language that has it, two for each of several, and one more where it is a
    word of time; the first language wins where no other has more.

    Example:
        >>> told("Wer war 2018 Direktor?").code, told("Who was it in 2018?").code
        ('de', 'en')
    """
    if len(languages) == 1:
        return _vocabulary(languages[0])
    lowered = text[:_LOOKED_AT].lower()
    words = set(_WORD.findall(lowered))
    if "-" in lowered:
        words.update(part for word in tuple(words) if "-" in word for part in word.split("-"))
    if not lowered.isascii():
        words.update(letter for letter in lowered if not letter.isascii())
    counts = dict.fromkeys(languages, 0)
    table = _telling()
    for word in words:
        for code, weight in table.get(word, ()):
            if code in counts:
                counts[code] += weight
    return _vocabulary(max(languages, key=counts.__getitem__))


def passage_languages(text: str) -> tuple[str, ...]:
    """Return all languages, that of a passage first.

    So a sentence of it without a telling word is read in the language of the others.
    """
    code = told(text).code
    return (code, *(each for each in LANGUAGES if each != code))


def tokens_of(text: str, languages: Sequence[str]) -> Tokens:
    """Return a text's tokens in its language."""
    if languages[0] == "en":
        tokens = Tokens(text)
        if len(languages) == 1 or (text.isascii() and _beyond_english().isdisjoint(tokens.originals)):
            return tokens
        vocabulary = told(text, languages)
        return tokens if vocabulary is ENGLISH else Tokens(text, vocabulary)
    return Tokens(text, told(text, languages))


def _vocabulary(code: str) -> Vocabulary:
    return ENGLISH if code == "en" else language_files.foreign(code)


@cache
def _telling() -> Mapping[str, tuple[tuple[str, int], ...]]:
    """Return the languages that have a word, each with what it counts."""
    table: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
    for code in LANGUAGES:
        common, of_time = _words(code)
        letters = frozenset() if code == "en" else language_files.letters(code)
        for word in {*filter(_is_telling, common | of_time), *letters}:
            table[word].append((code, int(word in of_time)))
    return {
        word: tuple((code, (4 if len(found) == 1 else 2) + of_time) for code, of_time in found)
        for word, found in table.items()
    }


def _is_telling(word: str) -> bool:
    return _WORD.fullmatch(word) is not None and word.islower()


def _words(code: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return a language's commonest words and those of time."""
    if code == "en":
        return word_list("function_words"), frozenset([*CLASS_OF, *MONTHS])
    return language_files.common_words(code) | language_files.plain_words(code), language_files.time_words(code)


@cache
def _beyond_english() -> frozenset[str]:
    """Return other languages' words that English lacks, in any capitals."""
    words = [word for word, found in _telling().items() if len(word) > 1 and all(code != "en" for code, _ in found)]
    return frozenset(form for word in words for form in (word, word.capitalize(), word.upper()))
