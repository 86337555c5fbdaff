"""Moments as people write them, with the one function reading them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Any, TypeAlias

from pydantic import Field, PlainSerializer, PlainValidator, WithJsonSchema

from dateline.errors import BadInput, check_zone
from dateline.limits import shortened
from dateline.temporal.expressions import find_expressions
from dateline.temporal.interval import Interval, moment_of, seconds_of

AsOf: TypeAlias = datetime | date | Interval | str | int | None
"""A moment as people give it: text, a date, an aware datetime, an `Interval`, a year; `None` or empty text is now."""

Clock: TypeAlias = Callable[[], datetime]
"""What tells the present moment, with a time zone."""

ClockField = Annotated[Clock, Field(exclude=True, description="What 'when called' means.")]
"""The type of a pydantic field that holds a clock."""

FORMS = "2024, 2024-05, 2024-05-01, 2024-05-01T10:00, 2024-05-01T10:00:30Z, May 2024, 1 May 2024, today or yesterday"
"""The forms that an error names; docs/temporal.md lists them all."""

EMPTY = "is empty; give a date such as 2024-05-01, or leave it out"
"""What is told of an empty day where nobody can have meant now by it."""

_DATE = re.compile(r"-?\d{4}(?:[-/]\d{1,2}){0,2}")
_CLOCK_TIME = re.compile(r"\d{4}-?\d\d-?\d\d[T ]\d.*")
_NUMBERS = re.compile(r"(\d{1,2})([/-])(\d{1,2})\2(?:\d{4}|\d\d)")
_YEARS = range(1000, 3000)
FARTHEST_EAST = timedelta(hours=14)
"""A day begins up to so long before it does in UTC, in the zone farthest east: whoever means today there, means now.

Not where the day is counted from the clock: "tomorrow" is nobody's today.
"""
_DIGIT = re.compile(r"\d")
_SKEW = timedelta(minutes=5)
"""Two machines' clocks may differ by so much (chosen by hand)."""


def now() -> datetime:
    """Return the present moment in UTC, the default clock."""
    return datetime.now(UTC)


def is_given(value: AsOf) -> bool:
    """Return whether a moment is given, not `None` or empty."""
    return value is not None and not (isinstance(value, str) and not value.strip())


def if_given(value: AsOf) -> AsOf:
    """Return a moment that is given, else `None`."""
    return value if is_given(value) else None


def read_moment(*given: AsOf, clock: Clock = now, future_ok: bool = False) -> datetime:
    """Read the first moment that is given, else the clock's.

    A datetime stays as it is. A day, month, year or other period means its last second, in UTC; one that is not over
    yet by the clock means now. Naive text such as `2024-05-01T10:00` is UTC.

    Args:
        given: forms of a moment, a caller's own before a default.
        clock: tells what "now", "today" and "last week" mean.
        future_ok: read what lies after the clock too, every period at its end.

    Raises:
        BadInput: for what cannot be read, a datetime without time zone, a year outside 1 to 9999, and, without
            `future_ok`, for what is later than the clock.

    Example:
        >>> from datetime import UTC, datetime
        >>> noon = datetime(2024, 6, 1, 12, tzinfo=UTC)
        >>> [str(read_moment(form, clock=lambda: noon)) for form in ("March 2019", 2024, None)]
        ['2019-03-31 23:59:59+00:00', '2024-06-01 12:00:00+00:00', '2024-06-01 12:00:00+00:00']
    """
    said = next((each for each in given if is_given(each)), None)
    read = read_time(said, clock=clock)
    if read is None:
        return clock()
    if future_ok:
        return _end(read, said)
    return _past(read, said, now=clock())


def read_time(given: AsOf | Mapping[str, Any], *, clock: Clock = now) -> datetime | Interval | None:
    """Read a time, past or future, as precisely as it was stated.

    `None` where none is given. An `Interval` may be in its JSON form.

    Raises:
        BadInput: for what cannot be read, and a datetime without time zone.

    Example:
        >>> str(read_time("15.03.2019"))
        '2019-03-15'
    """
    match given:
        case datetime():
            return _aware(given)
        case date():
            return Interval.of_moment(given)
        case Interval():
            return given
        case Mapping():
            return Interval.from_json(given)
        case str():
            return _read_text(given.strip(), clock=clock) if given.strip() else None
        case None:
            return None
        case int() if not isinstance(given, bool) and given in _YEARS:
            return Interval.of_year(given)
    raise _unreadable(repr(given))


