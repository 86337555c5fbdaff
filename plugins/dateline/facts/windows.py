"""Windows of event time that a read asks about."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from dateline.errors import BadInput
from dateline.temporal.as_of import AsOf, Clock, is_given, read_time
from dateline.temporal.asking import asking_moment
from dateline.temporal.interval import Interval, seconds_of


@dataclass(frozen=True, slots=True)
class AskedTime:
    """The time that a retriever asks a fact store about.

    Attributes:
        as_of: when the facts were true, where no window is given.
        moment: the same as a moment, not later than now: what reads the facts counts from it.
        window: in its place, a stretch of time.

    Example:
        >>> from dateline.temporal.as_of import now
        >>> asked = AskedTime.of("2020", during=None, before=None, after="2017", clock=now)
        >>> str(asked.window)
        '2018-01-01/2021-01-01'
    """

    as_of: AsOf
    moment: datetime
    window: Interval | None

    @classmethod
    def of(cls, as_of: AsOf, *, during: AsOf, before: AsOf, after: AsOf, clock: Clock) -> AskedTime:
        """Read what is given; without `as_of` the asking day around counts.

        Raises:
            BadInput: as `read_window`.
        """
        named = as_of if is_given(as_of) else asking_moment(None, clock=clock)
        read = read_time(named, clock=clock)
        moment = read.last_moment() if isinstance(read, Interval) else read or clock()
        window = read_window(during=during, before=before, after=after, clock=lambda: moment)
        return cls(named, min(moment, clock()), window)

    @property
    def options(self) -> dict[str, Any]:
        """Return the arguments of the store's reads."""
        return {"as_of": self.as_of} if self.window is None else {"during": self.window}


def read_window(*, during: AsOf, before: AsOf, after: AsOf, clock: Clock) -> Interval | None:
    """Read the stretch of time that these name together.

    It ends before `before` begins, and begins as `after` ends. One that nothing ends is over now, unless it begins later.
    `None` where none is named.

    Raises:
        BadInput: where they leave nothing, and as for `read_time`.

    Example:
        >>> str(read_window(during=None, before="2024-05", after="2023", clock=lambda: datetime(2025, 1, 1)))
        '2024-01-01/2024-05-01'
    """
    if not any(map(is_given, (during, before, after))):
        return None
    starts = [*_seconds(during, clock, end=False), *_seconds(after, clock, end=True)]
    ends = [*_seconds(during, clock, end=True), *_seconds(before, clock, end=False)]
    start, present = max(starts, default=None), seconds_of(clock()) + 1
    if not ends and (start is None or start < present):
        ends = [present]
    try:
        return Interval(start, min(ends, default=None))
    except BadInput as cause:
        raise BadInput("The windows that during, before and after name have no moment in common.") from cause


def _seconds(given: AsOf, clock: Clock, *, end: bool) -> list[int]:
    """Return the second at which a time begins or is over."""
    read = read_time(given, clock=clock)
    if isinstance(read, datetime):
        return [seconds_of(read) + end]
    second = None if read is None else read.end if end else read.start
    return [] if second is None else [second]
