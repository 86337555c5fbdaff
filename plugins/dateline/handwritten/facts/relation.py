"""Read relations of people that sentences state outright.

Some hold one value at a time (a boss, a salary, a spouse): each is a slot of its own, whatever words it is stated in. Others
hold many (coworkers, children): there a slot is one pair of names, and its value whether the tie holds or has ended.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from dateline.language.names import CAPITAL, PARTICLES, LetterMatch, LetterPattern
from dateline.text.words import stem, words

HOLDS, ENDED = ("holds",), ("ended",)

Slot = tuple[str, tuple[str, ...]]

_WORD = rf"{CAPITAL}[\w.-]*(?:['’](?!s\b)[\w.-]+)*"
_X = rf"(?P<x>{_WORD}(?: {_WORD}){{0,3}})"
_Y = rf"(?P<y>{_WORD}(?: (?:(?:{PARTICLES}|of|the) )?{_WORD}){{0,4}})"
_V = r"(?P<v>[^,;.:]{1,60}?(?:[.,:]\d[^,;:.]{0,30}?)*)"
_END = r"(?= (?:after|since|now|from|until|at|where|which|who)\b|[,;.!]|\Z)"
_IS = r"(?:is|are|was|were)"

_ONE = {
    "boss": "boss",
    "manager": "boss",
    "job": "job",
    "job title": "job",
    "salary": "salary",
    "wage": "salary",
    "industry": "industry",
    "work location": "work location",
    "working hours": "hours",
    "work hours": "hours",
    "workplace": "workplace",
    "spouse": "spouse",
    "husband": "spouse",
    "wife": "spouse",
    "partner": "spouse",
    "employer": "employer",
    "address": "address",
    "phone number": "phone number",
}
"""Nouns of which a person has one at a time, and the slot that each fills."""

_MANY = {
    "coworker": True,
    "colleague": True,
    "sibling": True,
    "friend": True,
    "neighbour": True,
    "parent": False,
    "child": False,
    "parent-in-law": False,
    "child-in-law": False,
    "step-parent": False,
    "step-child": False,
    "member": False,
}
"""Nouns of which there are several, and whether the tie is the same from both ends."""

_PLURALS = {"children": "child", "step-children": "step-child", "children-in-law": "child-in-law"}

_NOUN = "|".join(sorted(map(re.escape, _ONE), key=len, reverse=True))
_KIN = "|".join(sorted((*map(re.escape, _MANY), "parents-in-law", *map(re.escape, _PLURALS)), key=len, reverse=True))
_NOT = r"(?P<not> (?:no longer|not|never))?"

_STATED: tuple[tuple[str, str], ...] = (
    (rf"{_X}['’]s? (?P<noun>{_NOUN}) (?:is|are|has become|became) (?:now )?(?:an? |the )?{_V}{_END}", ""),
    (rf"[Tt]he (?:new )?(?P<noun>{_NOUN}) of {_X} (?:is|are) (?:now )?(?:an? |the )?{_V}{_END}", ""),
    (rf"{_X} earns? (?:a salary of )?(?P<v>[$€£]\d[\d,.]*\w*)", "salary"),
    (rf"{_X} (?:works?|is employed) (?P<v>(?:full|part)[- ]time)", "extent"),
    (rf"{_X} works? from (?P<v>\d[\d:.]*(?: ?[ap]m)? to \d[\d:.]*)", "hours"),
    (rf"{_X} works? in the (?P<v>\w+(?: \w+)?) (?:industry|sector)", "industry"),
    (rf"{_X} works? in (?:the city of )?(?P<v>{_WORD}(?: {_WORD}){{0,2}})", "work location"),
    (rf"{_X} works? out of (?:an? |the )?{_V}{_END}", "workplace"),
    (rf"{_X} (?:changed jobs and )?(?:now )?works? as (?:an? |the )?{_V}{_END}", "job"),
    (rf"{_X} (?:started|starts|has started) (?:work|a new job) as (?:an? |the )?{_V}{_END}", "job"),
)
"""Sentences that give one value: the noun they name, or the slot beside them."""

_TIES: tuple[str, ...] = (
    rf"{_Y} {_IS}{_NOT} (?:an? |one of the )?(?P<kin>{_KIN})s? of {_X}",
    rf"{_X}['’]s? (?P<kin>{_KIN})s? (?:no longer )?include {_Y}",
    rf"{_X} and {_Y} are{_NOT} (?P<kin>{_KIN})s?",
    rf"{_X} {_IS}{_NOT} (?P<kin>married) to {_Y}",
    rf"{_X} and {_Y} (?:got|are{_NOT}) (?P<kin>married)",
    rf"{_X} (?P<kin>married|marries) {_Y}",
)
"""Sentences that tie two names."""

_PATTERNS: tuple[tuple[LetterPattern, Callable[[LetterMatch], Slot | None]], ...] = (
    *((LetterPattern(rf"^{pattern}"), lambda match, slot=slot: _one(match, slot)) for pattern, slot in _STATED),
    *((LetterPattern(rf"^{pattern}"), lambda match: _tie(match)) for pattern in _TIES),
)


def read_relation(sentence: str) -> Slot | None:
    """(slot, value) of a sentence that begins by stating such a relation, or `None`."""
    for pattern, slot_of in _PATTERNS:
        match = pattern.match(sentence)
        if match is not None and (slot := slot_of(match)) is not None:
            return slot
    return None


def _one(match: LetterMatch, slot: str) -> Slot | None:
    noun = slot or _ONE[match["noun"].casefold()]
    value = _folded(match["v"])
    return (f"{noun}:{_key(match['x'])}", value) if value else None


def _tie(match: LetterMatch) -> Slot | None:
    kin, names = match["kin"].casefold(), (_key(match["x"]), _key(match["y"]))
    ended = match.has("not")
    if kin in ("married", "marries"):
        # A spouse is one value, unless the tie has ended: then only this one is denied.
        return (f"spouse:{names[0]}", names[1:]) if not ended else (f"spouse:{names[0]}", (*names[1:], *ENDED))
    kin = _PLURALS.get(kin, kin.replace("parents-", "parent-"))
    ordered = sorted(names) if _MANY[kin] else names
    return f"{kin}:{':'.join(ordered)}", ENDED if ended else HOLDS


def _folded(text: str) -> tuple[str, ...]:
    return tuple(stem(word) for word in words(text))


def _key(name: str) -> str:
    return " ".join(sorted(_folded(name)))
