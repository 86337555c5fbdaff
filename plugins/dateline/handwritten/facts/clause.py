"""Split a sentence at what it says of whom: subject, attribute's words, value.

English constructions with a place for any noun or verb: which attribute they name is told by whoever knows attributes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from dateline.handwritten.facts.wording import AFTERTHOUGHT, HEADING, undated
from dateline.language.assertion import asserted_part
from dateline.language.names import CAPITAL, PARTICLES, SMALL, LetterMatch, LetterPattern
from dateline.language.pronouns import PRONOUNS
from dateline.text.words import words

_WORD = rf"{CAPITAL}[\w.&-]*(?:['’](?!s\b)[\w.-]+)*"
NAME = rf"(?!(?:The|Our|An?|This|These|That|It)\b){_WORD}(?: (?:(?:{PARTICLES}|of|of the) )?{_WORD}){{0,4}}"
_LOWER = rf"(?:{SMALL}[\w-]*|{CAPITAL}{{2,5}}\b)"
_NOUN = rf"(?!(?:in|at|on|by|of|from|to|with)\b){_LOWER}(?: (?!is\b|are\b|of\b|at\b|in\b|for\b){_LOWER}){{0,2}}"
_THING = rf"(?:(?:[Tt]he|[Oo]ur|[Aa]n?) )?(?:{NAME}|(?!is\b|are\b)[\w-]+)(?: (?!is\b|are\b|include)[\w.&'’-]+){{0,5}}?"
"""A subject that is a name, or a noun with what tells which: "a nurse at Tolvex", "the Team plan"."""
_IS = r"(?:is|are|has become|have become|became)"
_NOT = r"(?P<not> (?:no longer|not|never))?"
_LATELY = r"(?: (?:now|currently|still|again))?"
_INCLUDES, _ONE_OF = r"(?P<among>includes?)", r"(?P<among>an?|one of the|one)"
_ARTICLE = re.compile(r"^(?:an?|the|our|one|some) ", re.IGNORECASE)
_APPOSED = LetterPattern(rf"^the (?:city|town|village|firm|company|state) of (?={CAPITAL})")
_PROPER = LetterPattern(rf"^{NAME}(?:(?:, {NAME})* and {NAME})?(?![\w'’])")
_OPEN_END = re.compile(r"^(?:to|that|not|very|too|being|so|as|about to)\b")

_NAMED: tuple[LetterPattern, ...] = (
    LetterPattern(rf"^(?P<s>{NAME}|[Tt]he [\w -]{{2,40}}?)['’]s? (?P<n>{_NOUN}) {_IS}{_LATELY}{_NOT} (?P<v>.+)$"),
    LetterPattern(rf"^(?P<s>{NAME})['’]s? (?P<n>{_NOUN}){_NOT} {_INCLUDES} (?P<v>.+)$"),
    LetterPattern(
        rf"^[Tt]he (?P<n>{_NOUN}) (?:of|for|at) (?P<s>{_THING}) (?:{_IS}{_LATELY}{_NOT}|{_INCLUDES}) (?P<v>.+)$"
    ),
    LetterPattern(
        rf"^(?P<v>{NAME}|{_LOWER}) {_IS}{_LATELY}{_NOT} (?:{_ONE_OF} |the )?(?:new )?(?P<n>{_NOUN}) of (?P<s>{_THING})$"
    ),
    LetterPattern(rf"^(?P<v>{NAME}) {_IS}{_LATELY}{_NOT} (?P<s>{NAME})['’]s? (?:new )?(?P<n>{_NOUN})$"),
)
_BOTH = LetterPattern(rf"^(?P<s>{NAME}) and (?P<v>{NAME}) {_IS}{_LATELY}{_NOT} (?P<n>{_NOUN})$")


class NamedValue(NamedTuple):
    """Value of an attribute that a sentence names by a noun.

    Attributes:
        among: whether it is told as one of several: "a director of Tolvex".
    """

    subject: str
    noun: str
    value: str
    ended: bool = False
    among: bool = False


def asserted_clause(sentence: str) -> str:
    """Return what a sentence asserts, without dates, fillers and a headline before it."""
    asserted = asserted_part(sentence)
    return HEADING.sub("", undated(asserted))


def named_values(clause: str) -> Iterator[NamedValue]:
    """Yield what a clause with a noun for an attribute says, each reading once."""
    for pattern in _NAMED:
        found = pattern.match(clause)
        if found is not None:
            yield _named(found)
    both = _BOTH.match(clause)
    if both is not None:
        there = _named(both)
        yield there
        yield there._replace(subject=there.value, value=there.subject)


def _named(found: LetterMatch) -> NamedValue:
    return NamedValue(whose(found["s"]), found["n"], value_of(found["v"]), found.has("not"), found.has("among"))


def is_told(name: str) -> bool:
    """Check that a name says who or what is meant, by itself."""
    found = words(name)
    return bool(found) and found[0] not in _PRONOUNS


def whose(text: str) -> str:
    """Return a subject without its article."""
    return _ARTICLE.sub("", text.strip(" ,;:"), count=1)


def value_of(text: str) -> str:
    """Return the value that a text begins with: a name, or all up to an afterthought; empty for a clause."""
    text = _APPOSED.sub("", text.strip())
    proper = _PROPER.match(text)
    if proper is not None:
        return proper.group().rstrip(".")
    end = AFTERTHOUGHT.search(text)
    cut = (text[: end.start()] if end else text).strip(" .,;:")
    return "" if _OPEN_END.match(cut) or len(cut.split()) > _LONGEST_VALUE else _ARTICLE.sub("", cut, count=1)


_PRONOUNS = PRONOUNS | {"here", "there", "one", "the"}
_LONGEST_VALUE = 8
"""Words of a value that is no name; more tell a story."""
