"""Cut text into tokens and give each the one-letter class that the grammar of time is written in."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from asof.temporal.calendar_words import CLASS_OF

# Every branch consumes what it looks at, so scanning is linear in the length of the text.
_TOKEN = re.compile(
    r"(?:[ap]\.m\b|b\.c\.e\b|b\.c\b|a\.d\b|c\.e\b)\.?"
    r"|[^\W\d_]+(?:\d\w*)?"
    r"|\d{4}-\d\d?-\d\d?(?![\d-])(?:[T ]\d\d?:\d\d(?::\d\d)?)?"
    r"|\d{1,2}-\d{1,2}-(?:\d{4}|\d\d)(?![\d-])"
    r"|\d+(?:,\d{3}(?!\d))*(?:[.:/]\d+)*[^\W\d_]*"
    r"|['’‘`]\d\ds?(?!\w)"
    r"|[^\w\s]|_+",
    re.I,
)
_MIXED_CASE_ONLY = frozenset(["may", "march", "mar", "sat", "sun", "ad", "ce"])
"""Lower-case, these are rarely of the calendar."""


class Tokens(NamedTuple):
    """The tokens of one text: their lower-case forms, offsets, and classes as one string."""

    words: list[str]
    starts: list[int]
    ends: list[int]
    classes: str


def tokenise(text: str) -> Tokens:
    """Cut `text` into tokens, in time linear in its length."""
    words: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    classes: list[str] = []
    class_of = CLASS_OF.get
    for match in _TOKEN.finditer(text):
        token = match.group()
        word = token.lower()
        letter = class_of(word)
        if letter is None:
            letter = number_class(word) if word[0].isdigit() or word[-1].isdigit() or len(word) < 5 else "x"
        elif token == word and word in _MIXED_CASE_ONLY:
            letter = "z" if letter in "mJ" else "x"
        words.append(word)
        starts.append(match.start())
        ends.append(match.end())
        classes.append(letter)
    return Tokens(words, starts, ends, "".join(classes))


_NUMBER = re.compile(
    r"(?P<plain>\d+)"
    r"|(?P<ordinal>\d{1,3}(?:st|nd|rd|th))"
    r"|(?P<decade>(?:\d{3}0|['’‘`]?\d0)s)"
    r"|(?P<iso>\d{4}-\d\d?-\d\d?(?:[t ][\d:]+)?)"
    r"|(?P<numeric>\d{1,2}([./-])\d{1,2}\6(?:\d{4}|\d\d)|\d{4}/\d{1,2}/\d{1,2})"
    r"|(?P<years>\d{4}/(?:\d{4}|\d\d))"
    r"|(?P<clock>\d{1,2}:\d\d(?::\d\d)?(?:am|pm)?|\d{1,2}(?:am|pm))"
    r"|(?P<short>['’‘`]\d\d)"
    r"|(?P<quarter>q[1-4]|[1-4]q)"
    r"|(?P<half>h[12])"
    r"|(?P<fiscal>fy(?:\d{4}|\d\d))"
)
_LETTERS = {
    "ordinal": "o",
    "decade": "s",
    "iso": "I",
    "numeric": "N",
    "years": "Y",
    "clock": "t",
    "short": "9",
    "quarter": "q",
    "half": "h",
    "fiscal": "G",
}


@lru_cache(maxsize=8192)
def number_class(word: str) -> str:
    """The class of a lower-case token with digits.

    `1` is 1 to 12, `2` 13 to 31, `3` other numbers of up to two digits, `5` of three, `4` 1000 to 2199, `6` any other;
    `o` ordinal, `s` decade, `I` ISO date, `N` numeric date, `Y` years with a slash, `t` clock time, `9` year without its
    century, `q` quarter, `h` half, `G` fiscal year, `x` anything else.
    """
    match = _NUMBER.fullmatch(word)
    if match is None:
        return "6" if word[0].isdigit() and word[-1].isdigit() else "x"
    kind = match.lastgroup
    if kind != "plain":
        return _LETTERS[kind or ""]
    if len(word) == 4:
        return "4" if "1000" <= word < "2200" else "6"
    if len(word) == 3:
        return "5"
    if len(word) > 4:
        return "L" if len(word) == 8 and "1000" <= word[:4] < "2200" else "6"
    value = int(word)
    return "1" if 1 <= value <= 12 else "2" if 13 <= value <= 31 else "3"