def checked(value: Any, *, clock: Clock | None = None) -> AsOf:
    """Return a moment unchanged, for a later reading.

    Raises:
        BadInput: for what cannot be read, and with a clock for what is later.
    """
    given: AsOf = value
    if clock is None:
        read_time(given)
    else:
        read_moment(given, clock=clock)
    return given


def written(value: AsOf) -> Any:
    """Return a moment in JSON, so that `checked` gives it back."""
    if isinstance(value, Interval):
        return value.to_json()
    return value.isoformat() if isinstance(value, date) else value


AsOfField = Annotated[
    AsOf,
    PlainValidator(lambda value: checked(value), json_schema_input_type=str),
    PlainSerializer(written, return_type=Any),
]
"""The type of a pydantic field that holds a moment as it was given, to be read when it is used."""

AsOfInput = Annotated[Any, WithJsonSchema({"type": "string"}), PlainSerializer(written, return_type=Any)]
"""The same, but refused by whoever reads it and not by pydantic, whose errors some frameworks swallow."""


def _read_text(text: str, *, clock: Clock) -> datetime | Interval:
    if text.casefold() == "now":
        return clock()
    if _CLOCK_TIME.fullmatch(text):
        return _read_clock_time(text)
    return Interval.parse(text) if _DATE.fullmatch(text) else _read_words(text, clock=clock)


def _read_clock_time(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise _unreadable(repr(text)) from None
    return _aware(moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC))


def _read_words(text: str, *, clock: Clock) -> datetime | Interval:
    """Return a time in words, where the words say nothing else."""
    if (numbers := _NUMBERS.fullmatch(text)) and _both_months(numbers[1], numbers[3]):
        raise BadInput(f"{text!r} may be two days, the day or the month first; write it as YYYY-MM-DD.")
    found = find_expressions(text, anchor=Interval.of_moment(clock()))
    whole = len(found) == 1 and found[0].text == text and found[0].kind in ("date", "time")
    interval = found[0].interval if whole else None
    if interval is None:
        raise _unreadable(repr(shortened(text, limit=40)))
    if interval.start is not None and interval.granularity in ("minute", "second"):
        return moment_of(interval.start)
    return interval


def _both_months(first: str, second: str) -> bool:
    return first != second and int(first) <= 12 and int(second) <= 12


def _aware(moment: datetime) -> datetime:
    check_zone(moment, name="A moment")
    try:
        moment.astimezone(UTC)
    except OverflowError:
        raise BadInput(f"{moment.isoformat()} lies outside the years 1 to 9999 of UTC; give a moment inside.") from None
    return moment


def _end(read: datetime | Interval, said: AsOf) -> datetime:
    """Return the last second of a period.

    Raises:
        BadInput: where no datetime can express it.
    """
    if isinstance(read, datetime):
        return read
    moment = read.last_moment()
    if read.end is not None and seconds_of(moment) != read.end - 1:
        raise BadInput(f"Nothing can be asked as of {said}; its year must lie between 0001 and 9999.")
    return moment


def _past(read: datetime | Interval, said: AsOf, *, now: datetime) -> datetime:
    """Return the moment, or now where that lies in the period.

    Raises:
        BadInput: for a later one.
    """
    if isinstance(read, datetime):
        if read > now + _SKEW:
            raise _later(said, now)
        return min(read, now)
    ahead = FARTHEST_EAST if _DIGIT.search(str(said)) else timedelta()
    if read.start is not None and read.start > seconds_of((now + ahead).astimezone(UTC)):
        raise _later(said, now)
    if read.end is None or read.end > seconds_of(now.astimezone(UTC)):
        return now
    return _end(read, said)


def _later(said: AsOf, now: datetime) -> BadInput:
    return BadInput(f"{said} is later than now, {now:%Y-%m-%d %H:%M %Z}; nothing is known then, give an earlier time.")


def _unreadable(said: str) -> BadInput:
    return BadInput(
        f"Cannot read {said} as a date; write it as {FORMS}, or give a date or a datetime with a time zone."
    )
