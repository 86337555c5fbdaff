"""Temporal scores: the paper's scorer and an interval-aware one.

numpy is imported where something is computed, so that `import dateline` does without it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from dateline.errors import BadInput
from dateline.temporal.constraint import Constraint
from dateline.temporal.interval import DAY, Interval

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

NEUTRAL = 0.5
"""The score of what has no date, and of what lies outside the window (MRAG, appendix G and its published code)."""

YEAR = 365.2425 * DAY
"""Seconds."""


class Spans(NamedTuple):
    """Intervals as arrays of equal length, in seconds since 1970.

    Open ends are infinite, undated is NaN.

    `stated` marks those that a text gives as a stretch ("from 2019 to 2022"), not as one vague moment ("in 2019").

    Example:
        >>> Spans.of([Interval.parse("2005"), None]).undated.tolist()
        [False, True]
    """

    start: Floats
    end: Floats
    stated: NDArray[np.bool_]

    @classmethod
    def of(cls, intervals: Sequence[Interval | None]) -> Spans:
        """Return the arrays of a sequence of intervals; `None` is undated."""
        import numpy as np

        start = np.array([_edge(i, i.start if i else None, -np.inf) for i in intervals], dtype=np.float64)
        end = np.array([_edge(i, i.end if i else None, np.inf) for i in intervals], dtype=np.float64)
        stated = np.array(
            [i is not None and (i.granularity == "span" or i.end is None) for i in intervals], dtype=np.bool_
        )
        return cls(start, end, stated)

    @property
    def undated(self) -> NDArray[np.bool_]:
        """Boolean mask of undated entries."""
        import numpy as np

        return np.isnan(self.start)


def _edge(interval: Interval | None, value: int | None, open_end: float) -> float:
    if interval is None:
        return float("nan")
    return open_end if value is None else float(value)


@runtime_checkable
class TemporalScorer(Protocol):
    """A scorer of times against a constraint."""

    @property
    def name(self) -> str:
        """Name shown in traces."""
        ...

    def score(self, constraint: Constraint, spans: Spans | Sequence[Interval | None]) -> Floats:
        """Return one score per span, 0 to 1.

        0.5 is neutral.
        """
        ...


def _arrays(spans: Spans | Sequence[Interval | None]) -> Spans:
    return spans if isinstance(spans, Spans) else Spans.of(spans)


def ends_of(window: Interval) -> tuple[float, float]:
    """Return where an interval starts and ends; open ends are infinite."""
    return (
        -math.inf if window.start is None else float(window.start),
        math.inf if window.end is None else float(window.end),
    )


@dataclass(frozen=True, slots=True)
class MragScorer:
    """MRAG's temporal score (section 4, appendix G, figure 7).

    0.5 outside the window; inside it linear between 0.6 and 1.0, over `reach` years for a window with one open end,
    else over the window; rising with time for "last" and where nothing is said, falling for "first". An interval in the
    text counts as two moments, its first and its last, and the better one decides. The values are the paper's.

    Example:
        >>> from dateline.temporal import Constraint, Interval
        >>> constraint = Constraint("between", Interval.of_years(2010, 2019), "last")
        >>> scores = MragScorer().score(constraint, [Interval.parse("2008"), Interval.parse("2018"), None])
        >>> [round(float(score), 1) for score in scores]
        [0.5, 1.0, 0.5]
    """

    reach: float = 50.0
    years_only: bool = False
    """Compare calendar years, as the published code does: 6 May 2021 then means all of 2021."""

    def __post_init__(self) -> None:
        if not self.reach > 0:
            raise BadInput(f"reach must be a positive number of years, not {self.reach}.")

    @property
    def name(self) -> str:
        return "mrag-years" if self.years_only else "mrag"

    def score(self, constraint: Constraint, spans: Spans | Sequence[Interval | None]) -> Floats:
        """Return scores per span: 0.5, or 0.6 to 1."""
        import numpy as np

        start, end, _ = _arrays(spans)
        return np.maximum(self._moment(constraint, start), self._moment(constraint, end - 1))

    def _moment(self, constraint: Constraint, moment: Floats) -> Floats:
        import numpy as np

        low, high = ends_of(constraint.window())
        last, reach = high - 1, self.reach * YEAR
        if self.years_only:
            moment, reach = calendar_years(moment), self.reach
            low, last = calendar_years(np.array([low, last]))
        with np.errstate(invalid="ignore", divide="ignore"):
            if np.isinf(low):
                share = 1 - (last - moment) / reach
            elif np.isinf(last):
                share = (moment - low) / reach
            else:
                share = (moment - low) / (last - low) if last > low else np.ones_like(moment)
            share = np.clip(share, 0.0, 1.0)
            if constraint.ordinal == "first" and last > low:  # a single year is its first and its last
                share = 1 - share
            inside = (moment >= low) & (moment <= last)
        return np.where(inside, 0.6 + 0.4 * share, NEUTRAL)


def calendar_years(seconds: Floats) -> Floats:
    """Return each moment's calendar year; infinities and NaN stay."""
    import numpy as np

    with np.errstate(invalid="ignore"):
        days = np.floor(seconds / DAY) + 719_468
        era = np.floor(days / 146_097)
        day_of_era = days - era * 146_097
        leaps = day_of_era // 1460 - day_of_era // 36_524 + day_of_era // 146_096
        year_of_era = (day_of_era - leaps) // 365
        day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
        years = year_of_era + era * 400 + ((5 * day_of_year + 2) // 153 >= 10)
    return np.where(np.isfinite(seconds), years, seconds)


@dataclass(frozen=True, slots=True)
class IntervalScorer:
    """A score that treats the times of a text as intervals.

    - A stretch that covers the asked time is best: who held an office "from 2001 to 2009" held it in 2005.
    - A vague date counts by the share of it that lies in the asked time: "2021" is only half a match for May 2021.
    - For the state of things at a time, an earlier date is the likely beginning of that state: the nearer, the better.
    - Undated is neutral, 0.5; a date that cannot satisfy the relation falls below it.

    Example:
        >>> from dateline.temporal import Constraint, Interval
        >>> constraint = Constraint("at", Interval.parse("2005"))
        >>> scores = IntervalScorer().score(constraint, [Interval.of_years(2001, 2009), Interval.parse("2012"), None])
        >>> [round(float(score), 2) for score in scores]
        [1.0, 0.27, 0.5]
    """

    memory: float = 15.0
    """Years after which an earlier date says half as much about the asked time."""

    outside: float = 0.25
    """The score of a date that cannot satisfy the relation."""

    def __post_init__(self) -> None:
        if not self.memory > 0:
            raise BadInput(f"memory must be a positive number of years, not {self.memory}.")
        if not 0 <= self.outside <= NEUTRAL:
            raise BadInput(
                f"outside must lie between 0 and {NEUTRAL}, the score of an undated text, not {self.outside}."
            )

    @property
    def name(self) -> str:
        return "interval"

    def score(self, constraint: Constraint, spans: Spans | Sequence[Interval | None]) -> Floats:
        """Return one score for each span, 0 to 1."""
        import numpy as np

        arrays = _arrays(spans)
        with np.errstate(invalid="ignore", divide="ignore"):
            match constraint.relation:
                case "around":
                    scores = self._near(arrays, *ends_of(constraint.interval))
                case "as_of" | "by" if constraint.ordinal != "first":
                    scores = self._state(arrays, *ends_of(constraint.interval))
                case "at" | "between" if constraint.relation == "at" or constraint.ordinal is None:
                    scores = self._state(arrays, *ends_of(constraint.interval))
                case _:
                    scores = self._event(arrays, *ends_of(constraint.window()), first=constraint.ordinal == "first")
        return np.where(arrays.undated, NEUTRAL, np.clip(scores, 0.0, 1.0))

    def _state(self, spans: Spans, low: float, high: float) -> Floats:
        """Return the fit to the state of things at [low, high)."""
        import numpy as np

        start, end, stated = spans
        inside = np.where((start <= low) & (end >= high) & stated, 1.0, 0.8 + 0.2 * _overlap(spans, low, high))
        # A stretch that is over says that the state is over; a single date may be where it began.
        since = np.maximum(low - np.where(stated, end, start), 0.0) / YEAR
        began = 0.55 + 0.3 * np.exp2(-since / self.memory)
        before = np.where(stated, self.outside + 0.2 * np.exp2(-since / 2), began)
        after = self.outside + 0.15 * np.exp2(-np.maximum(start - high, 0.0) / YEAR / 2)
        return np.where((end > low) & (start < high), inside, np.where(end <= low, before, after))

    def _near(self, spans: Spans, low: float, high: float) -> Floats:
        """Score times near [low, high), falling with distance on both sides."""
        import numpy as np

        gap = np.maximum(np.maximum(low - spans.end, spans.start - high), 0.0)
        nearness = np.exp2(-gap / max(high - low, YEAR))
        covered = (spans.end > low) & (spans.start < high)
        return np.where(
            covered, 0.8 + 0.2 * _overlap(spans, low, high), self.outside + (0.75 - self.outside) * nearness
        )

    def _event(self, spans: Spans, low: float, high: float, *, first: bool) -> Floats:
        """Score events in [low, high) by overlap, then by the ordinal."""
        import numpy as np

        start, end, _ = spans
        length = end - start
        shared = np.clip(np.minimum(end, high) - np.maximum(start, low), 0.0, None)
        share = np.where(np.isfinite(length), np.clip(shared / length, 0.0, 1.0), (shared > 0).astype(np.float64))
        moment = np.clip(start if first else end, low, high)
        moment = np.where(np.isfinite(moment), moment, np.where(moment > 0, start, end))
        rising = np.clip(np.nan_to_num(_position(moment, low, high), nan=0.5), 0.0, 1.0)
        scores: Floats = self.outside + share * (0.6 + 0.4 * (1 - rising if first else rising) - self.outside)
        return scores


_REACH = 50 * YEAR
"""How far an open window is told apart (MRAG, figure 7)."""


def _position(moment: Floats, low: float, high: float) -> Floats:
    """Return a moment's position in its window, 0 to 1.

    An open window is `_REACH` long.
    """
    import numpy as np

    if np.isinf(low):
        return 1 - (high - moment) / _REACH
    return (moment - low) / (_REACH if np.isinf(high) else high - low)


def _overlap(spans: Spans, low: float, high: float) -> Floats:
    """Return the overlap of spans with [low, high).

    For a stretch this is the share of the window that it covers, for a vague date its own share inside the window.
    """
    import numpy as np

    start, end, stated = spans
    shared = np.minimum(end, high) - np.maximum(start, low)
    asked = np.clip(shared / (high - low), 0.0, 1.0) if np.isfinite(high - low) else np.ones_like(start)
    length = end - start
    own = np.where(np.isfinite(length), np.clip(shared / length, 0.0, 1.0), 1.0)
    return np.where(stated, asked, own)
