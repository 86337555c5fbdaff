"""Date strings of search engines and documents, in the languages they come in."""

from datetime import UTC, date, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dateline.documents.dates import date_of
from dateline.documents.reading import dates_of_all
from dateline.evidence.dates import read_date, reading_of, states_date
from dateline.language.calendar import calendar_words, languages
from dateline.temporal.expressions import find_expressions
from dateline.temporal.interval import Interval

NOW = datetime(2025, 9, 25, 17, 55, tzinfo=UTC)


def read(text: object, **options: str) -> str:
    """The date as ISO, times of day as their day."""
    found = read_date(text, now=NOW, **options)
    if found is None:
        return "None"
    return found.isoformat()[:10] if found.granularity in ("minute", "hour", "second") else found.isoformat()


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("47 minutes ago", "2025-09-25"),
        ("1 hour ago", "2025-09-25"),
        ("an hour ago", "2025-09-25"),
        ("20 hours ago", "2025-09-24"),
        ("1 day ago", "2025-09-24"),
        ("8 days ago", "2025-09-17"),
        ("2 weeks ago", "2025-09-08/2025-09-15"),
        ("3 months ago", "2025-06"),
        ("9 months ago", "2024-12"),
        ("1 year ago", "2024"),
        ("19 years ago", "2006"),
        ("yesterday", "2025-09-24"),
        ("Yesterday, 3:15 PM", "2025-09-24"),
        ("today", "2025-09-25"),
        ("tomorrow, 7:30 pm", "2025-09-26"),
        ("Updated 3 days ago", "2025-09-22"),
        ("3d", "2025-09-22"),
        ("5 hrs ago", "2025-09-25"),
        ("two days ago", "2025-09-23"),
        ("a couple of days ago", "2025-09-23"),
        ("a few hours ago", "2025-09-25"),
        ("just now", "2025-09-25"),
        ("last week", "2025-09-15/2025-09-22"),
        ("last month", "2025-08"),
        ("this year", "2025"),
        ("Tuesday", "2025-09-23"),
        ("Thursday 9:00 AM", "2025-09-25"),
        ("Fri", "2025-09-19"),
    ],
)
def test_relative_dates_refer_to_the_moment_of_the_search(text: str, date: str) -> None:
    assert read(text) == date


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("hace 2 días", "2025-09-23"),
        ("hace un mes", "2025-08"),
        ("ayer", "2025-09-24"),
        ("hace tres días", "2025-09-22"),
        ("vor zwei Wochen", "2025-09-08/2025-09-15"),
        ("deux jours", "None"),
        ("martes", "2025-09-23"),
        ("il y a 3 semaines", "2025-09-01/2025-09-08"),
        ("il y a un an", "2024"),
        ("il y a 2 j", "2025-09-23"),
        ("hier", "2025-09-24"),
        ("vor 5 Tagen", "2025-09-20"),
        ("vor einem Jahr", "2024"),
        ("vor 2 Std.", "2025-09-25"),
        ("gestern", "2025-09-24"),
        ("3 giorni fa", "2025-09-22"),
        ("ieri", "2025-09-24"),
        ("há 3 meses", "2025-06"),
        ("2 dias atrás", "2025-09-23"),
        ("3 dagen geleden", "2025-09-22"),
        ("för 2 dagar sedan", "2025-09-23"),
        ("2 päivää sitten", "2025-09-23"),
        ("2 dni temu", "2025-09-23"),
        ("tydzień temu", "2025-09-15/2025-09-22"),
        ("před 2 dny", "2025-09-23"),
        ("2 gün önce", "2025-09-23"),
        ("3 дня назад", "2025-09-22"),
        ("месяц назад", "2025-08"),
        ("вчера", "2025-09-24"),
        ("2 дні тому", "2025-09-23"),
        ("πριν από 2 ημέρες", "2025-09-23"),
        ("2 hari lalu", "2025-09-23"),
        ("3 ngày trước", "2025-09-22"),
        ("منذ 3 أيام", "2025-09-22"),
        ("לפני 3 ימים", "2025-09-22"),
        ("3 दिन पहले", "2025-09-22"),
        ("3 วันที่ผ่านมา", "2025-09-22"),
        ("3 日前", "2025-09-22"),
        ("2 か月前", "2025-07"),
        ("3 天前", "2025-09-22"),
        ("5 小时前", "2025-09-25"),
        ("2일 전", "2025-09-23"),
        ("3개월 전", "2025-06"),
        ("昨天", "2025-09-24"),
    ],
)
def test_relative_dates_are_read_in_many_languages(text: str, date: str) -> None:
    assert read(text) == date


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("Sep 16, 2025", "2025-09-16"),
        ("September 16, 2025", "2025-09-16"),
        ("16 Sept 2025", "2025-09-16"),
        ("16th of September 2025", "2025-09-16"),
        ("Mon, 06 Oct 2014 10:30:00 GMT", "2014-10-06"),
        ("2025-09-16", "2025-09-16"),
        ("Tue Oct 25 08:30:00 2022", "2022-10-25"),
        ("Wed Oct 05 20:11:37 +0000 2022", "2022-10-05"),
        ("2025-09-16T12:30:00Z", "2025-09-16"),
        ("2025/9/6", "2025-09-06"),
        ("20250916T120000Z", "2025-09-16"),
        ("10/07/2024, 01:06 PM, +0000 UTC", "2024-10-07"),
        ("16.09.2025", "2025-09-16"),
        ("9. 3. 2024", "2024-03-09"),
        ("16 de septiembre de 2025", "2025-09-16"),
        ("12 ago 2023", "2023-08-12"),
        ("1er janvier 2020", "2020-01-01"),
        ("3 déc. 2021", "2021-12-03"),
        ("6. Mai 2021", "2021-05-06"),
        ("3. März 2021", "2021-03-03"),
        ("9 wrz 2023", "2023-09-09"),
        ("5 мая 2021 г.", "2021-05-05"),
        ("2024. márc. 9.", "2024-03-09"),
        ("5 thg 9, 2024", "2024-09-05"),
        ("2025年9月16日", "2025-09-16"),
        ("2024년 3월 9일", "2024-03-09"),
        ("May 2021", "2021-05"),
        ("mayo de 2021", "2021-05"),
        ("2021-05", "2021-05"),
        ("2021", "2021"),
        ("Sat, Jan 22", "2025-01-22"),
        ("Nov 3", "2024-11-03"),
        ("Feb 29", "2024-02-29"),
        ("29 février", "2024-02-29"),
        ("201903041200", "2019-03-04"),
        ("20190304120000+01'00'", "2019-03-04"),
        ("20190304120000123", "2019-03-04"),
        ("D:20190304", "2019-03-04"),
        ("D:2019", "2019"),
    ],
)
def test_absolute_dates_keep_their_precision(text: str, date: str) -> None:
    assert read(text) == date


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "garbage", "May was elected", "version 2.0.1", "Capacity: 25,486", "4.3 (888)", "Live", "Free delivery",
        "Feb 30, 2020", "2021-13-40", "99/99/2020", "by S Sokary", "5.0(102)", "Premier League, 14th of 20", "1:30",
    ],
)  # fmt: skip
def test_what_is_no_date_is_none(text: str) -> None:
    assert read(text) == "None"


