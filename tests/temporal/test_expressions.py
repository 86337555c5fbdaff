"""Time expressions: what is found, what it means, and what is never taken for a date."""

from __future__ import annotations

import calendar
import time
from datetime import date, timedelta

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dateline.temporal import Interval, TimeExpression, find_expressions, spans_of
from dateline.temporal.relative import likely_date

ANCHOR = Interval.of_day(2021, 12, 1)  # a Wednesday
MONTHS = calendar.month_name[1:]

CALENDAR = [
    ("He was born on July 30 , 1931 in Washington , D.C. .", "1931-07-30"),
    ("on 6 May 2021", "2021-05-06"),
    ("on May 6, 2021", "2021-05-06"),
    ("on Friday, 6 May 2022", "2022-05-06"),
    ("on the 6th of May, 2021", "2021-05-06"),
    ("the fourth of July 1976", "1976-07-04"),
    ("on 2021-05-06", "2021-05-06"),
    ("on 25/12/2020", "2020-12-25"),
    ("on 12/25/2020", "2020-12-25"),
    ("on 6.5.2021", "2021-05-06"),
    ("in Sept. 1999", "1999-09"),
    ("in may 2010", "2010-05"),
    ("in July 883 ,", "0883-07"),
    ("in 2019", "2019"),
    ("in the year 1066", "1066"),
    ("mid-2010", "2010-05-01/2010-09-01"),
    ("late in 2010", "2010-09-01/2011-01-01"),
    ("the end of 1994", "1994-10-01/1995-01-01"),
    ("the third quarter of 2010", "2010-07-01/2010-10-01"),
    ("Q3 2019", "2019-07-01/2019-10-01"),
    ("2019-Q3", "2019-07-01/2019-10-01"),
    ("2019Q3", "2019-07-01/2019-10-01"),
    ("2019/Q3", "2019-07-01/2019-10-01"),
    ("Q3-2019", "2019-07-01/2019-10-01"),
    ("2019-H2", "2019-07-01/2020-01-01"),
    ("2019's third quarter", "2019-07-01/2019-10-01"),
    ("the first half of 2010", "2010-01-01/2010-07-01"),
    ("summer 2012", "2012-06-01/2012-09-01"),
    ("the winter of 1941–42", "1941-12-01/1942-03-01"),
    ("FY2019", "2019"),
    ("fiscal 2019", "2019"),
    ("the 1990s", "1990-01-01/2000-01-01"),
    ("the early 1990s", "1990-01-01/1994-01-01"),
    ("the '60s", "1960-01-01/1970-01-01"),
    ("the nineties", "1990-01-01/2000-01-01"),
    ("the 19th century", "1800-01-01/1900-01-01"),
    ("the mid-19th century", "1833-01-01/1867-01-01"),
    ("the twenty-first century", "2000-01-01/2100-01-01"),
    ("in 44 BC", "-0043"),
    ("the fifth century BC", "-0499-01-01/-0399-01-01"),
    ("AD 79", "0079"),
    ("in nineteen ninety-six", "1996"),
    ("Christmas Eve 2010", "2010-12-24"),
    ("Easter 1916", "1916-04-23"),
    ("24:00 on 5 May 2024", "2024-05-06"),
    ("24 o'clock on 5 May 2024", "2024-05-06"),
    ("2400 GMT on 5 May 2024", "2024-05-06"),
]
RANGES = [
    ("2015–Q1 2019", "2015-01-01/2019-04-01"),
    ("from 2018-Q1 to 2019-Q2", "2018-01-01/2019-07-01"),
    ("the 2010–11 season", "2010-01-01/2012-01-01"),
    ("2019–22", "2019-01-01/2023-01-01"),
    ("1990-93", "1990-01-01/1994-01-01"),
    ("1916-1920", "1916-01-01/1921-01-01"),
    ("1999/2000", "1999-01-01/2001-01-01"),
    ("from May 1937 until 1941", "1937-05-01/1942-01-01"),
    ("between 2010 and 2012", "2010-01-01/2013-01-01"),
    ("July 30 – August 2, 1931", "1931-07-30/1931-08-03"),
    ("3–7 June 2010", "2010-06-03/2010-06-08"),
    ("June 3-7, 2010", "2010-06-03/2010-06-08"),
    ("from May to July 2019", "2019-05-01/2019-08-01"),
    ("from November to February 2010", "2009-11-01/2010-03-01"),
    ("from November 2009 to February", "2009-11-01/2010-03-01"),
    ("May–June 2012", "2012-05-01/2012-07-01"),
    ("From 880 to 887,", "0880-01-01/0888-01-01"),
    ("between the 15th and 17th centuries", "1400-01-01/1700-01-01"),
    ("since 2015", "2015/.."),
    ("until 1941", "../1942-01-01"),
    ("2015–present", "2015/.."),
    ("since May 2015", "2015-05/.."),
    ("since 6 May 2015", "2015-05-06/.."),
    ("from 2010 onwards", "2010/.."),
    ("( 2003 – )", "2003/.."),
]
RELATIVE = [
    ("last Tuesday", "2021-11-30"),
    ("on Monday", "2021-11-29"),
    ("next Monday", "2021-12-06"),
    ("will meet on Friday", "2021-12-03"),
    ("was elected on Sunday and will serve for long", "2021-11-28"),
    ("The hall closed on Friday but will open again", "2021-11-26"),
    ("She resigned on Monday, will rest and says no more", "2021-11-29"),
    ("The board said on Tuesday it will close the pool", "2021-11-30"),
    ("He told us that the show on Friday will be cancelled", "2021-12-03"),
    ("The limited sale on Friday and the fair will be free", "2021-12-03"),
    ("Voting starts Monday and will last", "2021-12-06"),
    ("three weeks ago", "2021-11-08/2021-11-15"),
    ("05d ago", "2021-11-26"),
    ("30 minutes ago", "2021-12-01"),
    ("1440 minutes ago", "2021-11-30"),
    ("24 hours ago", "2021-11-30"),
    ("25 hours ago", "2021-11-30"),
    ("48 hours ago", "2021-11-29"),
    ("72 hours ago", "2021-11-28"),
    ("72 hours from now", "2021-12-04"),
    ("a year ago", "2020"),
    ("two decades ago", "2001"),
    ("this year", "2021"),
    ("last month", "2021-11"),
    ("yesterday", "2021-11-30"),
    ("in May", "2021-05"),
    ("in December", "2021-12"),
    ("as of April our fee rises", "2021-04"),
    ("Come June, the band is ours", "2022-06"),
    ("From the 15th he leads", "2021-11-15"),
    ("On the 18th the canteen goes cashless", "2021-11-18"),
    ("the pool is shut through the 31st", "2021-12-31"),
    ("open up to and including the 18th", "2021-12-18"),
    ("Wednesday the 15th, we will open", "2021-12-15"),
    ("we met on Mon. 15th", "2021-11-15"),
    ("out on sat the 11th", "2021-12-11"),
    ("as of the 17th our swim is at ten", "2021-11-17"),
    ("starting August, overtime is paid", "2021-08"),
    ("from 22 September Tamsin owns it", "2021-09-22"),
    ("As of 28 February Gerd is gone", "2022-02-28"),
    ("last May", "2021-05"),
    ("July last year", "2020-07"),
    ("this quarter", "2021-10-01/2022-01-01"),
    ("last summer", "2021-06-01/2021-09-01"),
    ("at 10 p.m. Monday", "2021-11-29T22:00:00"),
    ("last night", "2021-11-30T18:00:00/2021-12-01"),
    ("tonight", "2021-12-01T18:00:00/2021-12-02"),
    ("this Friday", "2021-12-03"),
    ("Friday last week", "2021-11-26"),
    ("Tuesday of next week", "2021-12-07"),
    ("as soon as Friday", "2021-12-03"),
    ("On Friday, the old league of harbour towns plans to meet", "2021-12-03"),
    ("On Friday, the old league of harbour towns met and will meet again", "2021-11-26"),
    ("to holders of record Jan. 5", "2022-01-05"),
    ("the day before yesterday", "2021-11-29"),
    ("the day after tomorrow", "2021-12-03"),
    ("three weeks from now", "2021-12-20/2021-12-27"),
    ("last weekend", "2021-11-27/2021-11-29"),
    ("this weekend", "2021-12-04/2021-12-06"),
    ("this autumn", "2021-09-01/2021-12-01"),
    ("this spring", "2021-03-01/2021-06-01"),
    ("the prior year", "2020"),
    ("the next century", "2100-01-01/2200-01-01"),
    ("for the full year", "2021"),
    ("at 0815 GMT", "2021-12-01T08:15:00"),
    ("Labor Day", "2021-09-06"),
]
NEVER = [
    "a stadium with 2000 seats",
    "May was elected",
    "Theresa May said so",
    "they march in august company",
    "the office of April Jones",
    "she waits on the 15th floor",
    "work through the 15th chapter",
    "she sat 5th.",
    "he wed the 3rd.",
    "all prizes, including the 3rd prize",
    "he came 12th of the 15th cohort",
    "call 555-2019-22 now that",
    "GPT-2019 and the A320",
    "some 1,905 people",
    "see section 2019 of the code",
    "upgraded to Windows 2000",
    "version 2.10.2019.1",
    "it costs $2000",
    "about 1500 soldiers died",
    "a 2000-seat hall",
    "the road is 2010 km long",
    "he spent his sixties abroad",
    "over the last two laps",
    "IPv4 at 192.168.2019.1",
    "the 30th of Februember",
    "room 1984",
    "no. 1999",
    "flight 1549",
]


