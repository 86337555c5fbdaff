"""Numbers with their nouns."""

from __future__ import annotations

import re

_IES, _ES = re.compile(r"(?<![aeiou])y$"), re.compile(r"(?:s|x|ch|sh)$")


def counted(number: int, noun: str) -> str:
    """Count a regular noun: "1 model call", "2 tries".

    Example:
        >>> counted(1, "search"), counted(2, "search"), counted(0, "reply"), counted(1200, "day")
        ('1 search', '2 searches', '0 replies', '1200 days')
    """
    if number == 1:
        return f"1 {noun}"
    plural = _IES.sub("ies", noun) if _IES.search(noun) else f"{noun}es" if _ES.search(noun) else f"{noun}s"
    return f"{number} {plural}"
