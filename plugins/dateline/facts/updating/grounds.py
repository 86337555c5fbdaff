"""Checks of a model's verdicts against the document's own words.

A model may misread a document, or obey it. So a fact is made false only on lines that speak of the same thing, and
a statement is taken in only when its names and numbers stand in what the model was shown.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence, Set

from dateline.facts.updating.document_parts import DocumentPart
from dateline.language.calendar import CALENDAR, MONTH_NAMES
from dateline.language.names import MAY_BEGIN_NAME, PARTICLES, LetterPattern
from dateline.language.offices import office_words
from dateline.language.pronouns import THIRD_PERSON
from dateline.language.word_lists import word_list
from dateline.text.words import STOPWORDS, content_words, stem, words

ENOUGH_WORDS = 2
"""Words of content that a line must share with a fact whose names it does not mention."""

_WORD = rf"{MAY_BEGIN_NAME}[\w'’-]*"
_NAME = LetterPattern(_WORD)
_FULL_NAME = LetterPattern(rf"{_WORD}(?:(?: (?:{PARTICLES}|of|for))?(?: the)? {_WORD})*")
_YEAR = re.compile(r"\d{4}")
_PRONOUN = re.compile(rf"\b(?:{'|'.join(sorted(THIRD_PERSON))})\b", re.I)
_TALK = frozenset(map(stem, word_list("instruction_words")))
"""Words in which a document talks to its reader rather than about the world."""

_TITLES = frozenset(map(stem, office_words("office", "post", "rank", "deputy", "address", "qualifier")))
"""Words before the name of a person that are no part of it; those for occupations are surnames too often."""

_NO_NAMES = _TALK | {stem(word) for word in CALENDAR}
"""Words that make no name of their own, whatever their first letter."""

_BEGINNING = 2
"""Letters that a short form of a first name has in common with it."""


def speaks_of(fact: str, *, lines: Sequence[int], piece: DocumentPart, besides: Iterable[str] = ()) -> bool:
    """Check that the named lines, with `besides`, share a fact's subject.

    They must share one of the fact's names, or two of its words of content. A line with a pronoun is read together
    with what comes before it. And where the fact has names, the piece must name what it is about, or the lines say
    all but one of these names: a line about the Northern Harbour says nothing of the Southern Harbour.
    """
    cited = [piece.sentences[line - 1] for line in lines if 1 <= line <= len(piece.sentences)]
    for line in lines:
        if 1 <= line <= len(piece.sentences) and _PRONOUN.search(piece.sentences[line - 1]):
            cited += (piece.title, *piece.sentences[max(0, line - 3) : line - 1])
    besides = tuple(besides)
    content, told = _content(fact), _content(" ".join((*cited, *besides)))
    shared = content & told
    enough = bool(shared & _names(fact)) or len(shared) >= min(ENOUGH_WORDS, len(content)) > 0
    whole = ". ".join((piece.title, *piece.sentences, *besides))
    return enough and (_is_named(fact, whole) or _all_but_a_name(fact, told))


def _is_named(fact: str, text: str) -> bool:
    """Find a fact's name in a text, in full or unambiguous form.

    True also where the fact has no name.
    """
    names, told = _full_names(fact), _full_names(text)
    content, known = _content(fact), set(content_words(text))
    return not names or any(name <= known or _goes_by(told, name, content=content) for name in names)


def _goes_by(told: Collection[Set[str]], name: Set[str], *, content: Set[str]) -> bool:
    """Find a told part of `name` only, as "Berg" of "Ada Berg"."""
    same = [other for other in told if _adds_nothing(other, name, content)]
    others = [other for other in told if other not in same]
    return any(other & name and not any(other & name < longer for longer in others) for other in same)


def _adds_nothing(other: Set[str], name: Set[str], content: Set[str]) -> bool:
    """Check each word against fact and name: "Steve" begins like "Stephen"."""
    return all(any(word[:_BEGINNING] == mine[:_BEGINNING] for mine in name - other) for word in other - content)


def _all_but_a_name(fact: str, told: Set[str]) -> bool:
    """Check that only one name and years of a fact are untold."""
    content = {word for word in _content(fact) if not _YEAR.fullmatch(word)}
    return any(len(content - name) >= ENOUGH_WORDS and content - name <= told for name in _full_names(fact))


def stands_in(statement: str, *, piece: DocumentPart, besides: Iterable[str] = ()) -> bool:
    """Find all names and numbers of a statement in the model's input."""
    shown = " ".join((piece.text, *besides))
    known = {stem(word) for word in words(shown)} | _date_words(piece)
    names = set(content_words(" ".join(_NAME.findall(statement)[_starts_plainly(statement) :])))
    numbers = {word for word in words(statement) if any(map(str.isdigit, word))}
    return names | numbers <= known and bool(_content(statement) & _content(shown))


def _starts_plainly(statement: str) -> bool:
    """Guess that the first word is capital by its place alone."""
    first, _, rest = statement.partition(" ")
    return bool(_NAME.match(first)) and not _NAME.match(rest)


def _names(text: str) -> set[str]:
    return {stem(word) for word in words(" ".join(_NAME.findall(text))) if word not in STOPWORDS} - _TALK


def _full_names(text: str) -> set[frozenset[str]]:
    """Return the words of each full name, without titles, months and days."""
    found = (frozenset(content_words(match[0])) - _TITLES for match in _FULL_NAME.finditer(text))
    return {name for name in found if not name <= _NO_NAMES}


def _content(text: str) -> set[str]:
    return set(content_words(text)) - _TALK


def _date_words(piece: DocumentPart) -> set[str]:
    """Return numbers and months that "today" or "last year" may become."""
    date = piece.document.published
    if date is None or date.start is None:
        return set()
    year = int(date.isoformat()[:4])
    days = {str(day) for day in range(1, 32)} | {f"{day:02}" for day in range(1, 32)}
    return {*days, *(stem(name.lower()) for name in MONTH_NAMES), *(str(each) for each in range(year - 1, year + 2))}
