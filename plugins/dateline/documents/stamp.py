"""Stamp of a document: its publication and the times in it.

Most corpora carry no dates at all; a stamp finds them once, at indexing time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple

from dateline.documents.dated_rows import Value, dated_rows
from dateline.documents.journal import ENTRY, entry_id, heading_alone, journal_entries
from dateline.documents.raw import DocumentDate, RawDocument, day_first_in
from dateline.documents.reading import of_text
from dateline.documents.rules import DateField, DateRules, date_rules
from dateline.evidence.knowledge import ALWAYS, FOREVER, end_of_knowledge
from dateline.temporal.expressions import find_expressions
from dateline.temporal.interval import Interval

MOST_TIMES = 64
"""Distinct times of one document that its fields list; a longer list belongs to a table. Chosen by hand."""


PUBLISHED = "dateline_published"
"""The field that holds the second from which a document was known; `ALWAYS` where it is undated."""

VALID_FROM, VALID_UNTIL = "dateline_valid_from", "dateline_valid_until"
"""The fields that hold the first second a document is about, its publication included, and the one behind the last."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """Publication date, its origin, and the text's distinct times in order.

    Example:
        >>> from dateline.documents.stamp import stamp_all
        >>> (found,) = stamp_all([("It closed in 1998.", {"source": "2011-03-04-bridge.md"})])
        >>> found.metadata()["dateline_date"], found.dated_by, found.metadata()["dateline_times"]
        ('2011-03-04', 'file name', '1998')
        >>> found.metadata()["dateline_published"]
        1299196800
    """

    published: Interval | None
    dated_by: str
    times: tuple[Interval, ...]

    def metadata(self) -> dict[str, str | int]:
        """Return flat fields, the numbers for any vector store to filter by.

        - `dateline_published`: the second from which it was known; long before everything where it is undated;
        - `dateline_valid_from`, `dateline_valid_until`: the first second that it is about, and the one behind the last,
          over the date of publication and all times in the text;
        - `dateline_date`: `2019-05-06`, and `dateline_published_from`: where it was found; absent where undated;
        - `dateline_times`: the times in the text as `2019; 2020-05; 2021-01-01/2022-01-01`; absent where there are none.

        Numbers are seconds since 1970-01-01.
        """
        fields: dict[str, str | int] = self._numbers()
        if self.published is not None:
            fields |= {"dateline_date": self.published.isoformat(), "dateline_published_from": self.dated_by}
        if self.times:
            fields["dateline_times"] = "; ".join(time.isoformat() for time in self.times[:MOST_TIMES])
        return fields

    def _numbers(self) -> dict[str, str | int]:
        about = self.times if self.published is None else (self.published, *self.times)
        starts = [ALWAYS if time.start is None else time.start for time in about]
        ends = [FOREVER if time.end is None else time.end for time in about]
        known = _start(DocumentDate(self.published, self.dated_by))
        return {PUBLISHED: known, VALID_FROM: min(starts, default=ALWAYS), VALID_UNTIL: max(ends, default=ALWAYS)}


def stamped_times(metadata: Mapping[str, Any]) -> tuple[int, int, int] | None:
    """Return the numbers that a stamp wrote into metadata.

    `None` where one is missing. Some stores give numbers back with a point, or as text.

    Example:
        >>> stamped_times({"dateline_published": "9", "dateline_valid_from": 8.0, "dateline_valid_until": 10})
        (9, 8, 10)
        >>> stamped_times({"dateline_published": "2011-03"}) is None
        True
    """
    try:
        published, start, end = (int(float(metadata[name])) for name in (PUBLISHED, VALID_FROM, VALID_UNTIL))
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
    return published, start, end


class StampedText(NamedTuple):
    """A document's text, or one entry of it, with its stamp.

    Attributes:
        values: of a row, what stands beside its text and its date; of an entry, the journal's heading as title.
    """

    text: str
    stamp: Stamp
    values: tuple[tuple[str, Value], ...] | None = None

    def id_in(self, document: str) -> str:
        """Return the id of an entry of a document that has one.

        That of a row follows from its day too, which a journal's entry begins with.
        """
        of_words = self.values is None or self.stamp.dated_by == ENTRY
        return entry_id(document, self.text if of_words else f"{self.stamp.published} {self.text}")

    def metadata(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """Return the document's fields, and the part's beside them."""
        return {**dict(self.values or ()), **document}


def stamp_all(documents: Sequence[tuple[str, Mapping[str, Any]]], *, date_field: DateField = ()) -> list[Stamp]:
    """Stamp one corpus's documents, given as texts with metadata.

    Publication is dated by the metadata, else by the file's name, else by the text, and never guessed. Relative times
    ("last Tuesday") are read against the date of publication, where there is one.
    """
    return [_stamp(raw.text, dated) for raw, dated in _dated(documents, date_rules(date_field))]


def stamp_entries(
    documents: Sequence[tuple[str, Mapping[str, Any]]], *, date_field: DateField = (), split: bool = True
) -> list[list[StampedText]]:
    """Stamp one corpus's documents, journals and dated rows entry by entry.

    A document is one text, unchanged, where it is no journal (`journal_entries`) and no table or JSON of dated rows
    (`dated_rows`), or an entry already. Of two entries with the same words there is one.

    Args:
        split: off: every document is one text.

    Example:
        >>> ((first, second),) = stamp_entries([("2024-03-01 Filter changed.\\n2024-04-02 Pressure is 3 bar.", {})])
        >>> second.text, str(second.stamp.published), second.stamp.dated_by
        ('2024-04-02 Pressure is 3 bar.', '2024-04-02', 'entry')
    """
    rules = date_rules(date_field)
    read = zip(documents, _dated(documents, rules), strict=True)
    return [
        list(dict.fromkeys(part.stamped() for part in _parts(text, raw, dated, rules=rules, split=split)))
        for (text, _), (raw, dated) in read
    ]


def known_entries(
    documents: Sequence[tuple[str, Mapping[str, Any]]], *, as_of: datetime, date_field: DateField = ()
) -> list[list[StampedText]]:
    """Stamp the known entries of what goes on after the asking day.

    What a `DateStamper` stamped is left as it is.

    What would show the future if it were shown whole comes as those of its entries that were known; of any other document the
    list is empty: it can be shown as it is, or was published later.

    Example:
        >>> from datetime import UTC
        >>> log = "2024-03-01 Filter changed.\\n2024-04-02 Pressure is 3 bar."
        >>> [[one.text for one in known_entries([(log, {})], as_of=datetime(2024, month, 9, tzinfo=UTC))[0]] for month in (3, 4)]
        [['2024-03-01 Filter changed.'], []]
    """
    rules, end = date_rules(date_field), end_of_knowledge(as_of)
    if all(stamped_times(metadata) is not None for _, metadata in documents):  # they are not read twice
        return [[] for _ in documents]
    read = zip(documents, _dated(documents, rules), strict=True)
    return [
        [part.stamped() for part in _going_on(text, raw, dated, rules=rules, end=end) if _start(part.dated) < end]
        for (text, _), (raw, dated) in read
    ]


def known_documents(document: RawDocument, *, as_of: datetime, rules: DateRules) -> list[RawDocument]:
    """Return a document, or the known entries of one that goes on.

    Where none was known, its first: a passage that somebody hands over is not dated by its text as a whole.
    """
    end = end_of_knowledge(as_of)
    parts = _going_on(document.text, document, document.dated(None, by_text=True), rules=rules, end=end)
    known = [part for part in parts if _start(part.dated) < end] or parts[:1]
    return [replace(document, text=part.read, dates=((part.dated.by, part.dated.published),)) for part in known] or [
        document
    ]


def _going_on(text: str, raw: RawDocument, dated: DocumentDate, *, rules: DateRules, end: int) -> list[_DatedPart]:
    """Return the entries of what nobody stamped and goes on later.

    None of a document that can be shown as it is, or was published later.
    """
    if raw.dated_by is not None or (_start(dated) >= end and not dated.by.startswith("text")):
        return []
    parts = list(_parts(text, raw, dated, rules=rules))
    return parts if len(parts) > 1 and any(_start(part.dated) >= end for part in parts) else []


def _dated(
    documents: Sequence[tuple[str, Mapping[str, Any]]], rules: DateRules
) -> Iterator[tuple[RawDocument, DocumentDate]]:
    raws = [of_text(text, metadata, rules=rules) for text, metadata in documents]
    day_first = day_first_in(raws, rules=rules)
    for raw in raws:
        yield raw, raw.dated_or_warned(day_first, by_text=True)


class _DatedPart(NamedTuple):
    """A part of a document before it is stamped.

    Attributes:
        read: its text without front matter.
    """

    text: str
    read: str
    dated: DocumentDate
    values: tuple[tuple[str, Value], ...] | None = None

    def stamped(self) -> StampedText:
        return StampedText(self.text, _stamp(self.read, self.dated), self.values)


def _parts(
    text: str, raw: RawDocument, dated: DocumentDate, *, rules: DateRules, split: bool = True
) -> Iterator[_DatedPart]:
    """Cut a document at its dated rows or entries."""
    if split and raw.dated_by is None and (rows := dated_rows(raw, rules=rules)):
        day_first = day_first_in((row.raw for row in rows), rules=rules)
        for row in rows:
            yield _DatedPart(row.raw.text, row.raw.text, row.raw.dated(day_first, by_text=True), row.values)
        return
    entries = journal_entries(raw.text, own=dated.published) if split and raw.dated_by != ENTRY else []
    if len(entries) < 2:
        yield _DatedPart(text, raw.text, dated)
        return
    head = text.removesuffix(raw.text)  # front matter stays with what it stands before
    title = heading_alone(entries[0])
    values = (("title", title),) if title else None
    for place, entry in enumerate(entries[1:] if title else entries):
        day = dated if entry.day is None else DocumentDate(entry.day, ENTRY)
        yield _DatedPart(entry.text if place else f"{head}{entry.text}", entry.text, day, values)


def _start(dated: DocumentDate) -> int:
    return ALWAYS if dated.published is None or dated.published.start is None else dated.published.start


def _stamp(text: str, dated: DocumentDate) -> Stamp:
    found = find_expressions(text, anchor=dated.published)
    times = dict.fromkeys(expression.interval for expression in found if expression.interval is not None)
    return Stamp(published=dated.published, dated_by=dated.by, times=tuple(times))
