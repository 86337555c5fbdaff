"""Years in words and short forms: "'94", "nineteen ninety-six"."""

from __future__ import annotations

from collections.abc import Sequence

from dateline.temporal.calendar_words import NUMBERS

_FIRST_OF_SHORT = 1950
"""Two digits stand for a year from 1950 to 2049."""


def full_year(word: str) -> int:
    """Return a year from four digits, or two with an optional apostrophe."""
    digits = word.strip("'’‘`")
    return int(digits) if len(digits) > 2 else _FIRST_OF_SHORT + (int(digits) - _FIRST_OF_SHORT) % 100


def spoken_year(words: Sequence[str]) -> int | None:
    """Return the year that number words speak, or `None`.

    Read are a century and the rest, or "two thousand ...".
    """
    values = [NUMBERS[word] for word in words]
    if values[:2] == [2, 1000]:
        return 2000 + _below_hundred(values[2:]) if _below_hundred(values[2:]) >= 0 else None
    if len(values) < 2 or not 10 <= values[0] <= 20:
        return None
    if values[1:] == [100]:
        return values[0] * 100
    rest = _below_hundred(values[1:])
    return values[0] * 100 + rest if rest >= 10 else None


def _below_hundred(values: Sequence[int]) -> int:
    """Return 0 to 99 from tens and units, -1 for other words."""
    match list(values):
        case []:
            return 0
        case [value] if value < 100:
            return value
        case [tens, units] if tens >= 20 and tens % 10 == 0 and tens < 100 and units < 10:
            return tens + units
        case _:
            return -1