def dated(text: str, **options: Interval) -> list[TimeExpression]:
    return [found for found in find_expressions(text, **options) if found.interval is not None]


@pytest.mark.parametrize(("text", "expected"), CALENDAR + RANGES)
def test_a_written_date_or_range_is_read(text: str, expected: str) -> None:
    assert [str(found.interval) for found in dated(text)] == [expected]


@pytest.mark.parametrize(("text", "expected"), RELATIVE)
def test_a_relative_time_is_read_against_its_anchor(text: str, expected: str) -> None:
    assert [str(found.interval) for found in dated(text, anchor=ANCHOR)] == [expected]


@pytest.mark.parametrize(("text", "expected"), RELATIVE)
def test_a_relative_time_without_anchor_has_no_interval(text: str, expected: str) -> None:
    assert dated(text) == []


@pytest.mark.parametrize(
    ("text", "written", "expected"),
    [
        ("The pool is open from May to September.", "2024-06-15", "2024-05-01/2024-10-01"),
        ("The pool is closed from November to February.", "2024-12-01", "2024-11-01/2025-03-01"),
        ("Closed from 20 December to 6 January.", "2024-10-01", "2024-12-20/2025-01-07"),
        ("The hall will be shut from 10 May to 5 June.", "2024-06-15", "2025-05-10/2025-06-06"),
        ("It was shut from late May to late June.", "2024-07-15", "2024-05-21/2024-07-01"),
        ("Die Halle ist von November bis Februar geschlossen.", "2024-12-01", "2024-11-01/2025-03-01"),
    ],
)
def test_a_range_without_a_year_is_one_stretch(text: str, written: str, expected: str) -> None:
    assert [str(found.interval) for found in dated(text, anchor=Interval.parse(written))] == [expected]


