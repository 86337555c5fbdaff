"""A document's date from its file name or its text."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from datetime import UTC
from functools import lru_cache
from typing import NamedTuple

from dateline.documents.dates import date_of, order_shown, remark, two_ways
from dateline.errors import BadInput
from dateline.evidence.knowledge import end_of_knowledge
from dateline.records import Evidence
from dateline.temporal.as_of import FARTHEST_EAST, Clock, now
from dateline.temporal.expressions import find_expressions
from dateline.temporal.interval import Interval
from dateline.temporal.tense import looks_ahead

DATELINE = 240
"""A date within this many characters of the beginning is the document's own."""

NAME_DATE = re.compile(
    r"(?<!\d)(?!\d\d(?:0[1-9]|1[0-2])\d\d(?!\d))((?:19|20)\d\d)[-_.]?(\d{2})(?:[-_.]?(\d{2}))?(?!\d)"
)
"""A date in a file's name: 2021-05-06, 20210506, 2021_05, 202105.

Not 201103, which may also be 3 November 2020.
"""

_PATH_DATE = re.compile(r"/((?:19|20)\d\d)[/-]?(\d\d)[/-]?(\d\d)(?=[/_.-]|$)")
"""A day in an address, as publishers file their pages: /2021/05/06/, /2021-05-06-prices."""

_SHORT_LINE = re.compile(r"^(?=[^\n]{6,80}$)(?=[^\n]{0,76}(?<!\d)(?:19|20)\d\d(?!\d))[^\n]+$", re.M)
"""A line of at most 80 characters, chosen by hand, with a year in it."""

_WORD = re.compile(r"\w+|[.!?;\n]")
_BESIDE = 160
"""Characters beside a time in which its verb is looked for; chosen by hand."""

_LOOKED_AT = 20_000
_MONTHS = ("week", "month")


class TextDate(NamedTuple):
    """A text's date, its origin, and whether it stands early."""

    interval: Interval
    by: str
    is_early: bool


def end_of_present(clock: Clock = now) -> int:
    """Return the second by which the present day is over everywhere.

    What begins later cannot be when something that is read now was published.
    """
    return end_of_knowledge(clock().astimezone(UTC) + FARTHEST_EAST)


def has_come(time: Interval, *, end: int) -> bool:
    """Return whether a time begins before a second."""
    return time.start is None or time.start < end


def version_key(document: Evidence) -> str:
    """Identify a document by url, else by title and source without date.

    What has none of them is a version of nothing: its own id.
    """
    named = document.source or document.title
    return document.url or (f"{NAME_DATE.sub('', document.source)}|{document.title}" if named else document.id)


def date_of_name(stem: str, *, clock: Clock = now) -> Interval | None:
    """The day or month that a file's name carries, or `None`.

    One that is still to come dates nothing, as in an address and in a text.
    """
    return _first_come(NAME_DATE.finditer(stem), clock)


def date_of_address(url: str, *, clock: Clock = now) -> Interval | None:
    """The day that a web address's path carries, or `None`."""
    return _first_come(_PATH_DATE.finditer(url), clock)


def _first_come(matches: Iterator[re.Match[str]], clock: Clock) -> Interval | None:
    end = end_of_present(clock)
    for match in matches:
        year, month, day = int(match[1]), int(match[2]), int(match[3] or 0)
        with suppress(BadInput):
            found = Interval.of_day(year, month, day) if day else Interval.of_month(year, month)
            if has_come(found, end=end):
                return found
    return None


def date_of_text(text: str, *, day_first: bool | None = None, clock: Clock = now) -> TextDate | None:
    """Read a dateline, else the text's first day, and say how.

    A mere month further on dates nothing, nor does a day to come, by the clock or by the text's own words ("will open on 5
    May", "valid until 5 May"). Of 03/04/2019 only the year is certain, unless the text's other dates or the corpus
    (`day_first`) show the order.
    """
    return _date_of_head(text[:_LOOKED_AT], day_first, end_of_present(clock))


# A store that is not stamped brings the same documents to every question.
@lru_cache(maxsize=4096)
def _date_of_head(text: str, day_first: bool | None, end: int) -> TextDate | None:
    read = [(found, found.interval) for found in find_expressions(text) if found.interval is not None]
    times = [found for found, _ in read if found.kind in ("date", "time")]
    ahead = {found.start for found in times if _is_ahead(text, found.start, found.end)}
    ahead |= {found.start for found, interval in read if interval.start is None}  # "until 5 May"
    stated = [found for found in times if found.start not in ahead]
    shown = order_shown(found.text for found in stated)
    order = day_first if shown is None else shown
    dates = [
        (found.start, date_of(found.text, day_first=order) if two_ways(found.text) else found.interval, found.text)
        for found in stated
    ]
    all_dates = (each for each in (*dates, *_dates_of_lines(text, ahead)) if _dates(*each, end=end))
    best = min(all_dates, key=_rank, default=None)
    if best is None or best[1] is None:
        return None
    return TextDate(best[1], f"text{remark(best[2], day_first=order)}", best[0] <= DATELINE)


def _is_ahead(text: str, start: int, end: int) -> bool:
    """Return whether a text looks ahead to a time.

    Never to one that it begins with: a dateline.
    """
    before, behind = (
        ["." if word in "!?;\n" else word for word in _WORD.findall(part)]
        for part in (text[max(0, start - _BESIDE) : start], text[end : end + _BESIDE])
    )
    return bool(before) and looks_ahead([*before, text[start:end], *behind], len(before), len(before) + 1)


def _dates(start: int, interval: Interval | None, words: str, *, end: int) -> bool:
    if interval is None or not has_come(interval, end=end):
        return False
    return interval.is_precise or (start <= DATELINE and (interval.granularity in _MONTHS or bool(two_ways(words))))


def _rank(found: tuple[int, Interval | None, str]) -> tuple[bool, bool, bool, int]:
    start, interval, _ = found
    precise = interval is not None and interval.is_precise
    to_month = interval is not None and interval.granularity in _MONTHS
    return start > DATELINE, not precise, not to_month, start


def _dates_of_lines(text: str, ahead: Collection[int]) -> Iterator[tuple[int, Interval | None, str]]:
    """Find the days of short lines, in any language's words.

    Lines with a time `ahead` are left out.
    """
    for match in _SHORT_LINE.finditer(text):
        if any(match.start() <= start < match.end() for start in ahead):
            continue
        found = None if two_ways(match[0]) else date_of(match[0])
        if found is not None and found.is_precise:
            yield match.start(), found, ""
