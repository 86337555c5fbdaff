"""English words for numbers: cardinals, ordinals, scales, and the values of digits."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from types import MappingProxyType

UNITS: tuple[str, ...] = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
"""Zero to nineteen, in order."""

TENS: tuple[str, ...] = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
"""Twenty to ninety, in order."""

CARDINALS = MappingProxyType(
    {word: value for value, word in enumerate(UNITS)} | {word: 10 * value for value, word in enumerate(TENS, start=2)}
)
"""The value of each of these words."""

SCALES = MappingProxyType({"hundred": 10**2, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12})
"""Words that multiply the number before them."""

SUFFIXES = MappingProxyType(
    dict.fromkeys(("k", "K"), 10**3)
    | dict.fromkeys(("m", "M"), 10**6)
    | dict.fromkeys(("bn", "Bn", "BN", "B"), 10**9)
    | {"T": 10**12}
)
"""Letters behind digits that multiply them. Some mean other things, too: "400m" is a length, "6B" a class."""

MULTIPLES = MappingProxyType({"once": 1, "twice": 2, "thrice": 3})
"""How many times."""

DOZEN = 12

_ORDINAL_UNITS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh"),
    *("twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth"),
)
ORDINALS = MappingProxyType(
    {word: value for value, word in enumerate(_ORDINAL_UNITS, start=1)}
    | {word.removesuffix("y") + "ieth": 10 * value for value, word in enumerate(TENS, start=2)}
)
"""First to nineteenth, and the round ones to ninetieth."""

MULTIPLIER = rf"(?:{'|'.join(SCALES)}|dozen)"
"""Pattern of a word that multiplies the number before it."""

NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?!\w)")
"""A number in digits that stands alone in a text: "4,312", "3.5"."""
_DIGITS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?")
_NTH = re.compile(r"(\d{1,15})(?:st|nd|rd|th)", re.I)


def suffix(*, money_only: Collection[str]) -> str:
    """Return the pattern of a letter that multiplies.

    Args:
        money_only: letters that do so only where a group `currency` matched before.
    """
    everywhere = (letter for letter in SUFFIXES if letter not in money_only)
    return rf"(?-i:(?(currency)(?:{'|'.join(SUFFIXES)})|(?:{'|'.join(everywhere)})))"


def digits_value(text: str) -> float | None:
    """Read digits ("4,312", "3,5"), or return `None`."""
    if _DIGITS.fullmatch(text) is None:
        return None
    return float(text.replace(",", "") if re.search(r",\d{3}(?:,|\.|$)", text) else text.replace(",", "."))


def ordinal_value(word: str) -> int | None:
    """Return the number of "third", "twenty-first", "21st", or `None`."""
    found = _NTH.fullmatch(word)
    if found is not None:
        return int(found[1])
    tens, _, unit = word.lower().rpartition("-")
    value = ORDINALS.get(unit)
    return value if not tens or value is None else CARDINALS[tens] + value if tens in TENS and value < 10 else None


def words_value(words: Sequence[str]) -> int | None:
    """Read number words in small letters, or return `None`.

    Example:
        >>> words_value(["two", "hundred", "and", "five"]), words_value(["a", "million"]), words_value(["a"])
        (205, 1000000, None)
    """
    if not words or "and" in (words[0], words[-1]) or list(words) == ["a"]:
        return None
    total, current = 0, 0
    for place, word in enumerate(words[1:] if words[0] in ("a", "an") else words):
        if word in SCALES:
            first = current or (1 if not place else 0)
            total, current = (total, first * 100) if word == "hundred" else (total + first * SCALES[word], 0)
            if not first:
                return None
        elif word in CARDINALS and _may_follow(CARDINALS[word], current):
            current += CARDINALS[word]
        elif word != "and":
            return None
    return total + current


def _may_follow(value: int, current: int) -> bool:
    """Return whether a cardinal may follow: "twenty five", not "five twenty"."""
    return current % 100 == 0 or (value < 10 <= current % 100 and current % 10 == 0 and current % 100 >= 20)
