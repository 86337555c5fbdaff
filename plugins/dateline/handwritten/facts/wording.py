"""Words of a sentence that belong to no value: dates, fillers, afterthoughts, headlines."""

from __future__ import annotations

import re

from dateline.language.calendar import MONTHS
from dateline.language.names import CAPITAL, LetterPattern

_MONTH = rf"(?:{'|'.join(MONTHS)})\b\.?"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_DATE = re.compile(
    rf"\(?\b(?:(?:as of|since|on|in|from|by|early in|late in) )?(?:early |mid-?|late )?"
    rf"(?:{_DAY} {_MONTH}(?:,? \d{{4}})?|{_MONTH} {_DAY}(?:,? \d{{4}})?|{_MONTH} \d{{4}}"
    r"|\d{4}-\d\d(?:-\d\d)?|(?:19|20)\d\d(?![\d.,]*\d))(?!\w)\)?,?",
    re.IGNORECASE,
)
_FILLER = re.compile(
    r"\b(?:now|currently|still|today|tonight|yesterday|newly|officially|formally|also|at present|this morning|this afternoon"
    r"|this evening|this week|this month|this year|last night|(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b,?",
    re.IGNORECASE,
)
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
