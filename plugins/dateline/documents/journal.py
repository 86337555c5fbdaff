"""Entries of journals, logs and minute books, each with its own day."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from dateline.documents.document_date import end_of_present, has_come
from dateline.temporal.as_of import Clock, now
from dateline.temporal.expressions import find_expressions
from dateline.temporal.interval import Interval

_HEAD = re.compile(r"(?P<mark>[ \t]*+(?:#{1,6}|[-*•+>])?+[ \t]*+[\[(*_]{0,3}+)(?P<rest>[^\s|][^\n]{0,48})")
"""Marks of a heading, an item or bold type, and the words in which a date may stand first."""

_HEADING = re.compile(r"#{1,6}[ \t]+([^\s#][^\n]{0,198})")
_DIGIT = re.compile(r"\d")
_CLOSERS = " \t*_])#:.,-–—"
_ENDS = (".", "!", "?", ":", ")", "]", "”", '"', "|")

ENTRY = "entry"
"""Origin of the date of a journal's entry."""

FEWEST = 2
"""Dated heads that make a journal; one is a letter's or a note's own date."""


class JournalEntry(NamedTuple):
    """Part of a text; a `day` of `None` is the text's own."""

    text: str
    day: Interval | None


class _Head(NamedTuple):
    """First line of an entry.

    Attributes:
        form: the marks before its date, and whether the date stands alone.
    """

    start: int
    form: tuple[str, bool]
    day: Interval


def journal_entries(text: str, *, own: Interval | None = None, clock: Clock = now) -> list[JournalEntry]:
    """Split a journal at its days, or return the text whole.

    It is one where two or more lines of one form begin with a day, in order of time, forwards or backwards. A list of what is to
    come is none: all its days lie after the text's own date, or the present one. An entry of a day to come has the text's own
    day: it was written before.

    Args:
        own: when the text as a whole was written.

    Example:
        >>> log = "Pump log\\n\\n2024-03-01 Filter changed.\\n2024-04-02 Pressure is 3 bar."
        >>> [(entry.text, str(entry.day)) for entry in journal_entries(log)][1:]
        [('2024-03-01 Filter changed.', '2024-03-01'), ('2024-04-02 Pressure is 3 bar.', '2024-04-02')]
    """
    heads = _of_one_form(list(_heads(text)))
    end = end_of_present(clock)
    come = [has_come(head.day, end=end) for head in heads]
    if len(heads) < FEWEST or not _in_order(heads) or _is_ahead(heads, own) or not any(come):
        return [JournalEntry(text, None)]
    before = text[: heads[0].start].strip()
    borders = [*(head.start for head in heads), len(text)]
    entries = [
        JournalEntry(text[head.start : border].strip(), head.day if is_over else None)
        for head, border, is_over in zip(heads, borders[1:], come, strict=True)
    ]
    return [JournalEntry(before, None), *entries] if before else entries


def without_day_heads(text: str) -> str:
    """Return a text without lines of a day alone.

    A heading that tells more is parted from what it heads.

    Example:
        >>> without_day_heads("## 12 January 2022\\nThe gate is open.")
        '\\nThe gate is open.'
    """
    heads = {head.start: head for head in _heads(text)}
    parts, start = list[str](), 0
    for line in text.splitlines(keepends=True):
        mark, is_alone = heads[start].form if start in heads else ("", False)
        parts.append("" if is_alone else line)
        parts.append("\n" if is_alone or mark.startswith("#") else "")
        start += len(line)
    return "".join(parts)


def heading_alone(before: JournalEntry) -> str:
    """Return the heading that is all that stands before a journal's days.

    Empty where more stands there, or nothing.

    Example:
        >>> heading_alone(journal_entries("# Pump log\\n\\n2024-03-01 Filter changed.\\n2024-04-02 Filter clean.")[0])
        'Pump log'
    """
    alone = _HEADING.fullmatch(before.text) if before.day is None else None
    return alone[1] if alone else ""


def entry_id(document: str, text: str) -> str:
    """Return the id of an entry of a document that has one.

    It follows from the words: an entry keeps it while others are written above or below.

    Example:
        >>> entry_id("pump-log", "2024-03-01 Filter changed.")
        'pump-log-4e0e5b4f4440c683'
    """
    return f"{document}-{hashlib.blake2b(text.encode(errors='replace'), digest_size=8).hexdigest()}"


def _heads(text: str) -> Iterator[_Head]:
    start, before_ends = 0, True
    for line in text.splitlines(keepends=True):
        bare = line.strip()
        head = _head(line, start) if before_ends and bare else None
        if head is not None:
            yield head
        before_ends = not bare or head is not None or bare.startswith("#") or bare.endswith(_ENDS)
        start += len(line)


def _head(line: str, start: int) -> _Head | None:
    match = _HEAD.match(line)
    if match is None or _DIGIT.search(match["rest"]) is None:
        return None
    found = next(iter(find_expressions(match["rest"])), None)
    if found is None or found.start > 0 or found.kind not in ("date", "time") or found.interval is None:
        return None
    if not found.interval.is_precise:
        return None
    alone = not line[match.start("rest") + found.end :].strip(_CLOSERS + "\n")
    return _Head(start, (match["mark"].strip(), alone), found.interval)


def _of_one_form(heads: list[_Head]) -> list[_Head]:
    if not heads:
        return []
    (form, _), *_rest = Counter(head.form for head in heads).most_common(1)
    return [head for head in heads if head.form == form]


def _in_order(heads: list[_Head]) -> bool:
    steps = [_start(later) - _start(earlier) for earlier, later in pairwise(heads)]
    return any(steps) and (min(steps) >= 0 or max(steps) <= 0)


def _is_ahead(heads: list[_Head], own: Interval | None) -> bool:
    return own is not None and own.end is not None and min(map(_start, heads)) >= own.end


def _start(head: _Head) -> int:
    return head.day.start or 0
