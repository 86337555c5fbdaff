"""Many intervals as columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from dateline.temporal.interval import Granularity, Interval
from dateline.temporal.scoring import Spans

_GRANULARITIES: tuple[Granularity, ...] = get_args(Granularity)
_SPAN = _GRANULARITIES.index("span")


@dataclass(frozen=True)
class TimeTable:
    """Intervals as arrays of equal length, none undated.

    Attributes:
        start: seconds since 1970, minus infinity where open.
        end: the same, infinity where open.
        granularity: the number of the granularity among those of `Interval`.

    Example:
        >>> TimeTable.of([Interval.parse("2005-03")]).interval(0).isoformat()
        '2005-03'
    """

    start: NDArray[np.float64]
    end: NDArray[np.float64]
    granularity: NDArray[np.uint8]

    @classmethod
    def of(cls, intervals: Sequence[Interval]) -> TimeTable:
        """Put intervals into columns."""
        start, end, _ = Spans.of(intervals)
        granularity = [_GRANULARITIES.index(each.granularity) for each in intervals]
        return cls(start=start, end=end, granularity=np.array(granularity, dtype=np.uint8))

    def __len__(self) -> int:
        return len(self.start)

    @property
    def spans(self) -> Spans:
        """The intervals as a scorer reads them."""
        return Spans(self.start, self.end, (self.granularity == _SPAN) | np.isposinf(self.end))

    def take(self, places: NDArray[np.int64]) -> TimeTable:
        """Return the intervals at `places`."""
        return TimeTable(self.start[places], self.end[places], self.granularity[places])

    def interval(self, place: int) -> Interval:
        """Return one as it was said."""
        start, end = float(self.start[place]), float(self.end[place])
        return Interval(
            None if start == -np.inf else int(start),
            None if end == np.inf else int(end),
            _GRANULARITIES[self.granularity[place]],
        )
