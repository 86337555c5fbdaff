"""Intervals: construction, relations and JSON, over the whole calendar."""

from __future__ import annotations

import calendar
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dateline.errors import BadInput
from dateline.temporal import Constraint, Interval
from dateline.temporal.as_of import read_moment
from dateline.temporal.interval import DAY, civil_from_days, days_from_civil, moment_of, seconds_of

SECONDS = st.integers(-(10**12), 10**12)


@st.composite
def intervals(draw: st.DrawFn) -> Interval:
    start, length = draw(SECONDS), draw(st.integers(1, 10**10))
    shape = draw(st.sampled_from(("closed", "from", "to", "all")))
    return Interval(
        start if shape in ("closed", "from") else None, start + length if shape in ("closed", "to") else None
    )


@given(st.dates())
def test_civil_days_agree_with_the_standard_library(day: date) -> None:
    days = days_from_civil(day.year, day.month, day.day)
    assert days == day.toordinal() - date(1970, 1, 1).toordinal()
    assert civil_from_days(days) == (day.year, day.month, day.day)


@given(st.integers(-(10**7), 10**7))
def test_civil_days_round_trip_in_any_year(days: int) -> None:
    assert days_from_civil(*civil_from_days(days)) == days


@given(st.integers(1, 9999), st.integers(1, 12))
def test_a_month_has_as_many_days_as_the_calendar_says(year: int, month: int) -> None:
    interval = Interval.of_month(year, month)
    assert interval.start is not None
    assert interval.end is not None
    assert (interval.end - interval.start) // DAY == calendar.monthrange(year, month)[1]


@given(intervals())
def test_json_keeps_an_interval(interval: Interval) -> None:
    assert Interval.from_json(interval.to_json()) == interval


@given(intervals(), intervals())
def test_before_and_after_are_opposites_and_exclude_overlap(one: Interval, other: Interval) -> None:
    assert one.before(other) == other.after(one)
    assert not (one.before(other) and one.overlaps(other))
    assert one.overlaps(other) == other.overlaps(one)


@given(intervals(), intervals())
def test_what_contains_another_overlaps_it(one: Interval, other: Interval) -> None:
    assert one.overlaps(other) or not other.contains(one)


@given(st.datetimes(min_value=datetime(1, 1, 1), max_value=datetime(9999, 12, 31)))
def test_moments_round_trip_to_the_second(moment: datetime) -> None:
    whole = moment.replace(microsecond=0)
    assert moment_of(seconds_of(whole)) == whole.replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("2019", "2019"), ("2019-05", "2019-05"), ("2019-05-06", "2019-05-06"), ("2019/5/6 10:00", "2019-05-06")],
)
def test_iso_dates_keep_their_precision(text: str, expected: str) -> None:
    assert str(Interval.parse(text)) == expected


@pytest.mark.parametrize("text", ["2019", "2019-05", "2019-05-06", "-0043"])
def test_what_has_no_end_keeps_the_precision_of_its_start(text: str) -> None:
    start = Interval.parse(text)
    since = Interval(start.start, None, start.granularity)
    assert str(since) == f"{text}/.."
    assert Interval.from_json(since.to_json()) == since
    assert Constraint("since", start).window() == since


def test_what_was_written_without_the_precision_of_its_start_reads_as_before() -> None:
    stored = {"start": "2019-01-01", "end": None, "granularity": "span"}
    assert str(Interval.from_json(stored)) == "2019-01-01/.."


@pytest.mark.parametrize(
    "text", ["", "tomorrow", "2019-13", "2019-02-30", "19-05-06", "0000", "0000-05", "-0000-05-06", "2019-05-06 31:70"]
)
def test_what_is_no_date_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(BadInput):
        Interval.parse(text)


@pytest.mark.parametrize("text", ["0000", "0000-00-00", "-0043", "-0001-12-31"])
def test_nothing_is_asked_as_of_a_year_that_no_moment_has(text: str) -> None:
    with pytest.raises(BadInput, match=text):
        read_moment(text)


def test_the_first_and_the_last_year_can_be_asked_about() -> None:
    assert read_moment("0001") == datetime(1, 12, 31, 23, 59, 59, tzinfo=UTC)
    assert read_moment("9999", future_ok=True) == datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)


def test_an_interval_must_not_end_before_it_starts() -> None:
    with pytest.raises(BadInput, match="must end after"):
        Interval(10, 10)


@pytest.mark.parametrize(
    "moment",
    [
        "2019-13-45", "2020-99-99", "2019-02-29", "2019-00-01", "2019-01-00", "2019-01-01T25:00:00", "2019-01-01T24:00:01",
        "2019-01-01T10:60:00", "2019-01-01T10:00:61", "1" * 5_000 + "-01-01", 2019, 20.5, ["2019-01-01"], True,
    ],
)  # fmt: skip
def test_json_of_a_moment_that_there_is_not_is_refused_in_one_sentence(moment: object) -> None:
    for ends in ({"start": moment, "end": None}, {"start": None, "end": moment}):
        with pytest.raises(BadInput):
            Interval.from_json({**ends, "granularity": "day"})


def test_json_of_no_granularity_is_refused_in_one_sentence() -> None:
    for granularity in ("eon", 1, ["day"], None):
        with pytest.raises(BadInput, match="granularity"):
            Interval.from_json({"start": "2019-01-01", "end": None, "granularity": granularity})


def test_the_end_of_a_day_is_the_beginning_of_the_next() -> None:
    assert seconds_of("2019-12-31T24:00:00") == seconds_of("2020-01-01")