@given(st.integers(1990, 2040), st.sampled_from(MONTHS), st.sampled_from(["was", "will be"]))
def test_a_text_known_to_its_year_alone_speaks_of_months_and_days_in_it(year: int, month: str, verb: str) -> None:
    anchor = Interval.of_year(year)
    for said in (f"in {month}", f"on 12 {month}", "in summer", "in Q3", "on Christmas Day"):
        (found,) = dated(f"The pool {verb} shut {said}.", anchor=anchor)
        assert found.interval is not None
        assert anchor.contains(found.interval)


def test_a_range_behind_another_time_is_read_whole() -> None:
    found = dated("It was shut in May 2015 and June 2016 to July 2017.", anchor=ANCHOR)
    assert [str(each.interval) for each in found] == ["2015-05", "2016-06-01/2017-08-01"]


def test_a_million_letters_in_a_word_are_read_in_time() -> None:
    begun = time.process_time()
    find_expressions("Das steht im Büro 2019 " + "a" * 1_000_000)
    assert time.process_time() - begun < 5


@given(st.dates(date(1990, 1, 1), date(2040, 12, 31)), st.sampled_from(MONTHS), st.sampled_from(MONTHS))
def test_a_range_of_two_months_never_falls_apart(day: date, one: str, other: str) -> None:
    anchor = Interval.of_moment(day)
    for verb in ("is open", "was open", "will be open"):
        (found,) = dated(f"The pool {verb} from {one} to {other}.", anchor=anchor)
        assert found.interval is not None
        assert None not in (found.interval.start, found.interval.end)
        assert Interval.of_month(2000, 1 + MONTHS.index(one)).isoformat()[4:] == str(found.interval)[4:7]