def test_day_and_month_are_told_apart_by_country() -> None:
    assert read("03/04/2021", country="us") == "2021-03-04"
    assert read("03/04/2021", country="gb") == "2021-04-03"
    assert read("03/04/2021", language="es", country="es") == "2021-04-03"
    assert read("25/04/2021", country="us") == "2021-04-25"


def test_words_of_the_engines_language_win() -> None:
    assert read("15 listopada 2023", language="pl") == "2023-11-15"
    assert read("3 mar 2023", language="es") == "2023-03-03"


@pytest.mark.parametrize("year", range(100))
def test_two_digits_are_the_same_year_for_every_reader(year: int) -> None:
    written = f"13/06/{year:02}"
    (found,) = find_expressions(written)
    assert found.interval == date_of(written) == read_date(written, now=None)
    assert date_of(f"03/04/{year:02}", day_first=True) == read_date(f"3.4.{year:02}", now=None)
    assert reading_of(found.interval).endswith(str((1900 if year >= 50 else 2000) + year))


def test_the_minute_of_a_moment_is_kept() -> None:
    found = read_date("10/07/2024, 01:06 PM, +0000 UTC", now=NOW)
    assert found is not None
    assert (found.isoformat()[:19], found.granularity) == ("2024-10-07T13:06:00", "minute")


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("2021-05-06 09:30 PST", "09:30"),
        ("Thu May 06 09:30:00 PDT 2021", "09:30"),
        ("2021-05-06 13:30 AEST", "13:30"),
        ("6 May 2021, 10:30 Paris", "10:30"),
        ("6 May 2021, 10:30 amended", "10:30"),
        ("6 May 2021, 9:30 pm", "21:30"),
        ("6 May 2021, 9:30 p.m.", "21:30"),
        ("6 May 2021 9:30PM PST", "21:30"),
        ("6 May 2021, 9:30p", "21:30"),
        ("6 May 2021, 12:30 a.m", "00:30"),
    ],
)
def test_a_zone_or_place_behind_the_clock_is_no_half_of_a_day(text: str, clock: str) -> None:
    found = read_date(text, now=NOW)
    assert found is not None
    assert found.isoformat()[:16] == f"2021-05-06T{clock}"


