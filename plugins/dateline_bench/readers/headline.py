"""Headlines spelled out by web addresses."""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit

FEWEST_WORDS = 2
"""A part of an address with fewer words is a section ("world-news"), not a headline."""

_WORD = re.compile(r"[^\W\d_]{2,}")
_PIECE = re.compile(r"[^\W_]+")
_SUFFIX = re.compile(r"\.[a-z]{2,5}$", re.IGNORECASE)


def headline_of(url: str) -> str:
    """Return the wordiest part of an address's path, in words.

    Letter case is as in the address, which is mostly lower. Never raises, whatever the text.
    """
    try:
        path = unquote(urlsplit(url).path)
    except ValueError:  # such as "http://["
        return ""
    parts = [_SUFFIX.sub("", part) for part in path.split("/")]
    best = max(parts, key=_wordy)
    return " ".join(_PIECE.findall(best)) if _wordy(best) >= FEWEST_WORDS else ""


def _wordy(part: str) -> int:
    return len(_WORD.findall(part))