@given(st.dates(date(1990, 1, 1), date(2040, 12, 31)), st.dates(date(1991, 1, 1), date(1991, 12, 31)))
def test_last_with_a_day_is_never_a_day_to_come(written: date, told: date) -> None:
    anchor = Interval.of_moment(written)
    (found,) = dated(f"The council met last {told:%B} {told.day}.", anchor=anchor)
    assert found.interval is not None
    assert not found.interval.after(anchor)


@pytest.mark.parametrize("text", NEVER)
def test_what_only_looks_like_a_date_is_left_alone(text: str) -> None:
    assert dated(text) == []


def test_later_years_count_from_the_date_that_the_text_named() -> None:
    found = dated("In 1985 he left ; two years later he joined ; the following year he died .", anchor=ANCHOR)
    assert [str(one.interval) for one in found] == ["1985", "1987", "1988"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("for two years", "duration"),
        ("every Monday", "set"),
        ("annually", "set"),
        ("recently", "reference"),
        ("in the past ,", "reference"),
    ],
)
def test_durations_sets_and_references_have_a_kind_and_no_interval(text: str, kind: str) -> None:
    (found,) = find_expressions(text, anchor=ANCHOR)
    assert (found.kind, found.interval) == (kind, None)


def test_a_part_remembers_its_whole() -> None:
    (found,) = find_expressions("in the early 1990s")
    assert found.whole == Interval.of_years(1990, 1999, "decade")


def test_years_keep_their_granularity_and_are_never_the_first_of_january() -> None:
    (found,) = find_expressions("in 2019")
    assert found.interval == Interval.of_year(2019)


def test_ends_stay_single_where_ranges_are_not_wanted() -> None:
    assert [found.text for found in find_expressions("from 2010 to 2012", ranges="none")] == ["2010", "2012"]
    assert [found.text for found in find_expressions("since 2010", ranges="closed")] == ["2010"]


def test_spans_leave_durations_and_references_out() -> None:
    assert spans_of("He led it for two years , from 2010 to 2012 , and recently again .") == [
        Interval.of_years(2010, 2012)
    ]


FORMATS = (
    "{d} {name} {y}",
    "{name} {d}, {y}",
    "{name} {d} , {y}",
    "{d} {short} {y}",
    "{short} {d}, {y}",
    "the {d}{suffix} of {name}, {y}",
    "{name} {d}{suffix}, {y}",
    "{y}-{m:02d}-{d:02d}",
    "{y}/{m:02d}/{d:02d}",
    "{y}{m:02d}{d:02d}",
)


def written(day: date, form: str) -> str:
    suffix = "th" if 10 <= day.day % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10, "th")
    name = MONTHS[day.month - 1]
    return form.format(
        d=day.day, m=day.month, y=day.year, name=name, short=name[:3] + ("." if day.month != 5 else ""), suffix=suffix
    )


