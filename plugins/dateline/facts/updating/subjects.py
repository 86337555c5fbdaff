"""Subjects of facts, and whether a line is about the same.

"The mill of Lund is kept by Ada Berg" is about the mill, so a line about another mill of hers says nothing against it. A
sentence's subject is found by its shape: what stands before a common verb or a colon, or else up to the end of its first name.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from dateline.facts.updating.mentions import WORD, goes_by, starts_plainly
from dateline.language.calendar import CALENDAR
from dateline.language.names import PARTICLES, SMALL, LetterPattern
from dateline.language.negation import negations
from dateline.text.words import STOPWORDS, content_words

_LINK = rf"(?:of|at|in|for|on|from|with|and|the|&|{PARTICLES})"
"""Words that join names and nouns to one subject."""

_JOINED = re.compile(rf"{_LINK}\b")
_VERB = re.compile(r"\b(?:is|are|was|were|has|have|had|will|can|may|must|shall|does|do|did)\b|:(?!\d)")
_OTHER_VERB = LetterPattern(rf"{SMALL}+s\b")
"""What follows a name of one word and looks like a verb: "works"."""

_OWNER = re.compile(r"\w+['’]s")

_NAMES = LetterPattern(rf"{WORD}(?:(?: {_LINK})* {WORD})*(?: \d+\w?\b)?")
_ROLE = LetterPattern(
    r"\b(?:is|are|remains|became|becomes|has been|was|serves as)(?: now| still| also)? (?:the )?"
    rf"{SMALL}[\w -]*? (?:of|at|for) (?P<of>.+)|\bis (?P<owner>.+?['’]s?) {SMALL}"
)
"""What somebody is somebody of: "is the director of Lund Zoo" is about the zoo as well."""

_NO_NAMES = STOPWORDS | {word.casefold() for word in CALENDAR}

_BEHIND = 25
"""Characters between a name and the verb that still belong to the subject: "The Lund library"."""


class _Phrase(NamedTuple):
    """Names of a phrase, and its other words of content."""

    names: frozenset[frozenset[str]]
    nouns: frozenset[str]


def same_subject(fact: str, *, text: str) -> bool:
    """Check that a text is about what a fact is about.

    It must mention all names of the fact's subject and not begin with another kind of thing; or, of a fact that tells what
    somebody is of something, all names of that.

    Example:
        >>> kept = "The mill of Lund is kept by Ada Berg."
        >>> [same_subject(kept, text=f"The {what} is kept by Bo Ek.") for what in ("mill of Lund", "mill of Oby")]
        [True, False]
    """
    own = subject_of(fact)
    mine, known = _phrase(own), set(content_words(text))
    if not mine.names:
        return not mine.nouns or not mine.nouns.isdisjoint(known)
    if _mentions(mine, text=text, fact=fact):
        named = frozenset().union(*mine.names)
        others = _phrase(subject_of(text)).nouns - named
        kinds = not mine.nouns or not others or not mine.nouns.isdisjoint(known)
        if kinds or not others.isdisjoint(content_words(fact)):
            return True
    role = _ROLE.search(fact)
    return role is not None and _mentions(_phrase(f"the {role['of'] or role['owner']}"), text=text, fact=fact)


def repeats_value(fact: str, *, text: str) -> bool:
    """Check that a text repeats a fact's value and tells no other.

    It mentions all names of the fact, those outside of its subject too, and no others, and denies nothing.

    Example:
        >>> kept = "The mill of Lund is kept by Ada Berg."
        >>> [repeats_value(kept, text=f"The mill of Lund {what} by Ada Berg.") for what in ("was painted", "is not kept")]
        [True, False]
    """
    own = subject_of(fact)
    mine, value, said = _phrase(own), _phrase(f"the {fact[len(own) :]}"), _phrase(f"the {text}")
    beyond = frozenset().union(*said.names) - frozenset(content_words(fact))
    return (
        not beyond and not negations(text) and bool(value.names - mine.names) and _mentions(value, text=text, fact=fact)
    )


def subject_of(text: str) -> str:
    """Return the words that tell what a sentence is about."""
    plain = " ".join(text.split())
    first, _, rest = plain.partition(" ")
    verbal = _OTHER_VERB.match(rest) and not _JOINED.match(rest) and not _VERB.match(rest)
    if starts_plainly(plain) and first.casefold() not in STOPWORDS and (verbal or _OWNER.fullmatch(first)):
        return first
    verb = _VERB.search(plain)
    at_first = verb is not None and verb.start() == len(first) + 1
    after = len(first) if starts_plainly(plain) and not at_first else 0
    name = next((found for found in _NAMES.finditer(plain, after) if found[0].casefold() not in _NO_NAMES), None)
    if verb is not None and (name is None or verb.start() <= name.end() + _BEHIND):
        inside = name is not None and name.start() <= verb.start() < name.end()
        return plain[: name.end() if name is not None and inside else verb.start()]
    return plain if name is None else plain[: name.end()]


def _phrase(text: str) -> _Phrase:
    plain = text.strip()
    several = starts_plainly(plain) and " " in plain
    found = [match for match in _NAMES.finditer(plain) if not (several and match.start() == 0)]
    names = frozenset(frozenset(content_words(match[0])) for match in found if match[0].casefold() not in _NO_NAMES) - {
        frozenset()
    }
    return _Phrase(names, frozenset(content_words(plain)) - frozenset().union(*names))


def _mentions(phrase: _Phrase, *, text: str, fact: str) -> bool:
    return bool(phrase.names) and all(goes_by(name, text=text, fact=fact) for name in phrase.names)
