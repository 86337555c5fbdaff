"""Weeks, quarters, fiscal years, holidays and parts, in all their spellings."""

from __future__ import annotations

import calendar
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dateline.errors import BadInput
from dateline.temporal import Interval, decompose, find_expressions
from dateline.temporal.holiday_dates import HOLIDAYS
from dateline.temporal.interval import DAY, days_from_civil

ANCHOR = Interval.of_day(2025, 2, 13)  # a Thursday
YEARS = st.integers(1950, 2049)
QUARTERS = st.integers(1, 4)
STARTS = st.integers(1, 12)
DAYS = st.dates(min_value=date(1951, 1, 8), max_value=date(2048, 12, 20))


def said(text: str, **options: int) -> list[str]:
    return [str(one.interval) for one in find_expressions(text, anchor=ANCHOR, **options) if one.interval]


def months(year: int, first: int, count: int) -> str:
    """`count` months from a month on, which may lie in another year."""
    whole = [Interval.of_month(year + (month - 1) // 12, (month - 1) % 12 + 1) for month in (first, first + count - 1)]
    return str(Interval(whole[0].start, whole[1].end))


@given(
    YEARS,
    QUARTERS,
    st.sampled_from(
        [
            "Q{q} {y}",
            "{q}Q{s:02d}",
            "{q}Q {y}",
            "Q{q}'{s:02d}",
            "{y} Q{q}",
            "{y}-Q{q}",
            "Q{q} of {y}",
            "{y}Q{q}",
            "Q{q}/{y}",
        ]
    ),
)
def test_a_quarter_is_the_same_in_every_spelling(year: int, number: int, form: str) -> None:
    text = form.format(q=number, y=year, s=year % 100)
    assert said(f"Revenue in {text} fell.") == [months(year, 3 * number - 2, 3)]


@given(
    YEARS,
    QUARTERS,
    STARTS,
    st.sampled_from(
        [
            "Q{q} FY{s:02d}",
            "Q{q} FY{y}",
            "FY{s:02d} Q{q}",
            "Q{q} of fiscal {y}",
            "Q{q}FY{s:02d}",
            "Q{q} {p}/{s:02d}",
            "{p}/{y} Q{q}",
        ]
    ),
)
def test_a_fiscal_quarter_counts_from_the_month_that_is_given(year: int, number: int, start: int, form: str) -> None:
    text = form.format(q=number, y=year, s=year % 100, p=year - 1)
    first = start + 3 * number - 3 - (12 if start > 1 else 0)
    assert said(f"Revenue in {text} fell.", fiscal_year_start=start) == [months(year, first, 3)]


@given(
    YEARS,
    STARTS,
    st.sampled_from(
        [
            "FY{s:02d}",
            "FY{y}",
            "fiscal {y}",
            "fiscal year {y}",
            "the fiscal year {y}",
            "the financial year {p}/{s:02d}",
            "fiscal {p}/{y}",
        ]
    ),
)
def test_a_fiscal_year_is_named_by_the_year_in_which_it_ends(year: int, start: int, form: str) -> None:
    (found,) = find_expressions(f"in {form.format(y=year, s=year % 100, p=year - 1)}", fiscal_year_start=start)
    assert found.interval is not None
    assert found.interval.last is not None
    assert Interval.of_year(year).contains(Interval(found.interval.last, found.interval.end))
    assert found.interval.isoformat() in (str(Interval.of_year(year)), months(year - (start > 1), start, 12))


def test_a_fiscal_year_starts_with_a_month() -> None:
    with pytest.raises(BadInput, match="from 1 to 12"):
        find_expressions("FY25", fiscal_year_start=13)
    with pytest.raises(BadInput, match="from 1 to 12"):
        decompose("What was sold in FY25?", as_of=datetime(2025, 2, 13, tzinfo=UTC), fiscal_year_start=0)


@given(
    DAYS,
    st.sampled_from(["week {w} of {y}", "{y}-W{w:02d}", "KW {w}/{y}", "week {w}, {y}", "{y}W{w:02d}", "CW{w} {y}"]),
)
def test_any_iso_week_is_read_back(day: date, form: str) -> None:
    year, week, _ = day.isocalendar()
    monday = day - timedelta(days=day.weekday())
    assert said(f"Delivery in {form.format(w=week, y=year)}.") == [f"{monday}/{monday + timedelta(days=7)}"]


@given(DAYS)
def test_a_week_without_a_year_is_one_near_the_day_of_writing(day: date) -> None:
    number = day.isocalendar().week
    anchor = Interval.of_day(day.year, day.month, day.day)
    (found,) = find_expressions(f"Delivery in week {number}.", anchor=anchor)
    assert found.interval is not None
    assert found.interval.contains(anchor)


ORDINALS = ("first", "second", "third", "fourth", "last")


@given(st.sampled_from(ORDINALS), st.integers(0, 6), YEARS, st.integers(1, 12))
def test_the_nth_weekday_of_any_month(ordinal: str, weekday: int, year: int, month: int) -> None:
    days = [day for week in calendar.monthcalendar(year, month) if (day := week[weekday])]
    expected = days[-1] if ordinal == "last" else days[ORDINALS.index(ordinal)]
    text = f"on the {ordinal} {calendar.day_name[weekday]} of {calendar.month_name[month]} {year}"
    assert said(text) == [f"{year:04d}-{month:02d}-{expected:02d}"]


@given(st.sampled_from(sorted(HOLIDAYS)), YEARS)
def test_every_holiday_lies_in_its_year(name: str, year: int) -> None:
    days = (days_from_civil(year, 1, 1), days_from_civil(year + 1, 1, 1))
    assert days[0] <= HOLIDAYS[name](year) < days[1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Easter Monday 2021", "2021-04-05"),
        ("Good Friday 2024", "2024-03-29"),
        ("Black Friday 2023", "2023-11-24"),
        ("New Year's Eve 2019", "2019-12-31"),
        ("last Christmas", "2024-12-25"),
        ("next Easter", "2025-04-20"),
        ("this Christmas", "2025-12-25"),
        ("St. Patrick's Day", "2025-03-17"),
    ],
)
def test_holidays(text: str, expected: str) -> None:
    assert said(f"on {text}") == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a fortnight ago", "2025-01-27/2025-02-03"),
        ("half a year ago", "2024-08"),
        ("a year and a half ago", "2023-08"),
        ("5d ago", "2025-02-08"),
        ("3 wks ago", "2025-01-20/2025-01-27"),
        ("the week of 3 March", "2025-03-03/2025-03-10"),
        ("w/c 3 March", "2025-03-03/2025-03-10"),
        ("week ending 14 June 2024", "2024-06-08/2024-06-15"),
        ("week beginning 2 June 2024", "2024-06-02/2024-06-09"),
        ("a week on Monday", "2025-02-24"),
        ("the coming weekend", "2025-02-15/2025-02-17"),
        ("weeks 12-14", "2025-03-17/2025-04-07"),
        ("Q1-Q3 2024", "2024-01-01/2024-10-01"),
        ("late Q4 2024", "2024-12-01/2025-01-01"),
        ("mid-to-late 2023", "2023-05-01/2024-01-01"),
        ("the second half of March", "2025-03-16/2025-04-01"),
        ("the noughties", "2000-01-01/2010-01-01"),
        ("the last Friday of the month", "2025-02-28"),
        ("the last Friday of the last decade", "2019-12-27"),
        ("the last weekend of the last decade", "2019-12-28/2019-12-30"),
        ("EOY 2024", "2024-10-01/2025-01-01"),
        ("pre-2015 models", "../2015-01-01"),
        ("post-2020 hires", "2021-01-01/.."),
        ("since May", "2024-05/.."),
        ("summer '69", "1969-06-01/1969-09-01"),
        ("tmrw", "2025-02-14"),
        ("back in nov", "2024-11"),
        ("the next 48 hours", "2025-02-13/2025-02-16"),
        ("in the year to 31 March 2023", "2023-03-31"),
    ],
)
def test_parts_and_short_forms(text: str, expected: str) -> None:
    assert said(text) == [expected]