DAYS = st.dates(min_value=date(1100, 1, 1), max_value=date(2199, 12, 31))
WORDS = st.sampled_from(["The war ended on", "Born", "They met ( ", "As of", "\n", "On"])


@given(WORDS, DAYS, st.sampled_from(FORMATS))
def test_any_day_is_read_back_from_any_common_form(lead: str, day: date, form: str) -> None:
    (found,) = find_expressions(f"{lead} {written(day, form)} .")
    assert found.interval == Interval.of_day(day.year, day.month, day.day)
    assert found.text == written(day, form)


@given(
    DAYS,
    DAYS,
    st.sampled_from(FORMATS[:2]),
    st.sampled_from(["from {} to {}", "{} – {}", "between {} and {}", "from {} until {}"]),
)
def test_any_two_days_make_a_range(one: date, other: date, form: str, words: str) -> None:
    first, last = sorted((one, other))
    if first == last:
        return
    (found,) = find_expressions(words.format(written(first, form), written(last, form)))
    assert found.interval == Interval(
        Interval.of_day(first.year, first.month, first.day).start, Interval.of_day(last.year, last.month, last.day).end
    )


PIECES = st.sampled_from(
    [*"0123456789 -–/.,:;()'’$%#", *MONTHS, "may", "in", "the", "of", "from", "to", "between", "and", "since", "until", "last", "next",
     "two", "years", "ago", "later", "early", "mid", "end", "Friday", "quarter", "century", "BC", "AD", "2019", "1990s", "12", "31st",
     "third", "half", "p.m.", "night", "Christmas", "New", "Year", "Day", "\u200b", "é", "年", "\ud800"]
)  # fmt: skip


def assert_sound(text: str, found: list[TimeExpression]) -> None:
    position = 0
    for one in found:
        assert position <= one.start < one.end <= len(text)
        assert text[one.start : one.end] == one.text
        assert 0 <= one.certainty <= 1
        position = one.end


@settings(max_examples=400)
@given(st.lists(PIECES, max_size=40).map(" ".join) | st.lists(PIECES, max_size=40).map("".join) | st.text(max_size=200))
def test_no_text_raises_and_every_expression_is_a_slice_in_order(text: str) -> None:
    for anchor in (None, ANCHOR):
        for ranges in ("all", "closed", "none"):
            assert_sound(text, find_expressions(text, anchor=anchor, ranges=ranges))  # type: ignore[arg-type]


@given(
    st.integers(-3000, 3000),
    st.sampled_from(
        ["last year", "two weeks ago", "in May", "on Friday", "29 February", "next quarter", "this century"]
    ),
)
def test_any_anchor_will_do(year: int, text: str) -> None:
    for anchor in (Interval.of_year(year), Interval(None, Interval.of_year(year).end), Interval(None, None)):
        assert_sound(text, find_expressions(text, anchor=anchor))


