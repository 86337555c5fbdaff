"""Classes of tokens with digits, in the form of one language."""

from __future__ import annotations

import re

TOKEN = (
    r"[^\W\d]\w*"
    r"|\d(?:\d{3}-\d\d?-\d\d?(?![\d-])(?:[T ]\d\d?:\d\d(?::\d\d(?:[.,]\d{1,9})?)?"
    r"(?:Z\b|(?:\+|(?<=T\d\d:\d\d)-|(?<=:\d\d:\d\d)-|(?<=\.\d{3})-)(?:0\d|1[0-4]):?[0-5]\d(?![\d:]))?)?"
    r"|\d{3}-?[Ww]\d\d(?:-[1-7])?(?![\w-])"
    r"|\d?-\d{1,2}-(?:\d{4}|\d\d)(?![\d-])"
    r"|(?:\d\d)?\d(?=[QqHh][1-4]\b)"
    r"|\d*(?:,\d{3}(?!\d))*(?:[.:/]\d+)*[^\W\d_]*)"
    r"|['’‘`]\d\ds?(?!\w)"
    r"|[^\w\s]"
)
"""A token of any language. Every branch consumes what it looks at, so that scanning is linear in the length of the text."""

_NUMBER = re.compile(
    r"(?P<plain>\d+)"
    r"|(?P<ordinal>\d{1,3}(?:st|nd|rd|th))"
    r"|(?P<decade>(?:\d{3}0|['’‘`]?\d0)s)"
    r"|(?P<iso>\d{4}-\d\d?-\d\d?(?:[t ][\d:.,z+-]+)?)"
    r"|(?P<numeric>\d{1,2}(?P<separator>[./-])\d{1,2}(?P=separator)(?:\d{4}|\d\d)|\d{4}/\d{1,2}/\d{1,2}|(?:0?[1-9]|1[0-2])/\d{4})"
    r"|(?P<years>\d{4}/(?:\d{4}|\d\d))"
    r"|(?P<clock>\d{1,2}:\d\d(?::\d\d)?(?:am|pm)?|\d{1,2}(?:am|pm))"
    r"|(?P<short>['’‘`]\d\d)"
    r"|(?P<quarter>q[1-4]|[1-4]q)"
    r"|(?P<half>h[12]|[12]h)"
    r"|(?P<fiscal>[fc]y(?:\d{4}|\d\d))"
    r"|(?P<fiscal_part>(?:q[1-4]|[1-4]q|h[12]|[12]h)fy(?:\d{4}|\d\d))"
    r"|(?P<iso_week>\d{4}-?w\d\d(?:-[1-7])?)"
    r"|(?P<week>(?:cw|kw|wk)\d{1,2})"
    r"|(?P<distance>\d{1,3}(?:d|w|wk|wks|mo|y|yr|yrs))",
    re.ASCII,
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
    "fiscal_part": "φ",
    "iso_week": "ω",
    "week": "γ",
    "distance": "δ",
}


def number_class(word: str) -> str:
    """Return the class of a lower-case token with digits.

    `1` is 1 to 12, `2` 13 to 31, `3` other numbers of up to two digits, `5` of three, `4` 1000 to 2199, `6` any other;
    `o` ordinal, `s` decade, `I` ISO date, `N` numeric date, `Y` years with a slash, `t` clock time, `9` year without its
    century, `q` quarter, `h` half, `G` fiscal year, `φ` its quarter or half, `ω` ISO week, `γ` week, `δ` distance ("5d"),
    `x` anything else. Other languages have `ν` besides, a day and month in digits.
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
