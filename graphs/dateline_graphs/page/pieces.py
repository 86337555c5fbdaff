"""The report's evidence, numbered and placed for the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import floor
from typing import Literal

from dateline import Interval
from dateline.temporal.interval import DAY
from dateline_graphs.page.dates import read_date, say_date
from dateline_graphs.page.markup import NOTHING, Html, tag
from dateline_graphs.page.reasons import reasons
from dateline_graphs.report import AnswerReport, CitedSource

Part = Literal["used", "read", "unread"]
"""What a piece is to the answer: it stands on it; it was read and not used; it was found and not read."""

IN_WORDS: dict[Part, str] = {"used": "used", "read": "read, not used", "unread": "found, not read"}
SHORT = 90
"""Characters of a text that stands for a missing title."""


@dataclass(frozen=True)
class Piece:
    """One piece of evidence on the page."""

    number: int
    source: CitedSource
    part: Part
    claims: tuple[int, ...] = ()
    quotes: tuple[str, ...] = ()
    reason: Html = NOTHING

    @property
    def anchor(self) -> str:
        """Return the piece's id on the page, never made of foreign text."""
        return f"e{self.number}"

    @cached_property
    def published(self) -> Interval | None:
        return read_date(self.source.date)

    @cached_property
    def spoken_of(self) -> Interval | None:
        """Return the time that gave the temporal score, unless the date."""
        if self.source.matched in (None, self.source.date):
            return None
        return read_date(self.source.matched)

    @property
    def date(self) -> str:
        return say_date(self.source.date)

    @property
    def title(self) -> str:
        shown = self.source.title.strip() or self.source.source.strip() or " ".join(self.source.text[:SHORT].split())
        return shown or "without a title"

    def label(self) -> str:
        """One line that tells everything that the time line shows of it."""
        return f"Evidence {self.number}, {self.date}, score {self.source.score:.2f}, {IN_WORDS[self.part]}: {self.title[:200]}"

    def link(self, *shown: str, **attributes: str) -> Html:
        """Return a link to the piece."""
        return tag("a", *shown, href=f"#{self.anchor}", aria_label=self.label(), **attributes)


def pieces_of(report: AnswerReport) -> tuple[Piece, ...]:
    """Number all pieces: those read, then those found but not read."""
    found: list[Piece] = []
    told_of = reasons(report)
    for source in report.evidence:
        told = [(i, s) for i, claim in enumerate(report.claims, 1) for s in claim.support if s.evidence_id == source.id]
        claims = tuple(dict.fromkeys(number for number, _ in told))
        quotes = tuple(dict.fromkeys(one.sentence for _, one in told if one.sentence))
        part: Part = "used" if source.used else "read"
        found.append(Piece(len(found) + 1, source, part, claims, quotes, told_of.get(source.id, NOTHING)))
    found += [Piece(len(found) + i, source, "unread") for i, source in enumerate(report.unread, 1)]
    return tuple(found)


def middle_of(interval: Interval) -> int:
    """Return an interval's middle, or its known end."""
    return floor(interval.middle or 0)


def is_long(interval: Interval) -> bool:
    """Return whether the date spans more than a day."""
    return interval.start is None or interval.end is None or interval.end - interval.start > DAY


def is_over(interval: Interval, asked: int | None) -> bool:
    """Return whether a stretch of time had ended when it was asked."""
    return asked is not None and interval.end is not None and is_long(interval) and interval.end <= asked


def speaking(read: Sequence[Piece]) -> list[Piece]:
    """Return the pieces whose time in the text is drawn.

    It is joined to their date.
    """
    return [piece for piece in read if piece.spoken_of is not None and piece.published is not None]
