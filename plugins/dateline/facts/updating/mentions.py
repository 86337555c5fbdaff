"""Names that texts mention, in full or in part."""

from __future__ import annotations

from collections.abc import Collection, Set

from dateline.language.calendar import CALENDAR
from dateline.language.names import MAY_BEGIN_NAME, PARTICLES, LetterPattern
from dateline.language.offices import office_words
from dateline.language.word_lists import word_list
from dateline.text.words import STOPWORDS, content_words, stem, words

WORD = rf"{MAY_BEGIN_NAME}[\w'’-]*"
"""A word of a name."""

_NAME = LetterPattern(WORD)
_FULL_NAME = LetterPattern(rf"{WORD}(?:(?: (?:{PARTICLES}|of|for))?(?: the)? {WORD})*")
_TALK = frozenset(map(stem, word_list("instruction_words")))
"""Words in which a document talks to its reader rather than about the world."""

_TITLES = frozenset(map(stem, office_words("office", "post", "rank", "deputy", "address", "qualifier")))
"""Words before the name of a person that are no part of it; those for occupations are surnames too often."""

_NO_NAMES = _TALK | {stem(word) for word in CALENDAR}
"""Words that make no name of their own, whatever their first letter."""

_BEGINNING = 2
"""Letters that a short form of a first name has in common with it."""


def content(text: str) -> set[str]:
    """Return the stems of the words that say something."""
    return set(content_words(text)) - _TALK


def names_written(text: str) -> list[str]:
    """Return the words that are written like names, in order."""
    return _NAME.findall(text)


def name_words(text: str) -> set[str]:
    """Return the stems of all words of names."""
    return {stem(word) for word in words(" ".join(names_written(text))) if word not in STOPWORDS} - _TALK


def full_names(text: str) -> set[frozenset[str]]:
    """Return the words of each full name, without titles, months and days."""
    found = (frozenset(content_words(match[0])) - _TITLES for match in _FULL_NAME.finditer(text))
    return {name for name in found if not name <= _NO_NAMES}


def outside_names(text: str) -> set[str]:
    """Return the words of content outside of names, such as "mayor"."""
    return content(text) - {word for name in full_names(text) for word in name}


def is_named(fact: str, text: str) -> bool:
    """Find a fact's name in a text, in full or unambiguous form.

    True also where the fact has no name.
    """
    names = full_names(fact)
    return not names or any(goes_by(name, text=text, fact=fact) for name in names)


def goes_by(name: Set[str], *, text: str, fact: str) -> bool:
    """Find a name of a fact, in full or in part.

    "Berg" is "Ada Berg", unless another Berg is named there.
    """
    return name <= set(content_words(text)) or _in_part(full_names(text), name, said=content(fact))


def _in_part(told: Collection[Set[str]], name: Set[str], *, said: Set[str]) -> bool:
    same = [other for other in told if _adds_nothing(other, name, said)]
    others = [other for other in told if other not in same]
    return any(other & name and not any(other & name < longer for longer in others) for other in same)


def _adds_nothing(other: Set[str], name: Set[str], said: Set[str]) -> bool:
    """Check each word against fact and name: "Steve" begins like "Stephen"."""
    return all(any(word[:_BEGINNING] == mine[:_BEGINNING] for mine in name - other) for word in other - said)


def starts_plainly(text: str) -> bool:
    """Guess that the first word is capital by its place alone."""
    first, _, rest = text.partition(" ")
    return bool(_NAME.match(first)) and not _NAME.match(rest)
