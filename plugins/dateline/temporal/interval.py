"""Half-open stretches of time that remember how precisely they were said.

An `Interval` is `[start, end)` in whole seconds since 1970-01-01 of the proleptic Gregorian
calendar, without a time zone of its own: "2019" is the year 2019 wherever it is read. `None` at
either end means open. Seconds rather than `datetime` because years before 1 and after 9999 occur
in ordinary text, and because scorers work on arrays of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Any, Literal, get_args

from dateline.errors import BadInput, check_choice

Granularity = Literal[
    "second", "minute", "hour", "day", "week", "month", "quarter", "season", "half", "year", "decade", "century", "span"
]
"""How precisely a time was said; "span" for a range of two ends or an unknown one. A range without an end keeps that of its start."""

DAY = 86_400
_DATE = re.compile(r"\s*(-?\d{4})(?:[-/](\d{1,2})(?:[-/](\d{1,2})(?:[T /](?:[01]?\d|2[0-4]):[0-5]\d.*)?)?)?\s*", re.S)
_MOMENT = re.compile(r"(-?\d{4,12})-(\d\d)-(\d\d)(?:T([01]\d|2[0-4]):([0-5]\d):([0-5]\d))?")
_GRANULARITIES = dict.fromkeys(get_args(Granularity))


def days_from_civil(year: int, month: int, day: int) -> int:
    """Return days from 1970-01-01 to a proleptic Gregorian date.

    Year 0 is 1 BC, any sign is allowed.
    """
    year -= month <= 2
    era = year // 400
    year_of_era = year - era * 400
    day_of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    return era * 146_097 + year_of_era * 365 + year_of_era // 4 - year_of_era // 100 + day_of_year - 719_468


def civil_from_days(days: int) -> tuple[int, int, int]:
    """Return the inverse of `days_from_civil`: (year, month, day)."""
    days += 719_468
    era = days // 146_097
    day_of_era = days - era * 146_097
    year_of_era = (day_of_era - day_of_era // 1460 + day_of_era // 36_524 - day_of_era // 146_096) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    shifted = (5 * day_of_year + 2) // 153
    month = shifted + (3 if shifted < 10 else -9)
    return year_of_era + era * 400 + (month <= 2), month, day_of_year - (153 * shifted + 2) // 5 + 1


@lru_cache(maxsize=8192)
def month_start(year: int, month: int) -> int:
    """Return the seconds at the start of a month.

    Months beyond 1 to 12 roll over into other years.
    """
    return days_from_civil(year + (month - 1) // 12, (month - 1) % 12 + 1, 1) * DAY


@dataclass(frozen=True, slots=True)
class Interval:
    """A half-open interval `[start, end)` that remembers its precision.

    Seconds since 1970-01-01; `None` is an open end.

    Raises:
        BadInput: when `end` does not come after `start`, or the granularity is unknown.

    Example:
        >>> Interval.of_years(2019, 2021).contains(Interval.parse("2021-05"))
        True
        >>> str(Interval.of_years(2019, 2021))
        '2019-01-01/2022-01-01'
    """

    start: int | None
    end: int | None
    granularity: Granularity = "span"

    def __post_init__(self) -> None:
        if self.start is not None and self.end is not None and self.end <= self.start:
            raise BadInput(f"An interval must end after it starts, not run from {self.start} to {self.end}.")
        check_choice(self.granularity, name="granularity", choices=_GRANULARITIES)

    # -- construction -------------------------------------------------------------------------

    @classmethod
    def of_day(cls, year: int, month: int, day: int) -> Interval:
        """Build the interval of one calendar day.

        Raises:
            BadInput: for a day that its month does not have.
        """
        start = days_from_civil(year, month, day)
        if civil_from_days(start) != (year, month, day):
            raise BadInput(f"There is no day {year:04d}-{month:02d}-{day:02d} in the calendar.")
        return cls(start * DAY, (start + 1) * DAY, "day")

    @classmethod
    def of_month(cls, year: int, month: int) -> Interval:
        """Build the interval of one calendar month.

        Raises:
            BadInput: for a month outside 1 to 12.
        """
        if not 1 <= month <= 12:
            raise BadInput(f"There is no month {month} in the calendar; months run from 1 to 12.")
        return cls(month_start(year, month), month_start(year, month + 1), "month")

    @classmethod
    def of_year(cls, year: int) -> Interval:
        """Build the interval of one calendar year.

        0 is 1 BC, -1 is 2 BC.
        """
        return cls(month_start(year, 1), month_start(year + 1, 1), "year")

    @classmethod
    def of_years(cls, first: int, last: int, granularity: Granularity = "span") -> Interval:
        """Return the interval from year `first` to `last`, both included."""
        return cls(month_start(first, 1), month_start(last + 1, 1), granularity)

    @classmethod
    def of_second(cls, second: int) -> Interval:
        """Return one second, counted from 1970 by the calendar."""
        return cls(second, second + 1, "second")

    @classmethod
    def of_moment(cls, moment: datetime | date) -> Interval:
        """Return the calendar day, in its own time zone, of a moment."""
        return cls.of_day(moment.year, moment.month, moment.day)

    @classmethod
    def parse(cls, text: str) -> Interval:
        """Read `YYYY`, `YYYY-MM`, `YYYY-MM-DD` or an ISO date and time.

        Slashes may stand for hyphens; a date and time gives its day.

        Raises:
            BadInput: for anything else, for dates that the calendar does not have, and for the year 0, which nobody
                means: it stands where a date is missing.
        """
        match = _DATE.fullmatch(text)
        if match is None:
            raise BadInput(f"Cannot read {_shortened(text)!r} as a date; write YYYY, YYYY-MM or YYYY-MM-DD.")
        year, month, day = match.groups()
        if not int(year):
            raise BadInput(f"Cannot read {_shortened(text)!r} as a date: no year is called 0; write 0001 or later.")
        if day:
            return cls.of_day(int(year), int(month), int(day))
        return cls.of_month(int(year), int(month)) if month else cls.of_year(int(year))

    # -- relations ----------------------------------------------------------------------------

    def contains(self, other: Interval) -> bool:
        """Return whether every moment of `other` lies in this interval."""
        starts = self.start is None or (other.start is not None and self.start <= other.start)
        ends = self.end is None or (other.end is not None and other.end <= self.end)
        return starts and ends

    def overlaps(self, other: Interval) -> bool:
        """Return whether the two share a moment."""
        return (self.start is None or other.end is None or self.start < other.end) and (
            other.start is None or self.end is None or other.start < self.end
        )

    def before(self, other: Interval) -> bool:
        """Return whether this interval has ended when `other` starts."""
        return self.end is not None and other.start is not None and self.end <= other.start

    def after(self, other: Interval) -> bool:
        """Return whether this interval starts when `other` has ended."""
        return other.before(self)

    # -- views --------------------------------------------------------------------------------

    @property
    def is_precise(self) -> bool:
        """Return whether it was said to the day, or finer."""
        return self.granularity in ("second", "minute", "hour", "day")

    @property
    def middle(self) -> float | None:
        """Middle second, or the known end; `None` when both are open."""
        if self.start is None or self.end is None:
            return self.end if self.start is None else self.start
        return (self.start + self.end) / 2

    @property
    def last(self) -> int | None:
        """Last whole second inside the interval, `None` when it is open."""
        return None if self.end is None else self.end - 1

    def last_moment(self) -> datetime:
        """Return the last second inside as an aware UTC datetime.

        Clipped to the years 1 to 9999.
        """
        if self.end is None:
            return datetime.max.replace(microsecond=0, tzinfo=UTC)
        return moment_of(self.end - 1)

    def isoformat(self) -> str:
        """Return the shortest form that keeps the precision.

        `2019`, `2019-05`, `2019-05-06`, the moment at which an hour or less begins, else `start/end` (end exclusive).
        An open end is written `..`, as in ISO 8601-2: `2019/..` is "since 2019", `2019-01-01/..` since that day.
        """
        said = self._start_as_said()
        if said is None:
            return f"{iso_of(self.start)}/{iso_of(self.end)}"
        return said if self.end is not None else f"{said}/.."

    def _start_as_said(self) -> str | None:
        """Return the start at its precision, `None` without a short form."""
        if self.start is None:
            return None
        year, month, day = civil_from_days(self.start // DAY)
        match self.granularity:
            case "year":
                return _iso_year(year)
            case "month":
                return f"{_iso_year(year)}-{month:02d}"
            case "day":
                return f"{_iso_year(year)}-{month:02d}-{day:02d}"
            case "hour" | "minute" | "second":
                return iso_of(self.start)
            case _:
                return None

    def __str__(self) -> str:
        return self.isoformat()

    # -- JSON ---------------------------------------------------------------------------------

    def to_json(self) -> dict[str, str | None]:
        """`{"start", "end", "granularity"}` with ISO strings, `end` exclusive, `None` for open."""
        return {
            "start": None if self.start is None else iso_of(self.start),
            "end": None if self.end is None else iso_of(self.end),
            "granularity": self.granularity,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Interval:
        """Return the inverse of `to_json`.

        Raises:
            BadInput: when a field is missing or malformed.
        """
        try:
            start, end = (None if value[name] is None else seconds_of(value[name]) for name in ("start", "end"))
            return cls(start, end, value["granularity"])
        except (KeyError, TypeError, AttributeError) as cause:
            raise BadInput(f"An interval needs start and end as ISO dates and a granularity, not {value!r}.") from cause

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        """Let pydantic models hold intervals: validated from JSON form, serialised to it."""
        from pydantic_core import core_schema

        def validate(value: Any) -> Interval:
            return value if isinstance(value, cls) else cls.from_json(value)

        return core_schema.no_info_plain_validator_function(
            validate,
            json_schema_input_schema=core_schema.dict_schema(),
            serialization=core_schema.plain_serializer_function_ser_schema(
                cls.to_json, return_schema=core_schema.dict_schema()
            ),
        )


def beginning(when: Interval | None, *, unknown: str = "an unknown date") -> str:
    """Return when something began: the ISO form without an open end.

    Example:
        >>> beginning(Interval(Interval.of_year(2019).start, None, "year")), beginning(None)
        ('2019', 'an unknown date')
    """
    return unknown if when is None else when.isoformat().removesuffix("/..")


def opening(when: Interval | None) -> Interval | None:
    """Return the first second of a time, if it has one.

    Example:
        >>> str(opening(Interval(Interval.of_year(2019).start, None, "year")))
        '2019-01-01'
    """
    return when if when is None or when.start is None else Interval.of_second(when.start)


def seconds_of(moment: datetime | date | str) -> int:
    """Convert a datetime, date or ISO string to calendar seconds since 1970.

    A datetime counts by its own wall clock.

    Raises:
        BadInput: for a text of another form, or of a moment that the calendar does not have.
    """
    if isinstance(moment, str):
        match = _MOMENT.fullmatch(moment)
        if match is None:
            raise BadInput(f"Cannot read {_shortened(moment)!r} as a moment; write YYYY-MM-DD or YYYY-MM-DDTHH:MM:SS.")
        year, month, day, hour, minute, second = (int(part or 0) for part in match.groups())
        clock = hour * 3600 + minute * 60 + second
        if clock > DAY:
            raise BadInput(f"There is no time of day after 24:00:00, as in {moment!r}.")
        return (Interval.of_day(year, month, day).start or 0) + clock
    days = days_from_civil(moment.year, moment.month, moment.day)
    if isinstance(moment, datetime):
        return days * DAY + moment.hour * 3600 + moment.minute * 60 + moment.second
    return days * DAY


def iso_of(seconds: int | None) -> str:
    """Return calendar seconds as ISO date or moment, `None` as `..`.

    Midnight gives the date alone.
    """
    if seconds is None:
        return ".."
    days, rest = divmod(seconds, DAY)
    year, month, day = civil_from_days(days)
    text = f"{_iso_year(year)}-{month:02d}-{day:02d}"
    return text if rest == 0 else f"{text}T{rest // 3600:02d}:{rest % 3600 // 60:02d}:{rest % 60:02d}"


def moment_of(seconds: int) -> datetime:
    """Convert calendar seconds to an aware UTC datetime.

    Clipped to the years 1 to 9999.
    """
    year, month, day = civil_from_days(seconds // DAY)
    if year < 1:
        return datetime.min.replace(tzinfo=UTC)
    if year > 9999:
        return datetime.max.replace(microsecond=0, tzinfo=UTC)
    rest = seconds % DAY
    return datetime(year, month, day, rest // 3600, rest % 3600 // 60, rest % 60, tzinfo=UTC)


def _shortened(text: str) -> str:
    """Return a text as an error quotes it."""
    return text if len(text) <= 40 else f"{text[:39]}…"


def _iso_year(year: int) -> str:
    return f"{year:04d}" if year >= 0 else f"-{-year:04d}"
