"""Times of passages in reading order, with what follows each.

A text tells a history as a row of dates. "In 1916 it became a college and, in 1923, a junior college"
says what held in 1920 although neither date is near: what begins at one date lasts until the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dateline.ranking.groups import Places, bounds_of, concatenated, latest_in, ranges
from dateline.ranking.time_table import TimeTable
from dateline.temporal.interval import Interval
from dateline.temporal.scoring import Spans

Floats = NDArray[np.float64]

_REACH = 1e13
"""Seconds between the histories of two documents on the common axis of `Timeline.moments`; 300,000 years."""


@dataclass(frozen=True)
class Timeline:
    """Times in the order of their sentences.

    Those of sentence i lie in `bounds[i]:bounds[i + 1]`. A sentence without a date of its own takes its passage's day
    of publication or, where that is not known, the times of the sentence before it in the same document; the latter are
    marked as borrowed.

    Attributes:
        table: the times themselves.
        spans: the same as scorers read them, shape (times,).
        following: the start of the next later time in the same document; infinite where none follows, shape (times,).
        borrowed: whether a time is that of an earlier sentence, shape (times,).
        documents: the document of each time, shape (times,).
        bounds: shape (sentences + 1,).
        moments: the starts of all that a document dates, sorted, each document's on its own stretch of one axis.
    """

    table: TimeTable
    spans: Spans
    following: Floats
    borrowed: NDArray[np.bool_]
    documents: Places
    bounds: Places
    moments: Floats

    @classmethod
    def of(
        cls,
        stated: TimeTable,
        *,
        counts: Places,
        documents: Places,
        published: Sequence[Interval | None],
        sizes: Places,
    ) -> Timeline:
        """Build a timeline from stated times, `counts` of them a sentence.

        `published` holds the days of passages of `sizes` sentences.
        """
        days = [day for day in published if day is not None]
        known = np.array([day is not None for day in published], dtype=np.bool_)
        dated, day_of = np.repeat(known, sizes), np.repeat(np.cumsum(known) - 1, sizes)
        own = counts > 0
        # The sentence whose times each may borrow.
        bounds, lender = bounds_of(counts), latest_in(documents, flags=own)
        lent = ~dated & (lender >= 0)
        # The days of publication stand behind the times that are stated.
        starts = np.where(own | lent, bounds[lender], len(stated) + day_of)
        taken = np.where(own | lent, counts[lender], dated)
        places = ranges(starts, taken)
        table = concatenated([stated, TimeTable.of(days)]).take(places)
        following = _following(stated, np.repeat(documents, counts))
        spans, home = table.spans, np.repeat(documents, taken)
        borrowed = np.repeat(lent & ~own, taken)
        free = ~borrowed & ~spans.stated & np.isfinite(spans.start)
        return cls(
            table=table,
            spans=spans,
            following=np.concatenate([following, np.full(len(days), np.inf)])[places],
            borrowed=borrowed,
            documents=home,
            bounds=bounds_of(taken),
            moments=np.unique(_on_axis(spans.start[free], home[free])),
        )

    @property
    def intervals(self) -> tuple[Interval, ...]:
        """The times, as said."""
        return tuple(map(self.table.interval, range(len(self.table))))

    def take(self, places: Places) -> Times:
        """Return the times at `places`."""
        start, end, stated = self.spans
        return Times(
            spans=Spans(start[places], end[places], stated[places]),
            following=self.following[places],
            borrowed=self.borrowed[places],
            documents=self.documents[places],
            moments=self.moments,
        )


@dataclass(frozen=True)
class Times:
    """Some times of a timeline; all arrays but `moments` are equally long."""

    spans: Spans
    following: Floats
    borrowed: NDArray[np.bool_]
    documents: Places
    moments: Floats

    def dates_until(self, moment: float) -> Places:
        """Count each document's dates between a time's start and `moment`."""
        since = np.minimum(np.clip(self.spans.start, -_REACH / 4, _REACH / 4), moment)
        until = np.searchsorted(self.moments, _on_axis(np.full_like(since, moment), self.documents), side="right")
        count = until - np.searchsorted(self.moments, _on_axis(since, self.documents), side="right")
        return np.asarray(np.maximum(count, 0))


def _on_axis(starts: Floats, documents: Places) -> Floats:
    return np.asarray(np.clip(starts, -_REACH / 4, _REACH / 4) + documents * _REACH)


def _following(times: TimeTable, documents: Places) -> Floats:
    """Return the first later start after each time, found from the end."""
    result = np.full(len(times), np.inf)
    later: list[float] = []
    reader = -1
    for place, start, document in zip(
        range(len(times) - 1, -1, -1), times.start[::-1].tolist(), documents[::-1].tolist(), strict=True
    ):
        if document != reader:
            later, reader = [], document
        while later and later[-1] <= start:
            later.pop()
        if later:
            result[place] = later[-1]
        later.append(start)
    return result
