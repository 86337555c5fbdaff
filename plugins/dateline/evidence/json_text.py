"""Readable text out of a JSON value of unknown shape."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

MAX_TEXT = 4_000
"""Characters of any one text; a search page's longest honest snippet is far below."""

MAX_LINES = 60
MAX_DEPTH = 5

_INVISIBLE = re.compile(
    r"link|url|image|thumbnail|icon|logo|serpapi|stick|token|lsig|kgmid|displayed|cached|redirect|about_(?:this|page)"
    r"|gps|pixel|position|html|sitelinks|favicon|carousel|header_im|_ids?$|^id$|^type$|^entity_type$|^lang$|^ludocid$"
    r"|people_also_search|see_results_about|^profiles$|_api$|^extracted_|detected_extensions|highlighted|^index$"
    r"|reference_indexes|^raw_|web_results"
)
"""Names of fields that hold addresses, pictures, identifiers or further searches rather than text to read."""

_UNREADABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\ud800-\udfff]")
_ADDRESS = re.compile(r"\s*(?:https?:)?//\S+\s*")
_NAMES = ("name", "title", "text", "question", "label", "day")


def text_of(value: object) -> str:
    """Return a scalar as clean text; empty for anything else."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    text = str(value)[: MAX_TEXT * 2]
    text = " ".join(_UNREADABLE.sub("", text).split())[:MAX_TEXT]
    return "" if _ADDRESS.fullmatch(text) else text


def lines_of(value: object, *, leave: frozenset[str] = frozenset()) -> list[str]:
    """List a value's contents, one fact a line.

    For instance "Founded: 10 September 1905"; `leave` names fields left out.
    """
    return list(islice(_lines(value, leave, MAX_DEPTH), MAX_LINES))


def _lines(value: object, leave: frozenset[str], depth: int) -> Iterator[str]:
    if depth == 0:
        return
    if isinstance(value, dict):
        for key, inner in islice(value.items(), MAX_LINES):
            name = str(key)
            if name not in leave and not _INVISIBLE.search(name):
                yield from _field(name, inner, depth)
    elif isinstance(value, list):
        for inner in islice(value, MAX_LINES):
            line = text_of(inner) or _row(inner, depth)
            if line:
                yield line
    elif line := text_of(value):
        yield line


def _field(name: str, value: object, depth: int) -> Iterator[str]:
    label = _label(name)
    if line := text_of(value):
        yield f"{label}: {line}"
    elif isinstance(value, list) and value and all(text_of(inner) for inner in value[:MAX_LINES]):
        yield f"{label}: " + ", ".join(text_of(inner) for inner in value[:MAX_LINES])
    elif isinstance(value, list | dict):
        inner_lines = list(islice(_lines(value, frozenset(), depth - 1), MAX_LINES))
        if inner_lines:
            yield f"{label}: " + "; ".join(inner_lines)


def _row(value: object, depth: int) -> str:
    """Write one item of a list: name, then the rest."""
    if isinstance(value, list):
        return " | ".join(cell for cell in (text_of(inner) for inner in value[:MAX_LINES]) if cell)
    if not isinstance(value, dict):
        return ""
    named = next((name for name in _NAMES if text_of(value.get(name))), "")
    rest = list(islice(_lines(value, frozenset({named}), depth - 1), MAX_LINES))
    head = text_of(value.get(named)) if named else ""
    return f"{head} ({', '.join(rest)})" if head and rest else head or ", ".join(rest)


def _label(name: str) -> str:
    words = " ".join(name.replace("_", " ").split())
    return words[:1].upper() + words[1:]
