"""Detection of "first" and "last" in questions."""

from __future__ import annotations

import re

from dateline.temporal.constraint import Ordinal

_ORDINAL = re.compile(
    r"(?<![\w-])(?:(?P<first>first|earliest|1st|initial(?:ly)?)"
    r"|(?P<last>last|latest|most recent(?:ly)?|newest|current(?:ly)?|final|now(?! known| called| named| part)|at present|presently|nowadays|these days|to date|so far))(?![\w-])",
    re.I,
)
_NOT_ORDINAL = re.compile(
    r"last(?=\s*(?:\?|$)|\s+(?:for|until|longer)\b)|(?:first|last)\s+(?:name|names|lady|ladies|gentleman|person singular|aid|class|base|half|quarter|week|month|year|"
    r"night|monday|tuesday|wednesday|thursday|friday|saturday|sunday|world war|minister|amendment|language|degree|step|steps|"
    r"resort|straw|supper|two|three|four|five|six|seven|eight|nine|ten|few|couple|\d+|division|baron|earl|duke|viscount|"
    r"republic|generation|nations?|floor|grade|responder|avenue|street)s?\b",
    re.I,
)


def find_ordinal(text: str) -> Ordinal | None:
    """Return the ordinal a question asks for, by its first such word."""
    for match in _ORDINAL.finditer(text):
        if _NOT_ORDINAL.match(text, match.start()) is None:
            return "first" if match.lastgroup == "first" else "last"
    return None
