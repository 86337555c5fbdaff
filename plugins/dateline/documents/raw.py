"""Undated form of a document, between every door and `Evidence`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, NamedTuple, get_args

from dateline.channels import GIVEN
from dateline.documents.dates import date_of, order_shown, remark
from dateline.documents.document_date import NAME_DATE, TextDate, date_of_address, date_of_name, date_of_text
from dateline.documents.fields import (
    FILE_FIELDS,
    PUBLISHED,
    PUBLISHED_FROM,
    SOURCE_FIELDS,
    STAMPED,
    TITLE_FIELDS,
    URL_FIELDS,
    Fields,
    key_of,
)
from dateline.documents.rules import USUAL, DateRules
from dateline.documents.unread_dates import warn_of_absent_field, warn_of_unread_date
from dateline.file_names import file_name, is_address, stem_of
from dateline.records import Evidence, EvidenceKind
from dateline.temporal.as_of import Clock, now
from dateline.temporal.interval import Interval

_KINDS: tuple[EvidenceKind, ...] = get_args(EvidenceKind)
_DATED_NAME = re.compile(r"(?<!\d)\d{4}[-_.]\d{2}(?!\d)|(?<!\d)(?:19|20)\d{6}(?!\d)")
"""What is a date in a name, and no number of an article: 204511 could be either."""

_WRITTEN = frozenset({*STAMPED, key_of("published")})
"""Fields that this library writes a date of publication into."""

_ORIGIN, _STAMP = key_of(PUBLISHED_FROM), key_of(PUBLISHED)
_KEYS = {name: key_of(name) for name in ("fact_id", "history", "kind", "position", "highlights")}


class DocumentDate(NamedTuple):
    """Date of publication and its origin; `None` and "" without one."""

    published: Interval | None
    by: str


@dataclass(frozen=True, slots=True)
class RawDocument:
    """A document's text and fields, before it is dated and cut.

    Attributes:
        heading: the title that its own words give it, in a field or above its text; empty where it is named by its file.
        dates: (where it stood, value) in the order in which they are believed.
        names: files and addresses whose last part may be dated.
        row: its number in a file of several, where neither title nor address tells it from those beside it.
        channel: what it came through, as told by what loads it.
        claimed: its own word for its source, where the developer believes it; else empty.
        saved: dates of the program that saved it, such as those of a PDF, believed behind a date at the text's beginning.
        overlooked: where no field holds a date, those that look as if they did.
        lacking: where a person named the date's field and the document has none such, those it has.
        dated_by: where the date stood by an earlier reading, which wrote that into the fields; empty: it found none; `None`:
            there was none.
        speaks: whether a date in the text dates it: a document's own text, not a passage that somebody hands over.
    """

    text: str
    title: str = ""
    heading: str = ""
    source: str = ""
    url: str = ""
    dates: tuple[tuple[str, Any], ...] = ()
    names: tuple[str, ...] = ()
    row: int | None = None
    kind: EvidenceKind = "document"
    position: int | None = None
    highlights: tuple[str, ...] = ()
    channel: str = GIVEN
    claimed: str = ""
    saved: tuple[tuple[str, Any], ...] = ()
    dated_by: str | None = None
    overlooked: tuple[str, ...] = ()
    lacking: tuple[str, ...] | None = None
    speaks: bool = False

    def dated(self, day_first: bool | None, *, by_text: bool = False, clock: Clock = now) -> DocumentDate:
        """Find the date of publication: field, file name, address, dateline, program.

        With `by_text`, a day further on in the text comes last. In name, address and text a day to come by the clock
        dates nothing.
        """
        for place, value in self.dates:
            if (found := date_of(value, day_first=day_first)) is not None:
                if self.dated_by is not None and key_of(place.rpartition(" ")[2]) in _WRITTEN:
                    return DocumentDate(found, self.dated_by)
                return DocumentDate(found, f"{place}{remark(value, day_first=day_first)}")
        if (named := _date_in(self.names, clock)) is not None:
            return DocumentDate(named, "file name")
        if (addressed := date_of_address(self.url, clock=clock)) is not None:
            return DocumentDate(addressed, "address")
        by_text = by_text or (self.speaks and self.dated_by is None)
        said = self._said(day_first, clock) if by_text else None
        if said is not None and said.is_early:
            return DocumentDate(said.interval, said.by)
        for place, value in self.saved:
            if (found := date_of(value)) is not None:
                return DocumentDate(found, place)
        return DocumentDate(None, "") if said is None else DocumentDate(said.interval, said.by)

    def _said(self, day_first: bool | None, clock: Clock) -> TextDate | None:
        """Find a date in the heading, else in the text.

        Each is read by itself: the year of a heading ("Cellar journal 2022") is not that of the text's first entry alone.
        """
        read = (date_of_text(words, day_first=day_first, clock=clock) for words in (self.heading, self.text) if words)
        return next((each for each in read if each is not None), None)

    def dated_or_warned(self, day_first: bool | None, *, by_text: bool = False) -> DocumentDate:
        """Find the date of publication, and log once why there is none."""
        dated = self.dated(day_first, by_text=by_text)
        if dated.published is None:
            warn_of_unread_date(self.dates, overlooked=self.overlooked)
        return dated

    def evidence(self, dated: DocumentDate, *, text: str | None = None) -> Evidence:
        """Make evidence of the document, or of one passage of it."""
        return Evidence.make(
            self.text if text is None else text,
            title=self.title,
            source=self.source,
            channel=self.claimed or self.channel,
            url=self.url,
            published=dated.published,
            dated_by=dated.by,
            row=self.row,
            kind=self.kind,
            position=self.position,
            highlights=self.highlights,
        )


def raw_of(text: str, *, fields: Fields, place: str = "field", rules: DateRules = USUAL, file: str = "") -> RawDocument:
    """Read a document's fields by the table of names.

    Args:
        place: how the fields are called when it is said where a date stood.
        file: the name of the file that holds this document alone or with others.
    """
    source, url = _source(fields), fields.text(URL_FIELDS)
    if is_address(source):
        source, url = "" if url in ("", source) else source, url or source
    named = source or file
    title, heading = fields.text(TITLE_FIELDS), fields.text(TITLE_FIELDS, hidden_too=True)
    if not title and key_of("title") not in fields:
        title = title_of(named)
    position, marked = fields.get(_KEYS["position"]), fields.get(_KEYS["highlights"])
    a_fact = _KEYS["fact_id"] in fields
    dates = _latest_word(fields) if a_fact else fields.dates(place, rules.date_field)
    return RawDocument(
        text=text,
        title=title,
        heading=heading,
        source=file_name(named) if named.startswith(("/", "~", "file:")) or named[1:3] in (":\\", ":/") else named,
        url=url,
        dates=dates,
        overlooked=() if dates or a_fact or rules.date_field else _overlooked(fields),
        lacking=fields.names() if rules.date_field and not a_fact and not fields.has(rules.date_field) else None,
        names=() if a_fact or rules.date_field else _names(fields),
        kind="fact" if a_fact else _kind(fields),
        position=position if isinstance(position, int) and not isinstance(position, bool) else None,
        highlights=tuple(str(each) for each in marked) if isinstance(marked, list | tuple) else (),
        claimed=fields.text(SOURCE_FIELDS) if rules.trust_sources else "",
        dated_by=_read_before(fields),
    )


def _read_before(fields: Fields) -> str | None:
    """Return where an earlier reading found the date.

    Empty where it found none; `None` where there was none.
    """
    written = fields.get(_ORIGIN)
    if isinstance(written, str):
        return written
    return "" if isinstance(fields.get(_STAMP), int | float) else None


def day_first_in(documents: Iterable[RawDocument], *, rules: DateRules) -> bool | None:
    """Decide whether 03/04/2019 is 3 April, by corpus, then rules.

    Log once where no document of the corpus has the field that the rules name.
    """
    given = list(documents)
    warn_of_absent_field(rules.date_field, lacking=[document.lacking for document in given])
    shown = order_shown(value for document in given for _, value in document.dates)
    return rules.day_first if shown is None else shown


def title_of(file: str) -> str:
    """Turn a file's name into a title: `2021-05-06-new-prices.md` is "new prices"."""
    stem = stem_of(file)
    bare = stem if date_of_name(stem) is None else NAME_DATE.sub("", stem)
    return " ".join(re.sub(r"[-_]+", " ", bare).split()) or stem


