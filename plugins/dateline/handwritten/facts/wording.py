"""Words of a sentence that belong to no value: dates, fillers, afterthoughts, headlines."""

from __future__ import annotations

import re

from dateline.language.calendar import MONTHS, NO_VERB
from dateline.language.names import CAPITAL, LetterPattern
from dateline.language.quantities import CURRENCY

_MONTH = rf"(?:{'|'.join(MONTHS)})\b\.?"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_YEAR = r"(?:19|20)\d\d(?![\d.,]*\d)"
_FULL_DATE = rf"(?:{_DAY} {NO_VERB}{_MONTH}(?:,? \d{{4}})?|{_MONTH} {_DAY}(?:,? \d{{4}})?|{_MONTH} \d{{4}}|\d{{4}}-\d\d(?:-\d\d)?)"
_SINCE, _PART = r"(?:as of|since|on|in|from|by|during|early in|late in) ", r"(?:early |mid-?|late )"
_NO_YEAR = "".join(rf"(?<!\b{word} )" for word in ("is", "are", "was", "were", "has", "have", "room", "number"))
_DATE = LetterPattern(
    rf"\(?\b(?i:(?:{_SINCE})?{_PART}?{_FULL_DATE}|(?:{_SINCE}{_PART}?|{_PART}){_YEAR}"
    rf"|(?<!{CURRENCY}){_NO_YEAR}{_YEAR}(?! (?!{CAPITAL})\w+s\b))(?!\w)\)?,?"
)
"""A date; a year alone is none where it is a value ("is 1950"), or so many of something ("1950 euros")."""

_LATELY = (
    r"(?:now|currently|still|today|tonight|yesterday|newly|officially|formally|also|at present|this morning|this afternoon"
    r"|this evening|this week|this month|this year|last night)"
)
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_FILLER = LetterPattern(
    rf"(?:\b{_LATELY}|(?:^|(?<=[.:;!?\"“(] )|(?<=[\"“(]))(?i:{_LATELY}|(?:on )?{_WEEKDAY})|\b(?i:on {_WEEKDAY})"
    rf"|\b(?i:{_WEEKDAY})(?! {CAPITAL}))\b,?"
)
"""A word of time that is no part of a name: small, a sentence's first, or a weekday before no other capital."""

AFTERTHOUGHT = re.compile(
    r"\s*(?:[,;:(—–](?=\s|$|\()|\b(?:after|following|when|where|who|which|that|while|because|as he|as she|succeeding"
    r"|replacing|despite|amid|with effect|since|until)\b)",
    re.IGNORECASE,
)
HEADING = LetterPattern(rf"^[^:]{{12,200}}: (?={CAPITAL}\S* {CAPITAL})")
"""A headline before a sentence that opens with a name."""


def unfilled(text: str) -> str:
    """Return a sentence in one line, without fillers and its end mark."""
    return " ".join(_FILLER.sub(" ", " ".join(text.split())).split()).rstrip(" .!")


def undated(text: str) -> str:
    """Return the same without dates."""
    return " ".join(_DATE.sub(" ", unfilled(text)).split())
