"""Read the offices that sentences name."""

from __future__ import annotations

import re
from typing import NamedTuple

from dateline.text.words import stem, words

_KINDS = [
    "vice",
    "deputy",
    "assistant",
    "associate",
    "prime",
    "chief",
    "executive",
    "foreign",
    "general",
    "head",
    "finance",
    "defence",
    "defense",
    "home",
    "first",
    "interim",
    "acting",
    "managing",
    "sporting",
    "technical",
    "artistic",
    "secretary",
    "state",
    "federal",
    "interior",
    "justice",
    "health",
]
_KIND = rf"(?:(?:{'|'.join(_KINDS)})[ -]){{0,3}}"
_NOUN = (
    r"(?:president|minister|chancellor|ceo|cfo|cto|coo|chief executive officer|chief executive|chairman|chairwoman"
    r"|chairperson|chair|governor|mayor|king|queen|emperor|monarch|pope|coach|captain|director[- ]general|director"
    r"|secretary[- ]general|secretary of state|secretary|capital|currency|headquarters|head of government|head of state|head|leader|commissioner"
    r"|speaker|premier|principal|rector|dean|editor|manager|taoiseach|owner|archbishop|patriarch)"
)
_NAME_WORD = r"[A-ZÀ-Þ][\w'’.&-]*"
_NAME = rf"{_NAME_WORD}(?: (?:(?:of|the|and|for|de|du|da|la|von|van|del|di|al) ){{0,2}}{_NAME_WORD}){{0,6}}"
_UNITS = (
    r"(?:branch|business|committee|department|desk|division|factory|function|group|laboratory|lab|office|organisation"
    r"|organization|plant|platform|practice|product|project|programme|program|service|site|squad|store|team|unit)"
)
_VAGUE = r"(?:first|new|own|same|whole|entire|other|local|national|senior|junior|men['’]s|women['’]s|home|visiting)"
_UNIT = rf"(?:{_NAME} )?(?:(?!{_VAGUE}\b)[a-z][\w&'’-]* ){{0,3}}{_UNITS}"
"""A part of something larger, named by what it does or where it is: "the billing team", "the Leeds office"."""
_TITLE = rf"(?P<title>(?i:{_KIND}{_NOUN}))\b"
_BEFORE = r"(?:(?i:the|its|their|his|her|a new|new|newly elected|next|current|\d{1,3}(?:st|nd|rd|th)) ){0,4}"
_OF = re.compile(rf"{_BEFORE}{_TITLE} (?:of|at|for) (?:the )?(?P<whose>{_NAME})")
_OF_UNIT = re.compile(rf"{_BEFORE}{_TITLE} (?:of|at|for) (?:the |our )?(?P<whose>{_UNIT})(?! [a-z])")
_OWN_UNIT = re.compile(rf"(?:(?i:the|our) )?(?P<whose>{_UNIT})(?! [a-z])")
_OWNED = re.compile(rf"{_BEFORE}(?P<whose>{_NAME}?(?:['’]s?)?) {_BEFORE}{_TITLE}")
_COUNTRIES = {
    "american": "united states",
    "america": "united states",
    "us": "united states",
    "usa": "united states",
    "u s": "united states",
    "british": "united kingdom",
    "britain": "united kingdom",
    "uk": "united kingdom",
    "argentine": "argentina",
    "australian": "australia",
    "austrian": "austria",
    "belgian": "belgium",
    "brazilian": "brazil",
    "canadian": "canada",
    "chilean": "chile",
    "chinese": "china",
    "danish": "denmark",
    "dutch": "netherlands",
    "egyptian": "egypt",
    "finnish": "finland",
    "french": "france",
    "german": "germany",
    "greek": "greece",
    "hungarian": "hungary",
    "indian": "india",
    "iranian": "iran",
    "irish": "ireland",
    "israeli": "israel",
    "italian": "italy",
    "japanese": "japan",
    "kenyan": "kenya",
    "mexican": "mexico",
    "nigerian": "nigeria",
    "norwegian": "norway",
    "polish": "poland",
    "portuguese": "portugal",
    "russian": "russia",
    "scottish": "scotland",
    "south african": "south africa",
    "south korean": "south korea",
    "spanish": "spain",
    "swedish": "sweden",
    "swiss": "switzerland",
    "turkish": "turkey",
    "ukrainian": "ukraine",
    "welsh": "wales",
}
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


def _unit(text: str, start: int) -> re.Match[str] | None:
    """The office in a unit that says which: "the team" alone could be any."""
    match = _OF_UNIT.match(text, start)
    return match if match is not None and " " in match["whose"] else None


def _place(name: str) -> str:
    folded = " ".join(word for word in words(re.sub(r"['’]s?$", "", name)) if word not in ("the", "of"))
    named = _COUNTRIES.get(folded, folded)
    return " ".join(sorted(stem(word) for word in named.split()))