def test_nothing_relative_is_read_without_a_moment() -> None:
    assert read_date("3 days ago", now=None) is None
    assert read_date("Nov 3", now=None) is None
    assert str(read_date("Nov 3, 2020", now=None)) == "2020-11-03"


@pytest.mark.parametrize(
    ("value", "date"),
    [
        (date(2021, 5, 6), "2021-05-06"),
        (datetime(2021, 5, 6, tzinfo=UTC), "2021-05-06"),
        (2021, "2021"),
        (20210506, "2021-05-06"),
        (1_620_259_200, "2021-05-06"),
        (1_620_259_200_000, "2021-05-06"),
        ("1620259200", "2021-05-06"),
        (True, "None"),
        (None, "None"),
        ([], "None"),
        (-5, "None"),
        (float("nan"), "None"),
    ],
)
def test_dates_that_are_no_strings_are_read_too(value: object, date: str) -> None:
    assert read(value) == date


@pytest.mark.parametrize(
    "text", ["8 hr", "5 min", "1 hr 15 min", "90-day returns", "10–11 day delivery", "Rating", "20% OFF"]
)
def test_a_length_of_time_states_no_date(text: str) -> None:
    assert not states_date(text)


@pytest.mark.parametrize("text", ["3 days ago", "Sep 16, 2025", "25 Oct 2016", "hace 2 días"])
def test_a_date_states_a_date(text: str) -> None:
    assert states_date(text)


@given(st.integers(1, 28), st.integers(1, 12), st.integers(1900, 2030), st.sampled_from(languages()))
@settings(max_examples=400)
def test_every_month_word_of_every_language_is_read_in_its_language(day: int, month: int, year: int, code: str) -> None:
    for word in (word for word, number in calendar_words(code).months.items() if number == month):
        if code not in ("th", "vi"):
            assert read(f"{day} {word} {year}", language=code) == Interval.of_day(year, month, day).isoformat(), word


@given(st.integers(1, 60), st.sampled_from(languages()))
@settings(max_examples=200)
def test_every_unit_of_every_language_lies_back_in_its_language(count: int, code: str) -> None:
    words = calendar_words(code)
    if code == "th":
        return
    for word, unit in words.units.items():
        text = f"{words.ago[0]} {count} {word}"
        found = read_date(text, now=NOW, language=code)
        assert found is not None, text
        assert found.granularity == unit, text


@given(st.text(max_size=200))
@settings(max_examples=500)
def test_no_text_is_an_exception(text: str) -> None:
    for moment in (NOW, None):
        found = read_date(text, now=moment)
        assert found is None or found.start is not None


@pytest.mark.parametrize(
    ("interval", "text"),
    [
        (Interval.of_day(2021, 5, 6), "May 6, 2021"),
        (Interval.of_month(2021, 5), "May 2021"),
        (Interval.of_year(2021), "2021"),
        (None, "unknown"),
    ],
)
def test_dates_are_written_as_people_write_them(interval: Interval | None, text: str) -> None:
    assert reading_of(interval) == text


