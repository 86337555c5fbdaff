"""Stamp of a document: its publication and the times in it.

Most corpora carry no dates at all; a stamp finds them once, at indexing time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dateline.documents.fields import Fields
from dateline.documents.raw import day_first_in, raw_of
from dateline.documents.rules import DateField, date_rules
from dateline.temporal.expressions import find_expressions
from dateline.temporal.interval import Interval

MOST_TIMES = 64
"""Distinct times of one document that are kept; a longer list belongs to a table. Chosen by hand."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """Publication date, its origin, and the text's distinct times in order.

    Example:
        >>> from dateline.documents.stamp import stamp_all
        >>> (found,) = stamp_all([("It closed in 1998.", {"source": "2011-03-04-bridge.md"})])
        >>> found.metadata()["dateline_published"], found.dated_by, found.metadata()["dateline_times"]
        ('2011-03-04', 'file name', '1998')
    """

    published: Interval | None
    dated_by: str
    times: tuple[Interval, ...]

    def metadata(self) -> dict[str, str | int]:
        """Return the known fields, flat, for any vector store to filter.

        - `dateline_published`: `2019-05-06`, and `dateline_published_from`: where it was found;
        - `dateline_times`: the times as `2019; 2020-05; 2021-01-01/2022-01-01`;
        - `dateline_start`, `dateline_end`: the earliest and latest second among them (since 1970-01-01, end exclusive).
        """
        fields: dict[str, str | int] = {}
        if self.published is not None:
            fields |= {"dateline_published": self.published.isoformat(), "dateline_published_from": self.dated_by}
        if self.times:
            fields["dateline_times"] = "; ".join(time.isoformat() for time in self.times)
        starts = [time.start for time in self.times if time.start is not None]
        ends = [time.end for time in self.times if time.end is not None]
        return (
            fields | ({"dateline_start": min(starts)} if starts else {}) | ({"dateline_end": max(ends)} if ends else {})
        )


def stamp_all(documents: Sequence[tuple[str, Mapping[str, Any]]], *, date_field: DateField = ()) -> list[Stamp]:
    """Stamp one corpus's documents, given as texts with metadata.

    Publication is dated by the metadata, else by the file's name, else by the text, and never guessed. Relative times
    ("last Tuesday") are read against the date of publication, where there is one.
    """
    rules = date_rules(date_field)
    raws = [raw_of(text, fields=Fields(metadata), rules=rules) for text, metadata in documents]
    day_first = day_first_in(raws, rules=rules)
    stamps = []
    for raw in raws:
        published, by = raw.dated(day_first, by_text=True)
        found = find_expressions(raw.text, anchor=published)
        times = dict.fromkeys(expression.interval for expression in found if expression.interval is not None)
        stamps.append(Stamp(published=published, dated_by=by, times=tuple(times)[:MOST_TIMES]))
    return stamps