@pytest.mark.parametrize(
    ("ahead", "back"),
    [
        ("Q2 will be better.", "Q2 was better."),
        ("Deadline: EOD Friday.", "It broke on Friday."),
        ("Please send it on Monday.", "He sent it on Monday."),
        ("The release slipped to June.", "The release came out in June."),
        ("Rent is due on the 1st.", "He resigned on the 1st."),
        ("We'll be back in three days.", "He resigned three days ago."),
        ("The pool is closed on Friday.", "The pool was closed on Friday."),
        ("It's closed on Friday.", "They closed it on Friday."),
        ("The pool is not yet closed on Friday.", "The pool, not yet full, closed on Friday."),
        ("The rent is due in January.", "The hall was shut due to snow in January."),
        ("The bridge is expected in January.", "Sales were lower than expected in January."),
        ("It is planned for January.", "It went as planned in January."),
        ("Members must reply by 3 January.", "By 3 January, 300 members had joined."),
        ("She was asked to reply before 3 January.", "She resigned before 3 January."),
        ("Please proceed with the order on Friday.", "They succeeded with the order on Friday."),
        ("A hundred boats start on Friday.", "A hundred boats started on Friday."),
        ("We see Manchester United on Friday.", "We saw Manchester United on Friday."),
    ],
)
def test_plans_look_ahead_and_reports_look_back(ahead: str, back: str) -> None:
    (later,), (earlier,) = (find_expressions(text, anchor=ANCHOR) for text in (ahead, back))
    assert later.interval is not None
    assert earlier.interval is not None
    assert later.interval.after(ANCHOR)
    assert earlier.interval.before(ANCHOR)