def test_days_that_may_lie_ahead_are_the_nearest() -> None:
    for text, day in (
        ("Sat, Oct 4", "2025-10-04"),
        ("Fri 7:30 PM", "2025-09-26"),
        ("Jan 2", "2026-01-02"),
        ("Aug 2", "2025-08-02"),
    ):
        found = read_date(text, now=NOW, ahead=True)
        assert found is not None
        assert found.isoformat()[:10] == day
    assert str(read_date("Jan 2, 2020", now=NOW, ahead=True)) == "2020-01-02"


@given(st.datetimes(datetime(1905, 1, 1), datetime(2095, 12, 31)))
def test_a_leap_day_without_a_year_is_one_that_there_was_or_is_nearest(day: datetime) -> None:
    now = day.replace(tzinfo=UTC)
    for ahead in (False, True):
        found = read_date("Feb 29", now=now, ahead=ahead)
        assert found is not None
        assert found.isoformat().endswith("-02-29")
        assert ahead or not found.after(Interval.of_moment(now))
        assert abs(int(found.isoformat()[:4]) - day.year) <= (4 if ahead else 8)


@given(
    st.datetimes(datetime(1950, 1, 1), datetime(2099, 12, 31)),
    st.sampled_from(["", "D:"]),
    st.sampled_from(["", "Z", "+01'00'"]),
)
def test_the_moment_of_a_pdf_is_the_same_for_every_reader(moment: datetime, lead: str, zone: str) -> None:
    for form in ("%Y%m%d%H%M", "%Y%m%d%H%M%S"):
        text = f"{lead}{moment:{form}}{zone}"
        found = read_date(text, now=None)
        assert found == read_date(text, now=NOW) == date_of(text)
        assert found is not None
        assert found.contains(Interval.of_moment(moment)) or found.isoformat() == f"{moment:%Y-%m-%dT%H:%M}:00"


def test_milliseconds_since_1970_are_no_digits_of_a_date() -> None:
    for milliseconds in (1_620_259_200_000, 1_903_041_200_000, 2_019_030_412_000):
        assert date_of(str(milliseconds)) == read_date(str(milliseconds), now=None) == read_date(milliseconds, now=None)


@pytest.mark.parametrize(
    ("value", "date"),
    [
        ("Q3 2019", "2019-07-01/2019-10-01"),
        ("May 6, 2021", "2021-05-06"),
        ("no date", "None"),
        (Interval.of_year(2020), "2020"),
    ],
)
def test_metadata_may_say_vaguer_times(value: object, date: str) -> None:
    assert str(date_of(value)) == date


@pytest.mark.parametrize(
    "value",
    ["0000-00-00", "0000-00-00 00:00:00", "0000-01-01", "0001-01-01T00:00:00Z", "1 January 0000", datetime(1, 1, 1)],
)
def test_the_zero_of_a_programs_type_is_no_date(value: object) -> None:
    assert date_of(value) is None
    assert date_of("0476-09-04") == Interval.of_day(476, 9, 4)


@pytest.mark.parametrize(
    ("metadata", "published"),
    [
        ({"file_name": "2025-02-01-standup.md"}, "2025-02-01"),
        ({"source": "notes/2019_05/minutes_2021-05.txt"}, "2021-05"),
        ({"source": "C:\\notes\\2025-02-01.md", "date": "2020"}, "2020"),
        ({"source": "notes/2019-05-01/minutes.txt"}, None),
        ({"source": "Reuters", "page": 20250201}, None),
        ({"url": "https://x.example/news/article-204511"}, None),
        ({"url": "https://x.example/2024-05-01-opening"}, "2024-05-01"),
        ({"published": "2019-05/..", "title": "since May 2019"}, "2019-05/.."),
        ({"published": "2019-01-01/2020-03-05"}, "2019-01-01/2020-03-05"),
    ],
)
def test_a_documents_date_is_what_a_field_says_else_its_files_name(
    metadata: dict[str, object], published: str | None
) -> None:
    (found, _) = dates_of_all([("", metadata)])[0]
    assert (None if found is None else found.isoformat()) == published
