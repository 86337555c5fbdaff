"""Tokenisation of text into the classes of the time grammar."""

from __future__ import annotations

import re

from dateline.temporal.calendar_words import CLASS_OF, SPELLINGS

# Every branch consumes what it looks at, so scanning is linear in the length of the text.
_TOKEN = re.compile(
    r"[ABCEPabcep]\.(?:[dDmM]\b|[cC]\.[eE]\b|[cCeE]\b)\.?"
    r"|[Ww]/[CcEe]\b"
    r"|[^\W\d]\w*"
    r"|\d(?:\d{3}-\d\d?-\d\d?(?![\d-])(?:[T ]\d\d?:\d\d(?::\d\d)?)?"
    r"|\d{3}-?[Ww]\d\d(?:-[1-7])?(?![\w-])"
    r"|\d?-\d{1,2}-(?:\d{4}|\d\d)(?![\d-])"
    r"|(?:\d\d)?\d(?=[QqHh][1-4]\b)"
    r"|\d*(?:,\d{3}(?!\d))*(?:[.:/]\d+)*[^\W\d_]*)"
    r"|['’‘`]\d\ds?(?!\w)"
    r"|[^\w\s]"
)
_RARE_IN_LOWER_CASE = frozenset(["may", "march", "mar", "sat", "sun", "ad", "ce"])
"""Lower-case, these are rarely of the calendar."""


class Tokens:
    """The tokens of one text.

    Their classes are one string; words and offsets are made on demand.
    """

    __slots__ = ("_spans", "_text", "classes", "originals")

    def __init__(self, text: str) -> None:
        self._text = text
        self._spans: list[tuple[int, int]] | None = None
        self.originals: list[str] = _TOKEN.findall(text)
        self.classes = "".join([_CLASSES[token] for token in self.originals])

    def __len__(self) -> int:
        return len(self.originals)

    @property
    def spans(self) -> list[tuple[int, int]]:
        """Start and end of each token in the text."""
        if self._spans is None:
            self._spans = [match.span() for match in _TOKEN.finditer(self._text)]
        return self._spans

    def word(self, index: int) -> str:
        """Return the token in lower case and spelt out."""
        word = self.originals[index].lower()
        return SPELLINGS.get(word, word)

    def touch(self, index: int) -> bool:
        """Return whether nothing stands between token `index` and the one after it."""
        return 0 <= index < len(self.originals) - 1 and self.spans[index][1] == self.spans[index + 1][0]


class _Classes(dict[str, str]):
    """The class of each token seen so far, bounded in size."""

    _MOST, _LONGEST = 100_000, 24

    def __missing__(self, token: str) -> str:
        letter = class_of(token)
        if len(token) <= self._LONGEST and len(self) < self._MOST:
            self[token] = letter
        return letter


_CLASSES = _Classes()


def class_of(token: str) -> str:
    """Return a token's class letter.

    `calendar_words` lists them; numbers: see `number_class`.
    """
    word = token.lower()
    letter = CLASS_OF.get(word)
    if letter is None:
        return number_class(word) if any(character.isdigit() for character in word[:8]) else "x"
    if token == word and word in _RARE_IN_LOWER_CASE:
        return "z" if letter in "mJ" else "x"
    return letter


_NUMBER = re.compile(
    r"(?P<plain>\d+)"
    r"|(?P<ordinal>\d{1,3}(?:st|nd|rd|th))"
    r"|(?P<decade>(?:\d{3}0|['’‘`]?\d0)s)"
    r"|(?P<iso>\d{4}-\d\d?-\d\d?(?:[t ][\d:]+)?)"
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
    `x` anything else.
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