@pytest.mark.parametrize("text", ["Open Monday to Friday, 9am to 5pm.", "Office hours: Mon-Fri 9:00-17:00"])
def test_opening_hours_are_repeated_and_no_day_of_the_calendar(text: str) -> None:
    (found,) = find_expressions(text, anchor=ANCHOR)
    assert (found.kind, found.interval) == ("set", None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It rained in the first week of last month.", "2025-01-01/2025-01-08"),
        ("She is away the first half of next week.", "2025-02-17/2025-02-20"),
        ("It fell in the second half of last month.", "2025-01-16/2025-02-01"),
        ("We start on the first day of next week.", "2025-02-17"),
        ("We start on the first day of next year.", "2026-01-01"),
        ("It was done in the first two years of this decade.", "2020-01-01/2022-01-01"),
        ("It grew in the last half of the year.", "2025-07-01/2026-01-01"),
        ("It grew in the last half of next year.", "2026-07-01/2027-01-01"),
        ("It grew in the first half of last year.", "2024-01-01/2024-07-01"),
        ("What was the revenue in the last quarter of 2019?", "2019-10-01/2020-01-01"),
        ("It was sold in the last quarter of last year.", "2024-10-01/2025-01-01"),
        ("It was sold in last year's third quarter.", "2024-07-01/2024-10-01"),
    ],
)
def test_a_part_is_one_of_the_period_named_behind_it(text: str, expected: str) -> None:
    assert said(text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "He converted in the last year of his reign.",
        "It rained on the last day of the fair.",
        "They scored in the last quarter of the match.",
        "It was paid by the last day of the week.",
        "She served in the last two years of the war.",
    ],
)
def test_the_last_of_something_is_not_counted_from_the_day_of_writing(text: str) -> None:
    assert said(text) == []
    assert decompose(text, as_of=datetime(2025, 2, 13, tzinfo=UTC)).constraint is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sales were up from the prior quarter of fiscal 2024.", "2024"),
        ("Sales fell against the previous quarter of 2019.", "2019"),
        ("Sales fell against the preceding quarter of last year.", "2024"),
        ("Sales fell against the previous half of 2019.", "2019"),
        ("Sales fell against the prior half of fiscal 2024.", "2024"),
        ("Sales fell against the previous half of March 2023.", "2023-03"),
    ],
)
def test_a_part_counted_from_another_is_any_of_its_period(text: str, expected: str) -> None:
    assert said(text) == [expected]


