"""The one of a few words that a reply states."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

_NAMES = "answer|label|verdict|choice|reply"
"""What models call the word that they were asked for."""


def stated(text: str, *, options: Sequence[str]) -> re.Match[str] | None:
    """Return the last place where a reply states an option.

    Group 1 is the option. An option is stated where it opens a line, follows "the answer is" and the like, or a colon at the
    end, with no word behind it: "A sentence" and "I have no idea" state nothing. Where different ones are stated, none is.
    Letter case counts for options of one letter only.

    Example:
        >>> [bool(stated(said, options=("A", "B"))) for said in ("**B**", "The answer is B.", "A guess", "A or B", "A\\nB")]
        [True, True, False, False, False]
    """
    found = list(_pattern(tuple(options)).finditer(text))
    return found[-1] if len({match[1].casefold() for match in found}) == 1 else None


@lru_cache(maxsize=32)
def _pattern(options: tuple[str, ...]) -> re.Pattern[str]:
    words = "|".join(re.escape(option) for option in sorted(options, key=len, reverse=True))
    words = words if max(map(len, options)) == 1 else f"(?i:{words})"
    return re.compile(
        rf"(?:^|[:：][ \t]{{0,4}}(?=[*_]{{0,3}}(?:{words})[*_]{{0,3}}[.!]?\s*\Z)|(?i:\b(?:{_NAMES})\b)[\"'*_ \t]{{0,4}}(?:\bis\b|[:：=])[ \t]{{0,4}}:?)[^\w\n<{{]{{0,8}}"
        rf"({words})(?![\"']\s{{0,4}}:)(?![,/|\t ]{{1,4}}(?:(?:or|and) )?(?:{words})\b)(?=[\"'*_)\]}} \t]{{0,8}}(?:[.,:;!\-–—]|$))",
        re.M,
    )
