"""Read the offices that sentences name."""

from __future__ import annotations

import re
from typing import NamedTuple

from dateline.language.countries import CANONICAL
from dateline.language.names import DOTTED, PARTICLES, SMALL, LetterMatch, LetterPattern
from dateline.language.offices import office_words
from dateline.language.organisations import UNITS
from dateline.language.word_lists import word_set
from dateline.text.words import stem, words

_KINDS = sorted(
    office_words("deputy")
    | word_set(
        "prime first acting interim foreign general head finance defence defense home managing sporting technical"
    )
    | word_set("artistic secretary state federal interior justice health")
)
_KIND = rf"(?:(?:{'|'.join(_KINDS)})[ -]){{0,3}}"
_PHRASES = (
    *(
        "chief executive officer",
        "chief executive",
        "director[- ]general",
        "secretary[- ]general",
        "secretary of state",
    ),
    *("head of government", "head of state", "capital", "currency", "headquarters"),
)
"""What one holder or one value at a time fills, beside the offices of one word."""
_NOUN = rf"(?:{'|'.join((*_PHRASES, *sorted(office_words('office'), key=len, reverse=True)))})"
_NAME = rf"{DOTTED}(?: (?:(?:(?:{PARTICLES}|of|the|and|for) ){{0,2}}{DOTTED}|\d+\b)){{0,6}}"
"""A number tells one of several apart: \"Sector 5\"."""
_UNITS = rf"(?:{'|'.join(sorted(UNITS))})"
_VAGUE = r"(?:first|new|own|same|whole|entire|other|local|national|senior|junior|men['’]s|women['’]s|home|visiting)"
_UNIT = rf"(?:{_NAME} )?(?:(?!{_VAGUE}\b){SMALL}[\w&'’-]* ){{0,3}}{_UNITS}"
"""A part of something larger, named by what it does or where it is: "the billing team", "the Leeds office"."""
_TITLE = rf"(?P<title>(?i:{_KIND}{_NOUN}))\b"
_BEFORE = r"(?:(?i:the|its|their|his|her|a new|new|newly elected|next|current|\d{1,3}(?:st|nd|rd|th)) ){0,4}"
_OF = LetterPattern(rf"{_BEFORE}{_TITLE} (?:of|at|for) (?:the )?(?P<whose>{_NAME})")
_OF_UNIT = LetterPattern(rf"{_BEFORE}{_TITLE} (?:of|at|for) (?:the |our )?(?P<whose>{_UNIT})(?! {SMALL})")
_OWN_UNIT = LetterPattern(rf"(?:(?i:the|our) )?(?P<whose>{_UNIT})(?! {SMALL})")
_OWNED = LetterPattern(rf"{_BEFORE}(?P<whose>{_NAME}?(?:['’]s?)?) {_BEFORE}{_TITLE}")
_COUNTRIES = {" ".join(words(other)): " ".join(words(name)) for other, name in CANONICAL.items()}
"""Adjectives and short forms of the commonest countries, so that two ways of naming one office meet."""

_TITLES = {"ceo": "chief executive", "chief executive officer": "chief executive", "chairwoman": "chairman"}


class Role(NamedTuple):
    """An office and where its name ended in the text."""

    key: str
    end: int


def read_role(text: str, start: int = 0) -> Role | None:
    """The office named at `start` of a text, or `None` where none stands, or none that says whose."""
    match = _unit(text, start) or _OF.match(text, start) or _OWNED.match(text, start)
    if match is None or match["whose"].split()[-1].casefold() in _KINDS:
        return None
    title = " ".join(words(match["title"]))
    return Role(f"{_TITLES.get(title, title)} of {_place(match['whose'])}", match.end())


def read_unit(text: str) -> str:
    """The unit that a text begins with, without its article; empty where none stands, or it does not say which."""
    match = _OWN_UNIT.match(text)
    return match["whose"] if match is not None and " " in match["whose"] else ""


def _unit(text: str, start: int) -> LetterMatch | None:
    """The office in a unit that says which: "the team" alone could be any."""
    match = _OF_UNIT.match(text, start)
    return match if match is not None and " " in match["whose"] else None


def _place(name: str) -> str:
    folded = " ".join(word for word in words(re.sub(r"['’]s?$", "", name)) if word not in ("the", "of"))
    named = _COUNTRIES.get(folded, folded)
    return " ".join(sorted(stem(word) for word in named.split()))
