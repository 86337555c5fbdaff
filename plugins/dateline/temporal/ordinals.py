"""Detection of "first" and "last" in questions."""

from __future__ import annotations

import re

from dateline.temporal.constraint import Constraint, Ordinal
from dateline.temporal.interval import DAY
from dateline.temporal.tense import in_present

_ORDINAL = re.compile(
    r"(?<![\w-])(?:(?P<first>first|earliest|1st|initial(?:ly)?)"
    r"|(?P<last>last|latest|most recent(?:ly)?|newest|current(?:ly)?|final|now(?! known| called| named| part)|at present|presently|nowadays|these days|to date|so far))(?![\w-])",
    re.I,
)
_NOT_ORDINAL = re.compile(
    r"last(?=\s*(?:\?|$)|\s+(?:for|until|longer)\b)|(?:first|last)\s+(?:name|names|lady|ladies|gentleman|person singular|aid|class|base|half|quarter|week|month|year|"
    r"night|monday|tuesday|wednesday|thursday|friday|saturday|sunday|world war|minister|amendment|language|degree|step|steps|"
    r"resort|straw|supper|two|three|four|five|six|seven|eight|nine|ten|few|couple|\d+|division|"
    r"republic|generation|nations?|floor|grade|responder|avenue|street)s?\b",
    re.I,
)
_DID = re.compile(r"[^,?]{0,80}?\s(?:to|that|who)\s|\s?[?,]", re.I)
"""Behind "first": the first who did something ("the first woman to win", "who died first")."""
_DETERMINED = re.compile(r"\b(?:the|an?|his|her|its|their|\w+['’]s)\s+$", re.I)
_WORD = re.compile(r"\w+|['’]")
_LONGEST_DETERMINER = 40


def find_ordinal(text: str, *, constraint: Constraint | None) -> Ordinal | None:
    """Return the ordinal a question asks for, by its first such word.

    A question in the present or at one time does not ask for the earliest: who "plays first violin", or "was first officer
    in 2013", holds a place of that name. But "the first after 2010" does, and "the first to".
    """
    moment = constraint is not None and is_one_time(constraint)
    present: bool | None = None
    for match in _ORDINAL.finditer(text):
        if _NOT_ORDINAL.match(text, match.start()) is not None or in_name(text, match):
            continue
        if match.lastgroup == "last":
            return "last"
        if _DID.match(text, match.end()) or match[0].lower() == "earliest":
            return "first"
        if moment:
            continue
        before = max(0, match.start() - _LONGEST_DETERMINER)
        if constraint is not None and _DETERMINED.search(text, before, match.start()):
            return "first"
        if present is None:
            present = in_present(_WORD.findall(text))
        if not present:
            return "first"
    return None


def is_one_time(constraint: Constraint) -> bool:
    """Return whether it is at or as of one short time."""
    start, end = constraint.interval.start, constraint.interval.end
    short = start is not None and end is not None and end - start <= 366 * DAY
    return constraint.relation in ("at", "as_of") and short


def in_name(text: str, match: re.Match[str]) -> bool:
    """Return whether a word belongs to a name: "1st Earl of"."""
    behind = text[match.end() : match.end() + 2].strip()[:1]
    return match.start() > 0 and behind.isupper() and (match[0][0].isupper() or match[0][0] == "1")
