"""Times of passages in reading order, with what follows each.

A text tells a history as a row of dates. "In 1916 it became a college and, in 1923, a junior college"
says what held in 1920 although neither date is near: what begins at one date lasts until the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dateline.temporal.interval import Interval
from dateline.temporal.scoring import Spans

Floats = NDArray[np.float64]
Places = NDArray[np.int64]

_REACH = 1e13
"""Seconds between the histories of two documents on the common axis of `Timeline.moments`; 300,000 years."""


@dataclass(frozen=True)
class Timeline:
    """Times in the order of their sentences.

    Those of sentence i lie in `bounds[i]:bounds[i + 1]`. A sentence without a date of its own takes its passage's day
    of publication or, where that is not known, the times of the sentence before it in the same document; the latter are
    marked as borrowed.

    Attributes:
        intervals: the times themselves.
        spans: the same as arrays, shape (times,).
        following: the start of the next later time in the same document; infinite where none follows, shape (times,).
        borrowed: whether a time is that of an earlier sentence, shape (times,).
        documents: the document of each time, shape (times,).
        bounds: shape (sentences + 1,).
        moments: the starts of all that a document dates, sorted, each document's on its own stretch of one axis.
    """

    intervals: tuple[Interval, ...]
    spans: Spans
    following: Floats
    borrowed: NDArray[np.bool_]
    documents: Places
    bounds: Places
    moments: Floats

    @classmethod
    def build(
        cls, times: Sequence[Sequence[Interval]], *, documents: Sequence[int], published: Sequence[Interval | None]
    ) -> Timeline:
        """Build a timeline from sentences in reading order.

        Each comes with its times, its document and that document's day of publication.
        """
        following = _following(times, documents)
        intervals: list[Interval] = []
        nexts: list[float] = []
        borrowed: list[bool] = []
        owners: list[int] = []
        bounds = [0]
        lender = -1
        for number, own in enumerate(times):
            if number and documents[number] != documents[number - 1]:
                lender = -1
            if own:
                lender = number
            day = published[number]
            taken: Sequence[Interval]
            if own or (day is None and lender >= 0):
                taken, ends = times[lender], following[lender]
            else:
                taken, ends = ([day], [np.inf]) if day is not None else ([], [])
            borrowed += [not own and day is None] * len(taken)
            intervals += taken
            nexts += ends
            owners += [documents[number]] * len(taken)
            bounds.append(len(intervals))
        spans, home, lent = Spans.of(intervals), np.array(owners, dtype=np.int64), np.array(borrowed, dtype=np.bool_)
        dated = ~lent & ~spans.stated & np.isfinite(spans.start)
        return cls(
            intervals=tuple(intervals),
            spans=spans,
            following=np.array(nexts, dtype=np.float64),
            borrowed=lent,
            documents=home,
            bounds=np.array(bounds, dtype=np.int64),
            moments=np.unique(_on_axis(spans.start[dated], home[dated])),
        )

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


def _following(times: Sequence[Sequence[Interval]], documents: Sequence[int]) -> list[list[float]]:
    """Return the first later start after each time, found from the end."""
    result: list[list[float]] = [[] for _ in times]
    later: list[float] = []
    for number in range(len(times) - 1, -1, -1):
        if number + 1 < len(times) and documents[number] != documents[number + 1]:
            later.clear()
        for interval in reversed(times[number]):
            start = -np.inf if interval.start is None else float(interval.start)
            while later and later[-1] <= start:
                later.pop()
            result[number].append(later[-1] if later else np.inf)
            later.append(start)
        result[number].reverse()
    return result
