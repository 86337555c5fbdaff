"""Text in prompts that keeps the lines of tables, lists, code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dateline.evidence.sanitize import sanitize
from dateline.limits import FIELD
from dateline.text.layout import line_ends
from dateline.visible import visible

MARK = "| "
"""What each further line begins with, unless it is a row of a table: no line of a text can begin a label of ours."""

_INDENT = re.compile(r"(?: {4}|\t)[ \t]*")
_ALONE = re.compile(r"[ \t]*\||(?: {4}|\t)[ \t]*\S")
_ITEM = re.compile(r"[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]")
_FENCE = re.compile(r"[ \t]*(?:```|~~~)")
_DEEPEST = 12
"""Spaces of an indent that are kept; chosen by hand."""


def quoted(text: str, *, limit: int = FIELD) -> str:
    """Return sanitized text that keeps the line breaks set on purpose.

    Wrapped prose is on one line. Rows of tables, items of lists and lines of code are on their own, each behind `MARK`.

    Args:
        limit: characters that are shown, without marks; longer texts end in an ellipsis.

    Example:
        >>> print(quoted("Prices of 2024:\\n- tea 2\\n- milk 1\\n\\n| Tier | Price |\\n|---|---|\\n| Pro | 9 |"))
        Prices of 2024:
        | - tea 2
        | - milk 1
        | Tier | Price |
        |---|---|
        | Pro | 9 |
    """
    first, *others = _shortened(_lines(visible(text[: limit * 4], lines=True)), limit)
    return "\n".join([first, *(line if line.startswith("|") else f"{MARK}{line}" for line in others)])


def unquoted(lines: Sequence[str]) -> Sequence[str]:
    """Take the marks off further lines, where all have them."""
    if not all(line.startswith("|") for line in lines):
        return lines
    return [line if line.endswith("|") else line.removeprefix(MARK.strip()).removeprefix(" ") for line in lines]


def _lines(text: str) -> list[str]:
    """Split a text at breaks that were set; prose is one line."""
    ends, at, fenced, joins, as_set = set(line_ends(text)), -1, False, False, False
    lines: list[list[str]] = []
    for line in text.split("\n"):
        at += len(line) + 1
        fence = _FENCE.match(line) is not None
        alone = fenced or fence or _ALONE.match(line) is not None
        if not line.strip():
            joins = False
            continue
        if joins and not alone and not _ITEM.match(line):
            lines[-1].append(line)
        else:
            as_set |= alone or _ITEM.match(line) is not None
            lines.append([line])
        joins = not alone and at not in ends
        as_set |= at in ends
        fenced ^= fence
    joined = [" ".join(parts) for parts in lines]
    return joined if as_set else [" ".join(joined)]


def _shortened(lines: Sequence[str], limit: int) -> Iterator[str]:
    room, any_shown = limit, False
    for line in lines:
        indent = _INDENT.match(line)
        shown = sanitize(line, limit=max(room, 1))
        if not shown:
            continue
        spaces = " " * min(len(indent[0].expandtabs(4)), _DEEPEST) if indent and any_shown else ""
        yield spaces + shown
        any_shown = True
        room -= len(shown) + 1
        if room <= 0:
            return
    if not any_shown:
        yield ""