def test_the_last_quarter_of_a_year_is_one_time() -> None:
    question = decompose("What was the revenue in the last quarter of 2019?", as_of=datetime(2025, 2, 13, tzinfo=UTC))
    assert question.constraint is not None
    assert (question.constraint.relation, str(question.constraint.interval)) == ("at", "2019-10-01/2020-01-01")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("In 1945 the bridge fell. In the following two years the town shrank.", "1946-01-01/1948-01-01"),
        ("In 1945 the bridge fell. In the preceding two years the town grew.", "1943-01-01/1945-01-01"),
        ("In 1945 the bridge fell. In the following two months the town shrank.", None),
        ("In these three years the town grew.", None),
    ],
)
def test_what_follows_is_counted_from_the_time_just_named(text: str, expected: str | None) -> None:
    found = find_expressions(text, anchor=ANCHOR)[-1]
    assert found.kind == "duration"
    assert found.interval is None if expected is None else str(found.interval) == expected


def test_late_on_a_day_is_that_day() -> None:
    assert said("The pump failed late yesterday.") == ["2025-02-12"]
    assert said("The pump failed late yesterday at 11 pm.") == ["2025-02-12T23:00:00"]


def test_how_long_something_took_is_no_day_to_come() -> None:
    assert said("I fixed it in 3 days.") == []


QUESTIONS = [
    ("March 2023?", "at", "2023-03"),
    ("And in March 2023?", "at", "2023-03"),
    ("What about Q3 2024?", "at", "2024-07-01/2024-10-01"),
    ("Budget 2024?", "at", "2024"),
    ("2019 Q4 revenue of Tessera?", "at", "2019-10-01/2020-01-01"),
    ("Tessera revenue Q4 2019?", "at", "2019-10-01/2020-01-01"),
    ("Which of the 2022 budget items were cut?", "at", "2022"),
    ("What were last year's sales?", "at", "2024"),
    ("What was the policy pre-2015?", "before", "2015"),
    ("What happened in week 7 of 2024?", "at", "2024-02-12/2024-02-19"),
    ("What do the notes from 3 March 2025 say?", "at", "2025-03-03"),
    ("What is the fee from 1 July 2025?", "since", "2025-07-01"),
]


@pytest.mark.parametrize(("text", "relation", "interval"), QUESTIONS)
def test_questions_about_periods(text: str, relation: str, interval: str) -> None:
    constraint = decompose(text, as_of=datetime(2025, 2, 13, tzinfo=UTC)).constraint
    assert constraint is not None
    assert (constraint.relation, str(constraint.interval)) == (relation, interval)


def test_days_ahead_are_whole_days() -> None:
    (found,) = find_expressions("We'll be back in 2 hours.", anchor=ANCHOR)
    assert found.interval == Interval((ANCHOR.start or 0), (ANCHOR.start or 0) + DAY, "day")


@pytest.mark.parametrize(
    ("text", "interval"),
    [
        ("It was founded at the turn of the century.", "1995-01-01/2005-01-01"),
        ("It was founded at the turn of the 20th century.", "1895-01-01/1905-01-01"),
        ("It was founded at the turn of the millennium.", "1995-01-01/2005-01-01"),
        ("In the three months to June 2024 sales rose.", "2024-04-01/2024-07-01"),
        ("Sales of the six months ended 30 June 2024 rose.", "2024-01-01/2024-07-01"),
        ("In the 12 months to March 2024 sales rose.", "2023-04-01/2024-04-01"),
    ],
)
def test_turns_of_centuries_and_stretches_told_by_their_end(text: str, interval: str) -> None:
    found = find_expressions(text, anchor=Interval.parse("2025-05-14"))
    assert [str(each.interval) for each in found] == [interval]