@pytest.mark.parametrize(
    "piece",
    [
        "1",
        "1 ",
        "2019-",
        "2019 - ",
        "May ",
        "the ",
        "the early ",
        "twenty ",
        "from 2010 to ",
        "12:",
        "1,000",
        "'",
        "New Year's ",
        "a",
        "-",
        "third quarter ",
        "Sunday ",
    ],
)
def test_time_grows_with_the_length_of_the_text_and_not_faster(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    begun = time.process_time()
    assert_sound(text, find_expressions(text, anchor=ANCHOR))
    assert time.process_time() - begun < 6


def test_a_quarter_told_by_its_end_is_the_one_of_the_calendar_that_it_mostly_fills() -> None:
    found = find_expressions("Sales rose in the quarter ended July 31.", anchor=ANCHOR)
    assert [each.interval and each.interval.isoformat() for each in found] == [
        "2021-04-01/2021-07-01",
        "2021-07-31",
    ]


def test_an_outlook_or_a_look_back_does_not_change_the_quarter_a_report_is_about() -> None:
    text = (
        "Third-quarter net rose from a flat second quarter; the fourth quarter may be weak. In the 2020 period it fell."
    )
    period = find_expressions(text, anchor=Interval.of_day(2021, 11, 2))[-1]
    assert period.interval is not None
    assert period.interval.isoformat() == "2020-07-01/2020-10-01"


def test_further_days_of_a_month_are_days_and_not_amounts() -> None:
    anchor = Interval.of_day(2021, 6, 1)
    listed = find_expressions("They met on April 24 and 25, and left.", anchor=anchor)
    assert [each.interval and each.interval.isoformat() for each in listed] == ["2021-04-24", "2021-04-25"]
    assert len(find_expressions("On April 24 and 25 people came.", anchor=anchor)) == 1


def test_that_day_is_one_only_after_a_day_was_named() -> None:
    assert find_expressions("She left that day.", anchor=ANCHOR) == []
    named = find_expressions("He died on 3 May 2019. She left that day.", anchor=ANCHOR)[-1].interval
    assert named == Interval.of_day(2019, 5, 3)


def test_a_fiscal_quarter_starts_a_report_of_its_own() -> None:
    text = "Third-quarter net rose. At Acme, fiscal second-quarter profit fell. The latest period includes a gain."
    quarters = [each.interval for each in find_expressions(text, anchor=Interval.of_day(2021, 11, 2))]
    assert quarters[1] == quarters[2] != quarters[0]


@pytest.mark.parametrize("anchor", [None, Interval.parse("2024-06-12")])
def test_the_second_quarter_of_a_range_takes_its_year_from_the_first(anchor: Interval | None) -> None:
    def spans(text: str) -> list[str]:
        return [str(interval) for interval in spans_of(text, anchor)]

    assert spans("2019-Q1 to Q3") == spans("Q1 2019 - Q3") == ["2019-01-01/2019-10-01"]
    assert spans("Q3 2019 to Q1") == ["2019-07-01/2020-04-01"]


def test_a_count_that_no_year_reaches_yet_is_a_count() -> None:
    assert not find_expressions("The library went from 2115 loans to 300.")
    assert find_expressions("The library lent more from 2015 on.")


@given(st.dates(date(1905, 1, 1), date(2095, 12, 31)), st.booleans())
@example(date(2000, 2, 28), False)
def test_a_leap_day_without_a_year_lies_behind_where_only_the_past_is_meant_and_else_near(
    day: date, ahead: bool
) -> None:
    anchor = Interval.of_day(day.year, day.month, day.day)
    past = likely_date(anchor, month=2, day=29, ahead=False, back=True)
    assert not past.after(anchor)
    assert past.isoformat().endswith("-02-29")
    assert abs(int(likely_date(anchor, month=2, day=29, ahead=ahead).isoformat()[:4]) - day.year) <= 8


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Open from Fri 2 Dec.", "2022-12-02"),
        ("The visit, Monday 5 May, is free.", "2025-05-05"),
        ("It was closed on Thursday 31 March.", "2022-03-31"),
        ("Geöffnet: Freitag, 2. Dezember.", "2022-12-02"),
        ("A day that was none of these years: Monday 31 March.", "2022-03-31"),
    ],
)
def test_a_weekday_beside_a_date_tells_its_year(text: str, day: str) -> None:
    anchor = Interval.parse("2024-08-22" if "May" in text else "2022-08-22")
    assert str(find_expressions(text, anchor=anchor, ranges="none")[-1].interval) == day


@given(st.dates(date(1990, 1, 1), date(2040, 12, 31)), st.integers(-300, 300), st.booleans())
def test_a_day_with_its_weekday_has_that_weekday_wherever_it_is_read(told: date, away: int, ahead: bool) -> None:
    anchor = Interval.of_moment(told + timedelta(days=away))
    found = likely_date(anchor, month=told.month, day=told.day, ahead=ahead, weekday=told.weekday())
    assert date.fromisoformat(found.isoformat()).weekday() == told.weekday()
