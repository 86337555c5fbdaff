"""Reader of one search page: language, moment, skipped parts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from datetime import date as day
from itertools import chain, islice

from dateline.channels import host_of
from dateline.evidence.dates import read_date
from dateline.evidence.json_text import text_of
from dateline.evidence.serp_items import DATE_FIELDS, MAX_ITEMS, Json, address_of, highlights_of, mapping_of, source_of
from dateline.records import Evidence, EvidenceKind
from dateline.temporal.interval import Interval

MAX_PIECES = 400
"""Pieces of evidence taken of any one page."""


class PageReader:
    """Collects the evidence of one page."""

    def __init__(self, page: Json, now: datetime | None, *, engine: str) -> None:
        self._engine = engine
        parameters = mapping_of(page.get("search_parameters"))
        domain = text_of(parameters.get("google_domain")) or text_of(parameters.get("yahoo_domain"))
        ending = domain.rpartition(".")[2]
        self.language = (text_of(parameters.get("hl")) or _LANGUAGE_OF_DOMAIN.get(ending, ending) or "en")[:2].lower()
        self.country = (text_of(parameters.get("gl")) or ("" if ending in ("com", "") else ending)).lower()
        self.searched_at = _searched_at(mapping_of(page.get("search_metadata"))) or now
        self.section = ""
        self.evidence: list[Evidence] = []
        self.skipped: list[str] = []
        self.dates: list[tuple[str, Interval | None]] = []

    def add(
        self, kind: EvidenceKind, item: Json, *, text: str, title: str = "", dates: tuple[object, ...] = ()
    ) -> None:
        """One piece of evidence; without any text it is skipped and named."""
        if len(self.evidence) >= MAX_PIECES:
            self.skip(f"stands behind the first {MAX_PIECES}")
            return
        title = title or text_of(item.get("title"))
        if not text and not title:
            self.skip("has no text")
            return
        url = address_of(item.get("link")) or address_of(item.get("url"))
        piece = Evidence.make(
            text or title,
            title=title,
            source=source_of(item, url),
            channel=host_of(url) or self._engine,
            url=url,
            published=self.date(item, *dates),
            kind=kind,
            highlights=highlights_of(item),
            position=len(self.evidence),
        )
        self.evidence.append(piece)

    def date(self, item: Json, *others: object) -> Interval | None:
        """The first readable date among the item's own fields and `others`.

        A field may hold several in a list, the most telling first.
        """
        fields = [*(item.get(name) for name in DATE_FIELDS), *others]
        for value in chain.from_iterable(each[:MAX_ITEMS] if isinstance(each, list) else [each] for each in fields):
            if value in (None, "") or not isinstance(value, str | int | float | day):
                continue
            if (read := self.read(value)) is not None and not self._lies_ahead(read):
                return read
        return None

    def _lies_ahead(self, date: Interval) -> bool:
        """Return whether a date lies ahead and so dates no publication."""
        return self.searched_at is not None and date.after(Interval.of_moment(self.searched_at))

    def read(self, value: object, *, ahead: bool = False) -> Interval | None:
        """Read a date string and note what it was read as."""
        read = read_date(value, now=self.searched_at, language=self.language, country=self.country, ahead=ahead)
        self.dates.append((text_of(value), read))
        return read

    def skip(self, reason: str) -> None:
        self.skipped.append(f"{self.section}: an item {reason}")

    def items(self, value: object, *names: str) -> Iterator[Json]:
        """Return the objects of a list, naming all else as skipped.

        Or of the list under one of `names`.
        """
        if isinstance(value, Mapping):
            inner = next((value[name] for name in names if isinstance(value.get(name), list)), None)
            value = [value] if inner is None else inner
        if not isinstance(value, list):
            self.skip(f"is {type(value).__name__}, not a list")
            return
        for item in islice(value, MAX_ITEMS):
            if isinstance(item, Mapping):
                yield item
            else:
                self.skip(f"is {type(item).__name__}, not an object")


def _searched_at(metadata: Json) -> datetime | None:
    for name in ("processed_at", "created_at"):
        try:
            return datetime.strptime(text_of(metadata.get(name)), "%Y-%m-%d %H:%M:%S UTC").replace(tzinfo=UTC)
        except ValueError:
            continue
    return None


_LANGUAGE_OF_DOMAIN = {
    "com": "en", "uk": "en", "au": "en", "in": "en", "sg": "en", "ca": "en", "ie": "en", "nz": "en", "za": "en",
    "us": "en", "mx": "es", "ar": "es", "co": "es", "cl": "es", "pe": "es", "at": "de", "ch": "de", "be": "nl",
    "br": "pt", "jp": "ja", "kr": "ko", "tw": "zh", "hk": "zh", "cn": "zh", "se": "sv", "dk": "da", "cz": "cs",
    "gr": "el", "ua": "uk", "il": "he", "eg": "ar", "sa": "ar", "ae": "ar",
}  # fmt: skip