def _kind(fields: Fields) -> EvidenceKind:
    told = fields.get(_KEYS["kind"])
    return next((kind for kind in _KINDS if kind == told), "document")


def _overlooked(fields: Fields) -> tuple[str, ...]:
    return tuple(name for name, value in fields.overlooked() if date_of(value) is not None)


def _source(fields: Fields) -> str:
    named = [*fields.texts(SOURCE_FIELDS), *fields.texts(FILE_FIELDS)]
    return next((each for each in named if not is_address(each)), named[0] if named else "")


def _names(fields: Fields) -> tuple[str, ...]:
    return tuple(value for key in (*FILE_FIELDS, "source", "url") if isinstance(value := fields.get(key), str))


def _date_in(names: Sequence[str], clock: Clock) -> Interval | None:
    stems = ((name, PurePosixPath(name.replace("\\", "/")).stem) for name in names)
    dated = (stem for name, stem in stems if _DATED_NAME.search(stem) or _is_own_file(name))
    dates = (date_of_name(stem, clock=clock) for stem in dated)
    return next((named for named in dates if named is not None), None)


def _is_own_file(name: str) -> bool:
    """Return whether a person, not a web site, named the file.

    In a person's file `202105` may be a date; in a page's address it is more often a number.
    """
    return bool(stem_of(name)) and not name.lower().endswith((".html", ".htm"))


def _latest_word(fields: Fields) -> tuple[tuple[str, Any], ...]:
    """Date a store's fact by the latest assertion about it."""
    history = fields.get(_KEYS["history"])
    entries = history if isinstance(history, list | tuple) else ()
    said = [entry["when"] for entry in entries if isinstance(entry, Mapping) and entry.get("when")]
    return (("history", said[-1]),) if said else ()