def test_a_turn_of_something_else_is_no_time() -> None:
    assert find_expressions("At the turn of the road, it took three months to repair.")[0].interval is None


@pytest.mark.parametrize(
    ("text", "interval"),
    [
        ("The week before last was dry.", "2025-01-27/2025-02-03"),
        ("He left the month before last.", "2024-12"),
        ("They meet the Tuesday before last.", "2025-02-04"),
        ("They plan it for the year after next.", "2027"),
        ("It shut the winter before last.", "2022-12-01/2023-03-01"),
        ("She called a fortnight ago yesterday.", "2025-01-29"),
        ("It opens three weeks from tomorrow.", "2025-03-07"),
        ("See you a week on Monday.", "2025-02-24"),
        ("The vote is Monday week.", "2025-02-24"),
        ("Delivery in two weeks' time.", "2025-02-24/2025-03-03"),
        ("Two summers ago the well ran dry.", "2023-06-01/2023-09-01"),
        ("Three Fridays ago he fell.", "2025-01-24"),
        ("At this time last month it was open.", "2025-01-13/2025-01-20"),
        ("Sales rose in the first two months of 2019.", "2019-01-01/2019-03-01"),
        ("It rained in the last three weeks of May 2020.", "2020-05-11/2020-06-01"),
        ("He was paid on the 3rd of this month.", "2025-02-03"),
        ("Rent is due on the 1st of next month.", "2025-03-01"),
        ("Your letter of the 4th inst. has arrived.", "2025-02-04"),
        ("Half a century ago it was a farm.", "1975"),
        ("It doubled in the past half-century.", "1975-02-13/2025-02-14"),
        ("They danced in the swinging sixties.", "1960-01-01/1970-01-01"),
        ("logged 09-Mar-2021 by a clerk", "2021-03-09"),
        ("logged 09-Mar-21 by a clerk", "2021-03-09"),
        ("filed Mar-2021", "2021-03"),
        ("can you do tues instead?", "2025-02-18"),
    ],
)
def test_distances_from_days_and_periods(text: str, interval: str) -> None:
    assert said(text) == [interval]


@pytest.mark.parametrize(
    "text",
    ["The cat sat on the mat.", "Nights were in the low twenties.", "Sun to meet demand", "It is due in the sun."],
)
def test_short_words_and_degrees_are_no_times(text: str) -> None:
    assert said(text) == []


@pytest.mark.parametrize(("written", "year"), [("2024-11-30", "2025"), ("2025-01-20", "2025")])
def test_the_new_year_is_the_one_about_to_begin_or_just_begun(written: str, year: str) -> None:
    found = find_expressions("We talk in the new year.", anchor=Interval.parse(written))
    assert [str(one.interval) for one in found] == [year]


def test_what_began_with_an_event_bounds_a_question() -> None:
    question = decompose("Who has run the port since the 2019 merger?", as_of=datetime(2025, 2, 13, tzinfo=UTC))
    assert question.content == "Who has run the port?"
    assert question.constraint is not None
    assert question.constraint.relation == "since"


def test_what_lasted_since_a_day_does_not_move_the_sentence_back() -> None:
    assert said("Open since May 2012, it closed on 3 January.")[-1] == "2025-01-03"


@given(DAYS, st.sampled_from(["beginning", "commencing", "starting", "ending", "ended"]))
def test_a_week_begins_or_ends_with_the_day_that_is_said(day: date, word: str) -> None:
    first = day - timedelta(days=6) if word in ("ending", "ended") else day
    found = said(f"Takings of the week {word} {day.day} {calendar.month_name[day.month]} {day.year}.")
    assert found == [f"{first}/{first + timedelta(days=7)}"]


@given(DAYS)
def test_the_week_of_a_day_is_that_from_monday_on(day: date) -> None:
    monday = day - timedelta(days=day.weekday())
    found = said(f"Takings of the week of {day.day} {calendar.month_name[day.month]} {day.year}.")
    assert found == [f"{monday}/{monday + timedelta(days=7)}"]
