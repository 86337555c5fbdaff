"""The stamp of a document: when it was published, and the times that it speaks of.

Most corpora carry no dates at all; a stamp finds them once, at indexing time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from dateline.documents.document_date import date_of_text
from dateline.documents.metadata import named_in, stated_in
from dateline.temporal.expressions import find_expressions
from dateline.temporal.interval import Interval

Origin = Literal["metadata", "name", "text", "none"]
"""Where the date of publication was found."""

MOST_TIMES = 64
"""How many distinct times of one document are kept; a longer list belongs to a table, not to a passage."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """When a document was published, how that is known, and the distinct times it speaks of, in reading order."""

    published: Interval | None
    origin: Origin
    times: tuple[Interval, ...]

    def metadata(self) -> dict[str, str | int]:
        """Flat fields that any vector store can hold and filter by; what is not known is left out.

        - `dateline_published`: `2019-05-06`, and `dateline_published_from`: where it was found;
        - `dateline_times`: the times as `2019; 2020-05; 2021-01-01/2022-01-01`;
        - `dateline_start`, `dateline_end`: the earliest and latest second among them (since 1970-01-01, end exclusive).
        """
        fields: dict[str, str | int] = {}
        if self.published is not None:
            fields |= {"dateline_published": self.published.isoformat(), "dateline_published_from": self.origin}
        if self.times:
            fields["dateline_times"] = "; ".join(time.isoformat() for time in self.times)
        starts = [time.start for time in self.times if time.start is not None]
        ends = [time.end for time in self.times if time.end is not None]
        return (
            fields | ({"dateline_start": min(starts)} if starts else {}) | ({"dateline_end": max(ends)} if ends else {})
        )


def stamp(text: str, *, metadata: Mapping[str, Any]) -> Stamp:
    """Find a document's dates: publication from metadata, else its name, else its text; never guessed.

    Relative times ("last Tuesday") are read against the date of publication, where there is one.
    """
    published, origin = _published(text, metadata)
    found = find_expressions(text, anchor=published)
    times = dict.fromkeys(expression.interval for expression in found if expression.interval is not None)
    return Stamp(published=published, origin=origin, times=tuple(times)[:MOST_TIMES])


def _published(text: str, metadata: Mapping[str, Any]) -> tuple[Interval | None, Origin]:
    if (stated := stated_in(metadata)) is not None:
        return stated, "metadata"
    if (named := named_in(metadata)) is not None:
        return named, "name"
    written = date_of_text(text)
    return written, "text" if written is not None else "none"
