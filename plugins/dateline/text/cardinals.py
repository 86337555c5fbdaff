"""English words for whole numbers below a hundred."""

from __future__ import annotations

UNITS: tuple[str, ...] = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
"""Zero to nineteen, in order."""

TENS: tuple[str, ...] = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
"""Twenty to ninety, in order."""

CARDINALS: dict[str, int] = {word: value for value, word in enumerate(UNITS)} | {
    word: 10 * value for value, word in enumerate(TENS, start=2)
}
"""The value of each of these words."""
