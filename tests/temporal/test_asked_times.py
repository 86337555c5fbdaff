"""Times of lists, of names and of questions: what shares its year, what is asked for and what is kept."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from dateline.temporal import Interval, Question, decompose, find_expressions

ANCHOR = Interval.parse("2024-06-12")
WEDNESDAY = datetime(2024, 6, 12, 9, tzinfo=UTC)


def times(text: str, anchor: Interval | None = ANCHOR) -> list[str]:
    return [str(found.interval) for found in find_expressions(text, anchor=anchor)]


def asked(text: str) -> Question:
    return decompose(text, as_of=WEDNESDAY)


def constrained(text: str) -> tuple[str, str, str]:
    question = asked(text)
    assert question.constraint is not None, question
    return question.content, question.constraint.relation, str(question.constraint.interval)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The pool was closed in July and August 2019.", ["2019-07", "2019-08"]),
        ("in March/April 2015", ["2015-03", "2015-04"]),
        ("in March, April or May 2015", ["2015-03", "2015-04", "2015-05"]),
        ("on 3 May and 4 June 2019", ["2019-05-03", "2019-06-04"]),
        ("in December and January 2019", ["2018-12", "2019-01"]),
        ("Closed on 3 and 4 May 2020", ["2020-05-03", "2020-05-04"]),
        ("Closed on 3, 4 and 5 May 2020", ["2020-05-03", "2020-05-04", "2020-05-05"]),
        ("on the 3rd or 4th of May 2020", ["2020-05-03", "2020-05-04"]),
        ("Closed on May 3 and 4, 2020.", ["2020-05-03", "2020-05-04"]),
        ("on May 3, 4 and 5, 2020", ["2020-05-03", "2020-05-04", "2020-05-05"]),
        ("in spring and summer 2015", ["2015-03-01/2015-06-01", "2015-06-01/2015-09-01"]),
        ("in early March or April 2015", ["2015-03-01/2015-03-12", "2015-04"]),
        ("Im Juli und August 2019 geschlossen.", ["2019-07", "2019-08"]),
        ("Am 3. und 4. Mai 2020 geschlossen.", ["2020-05-03", "2020-05-04"]),
        ("Fermé en juillet et août 2019.", ["2019-07", "2019-08"]),
        ("Cerrado en julio o agosto de 2019.", ["2019-07", "2019-08"]),
    ],
)
@pytest.mark.parametrize("anchor", [ANCHOR, None])
def test_times_of_a_list_share_the_year_of_the_last(text: str, expected: list[str], anchor: Interval | None) -> None:
    assert times(text, anchor) == expected


@pytest.mark.parametrize("text", ["last May and June 2019", "rooms 9 and 4 May 2020", "for $3 and 4 May 2020"])
def test_what_is_no_list_shares_nothing(text: str) -> None:
    assert not any(time.startswith(("2019-05", "2020-05-03", "2020-05-09")) for time in times(text))


@pytest.mark.parametrize(
    ("text", "content", "interval"),
    [
        ("Who chaired the choir in March or April 2015?", "Who chaired the choir?", "2015-03-01/2015-05-01"),
        ("Who chaired the choir in spring or summer 2015?", "Who chaired the choir?", "2015-03-01/2015-09-01"),
        ("Who was on duty on 3 or 4 May 2024?", "Who was on duty?", "2024-05-03/2024-05-05"),
        ("Who chaired in March/April 2015?", "Who chaired?", "2015-03-01/2015-05-01"),
        ("Wer leitete den Chor im März oder April 2015?", "Wer leitete den Chor?", "2015-03-01/2015-05-01"),
        ("¿Quién dirigía el coro en marzo o abril de 2015?", "¿Quién dirigía el coro?", "2015-03-01/2015-05-01"),
    ],
)
def test_neighbours_of_a_list_are_asked_for_as_one_stretch(text: str, content: str, interval: str) -> None:
    assert constrained(text) == (content, "at", interval)


@pytest.mark.parametrize(
    ("text", "interval"),
    [
        ("Who is on duty on Friday?", "2024-06-14"),
        ("What time is the meeting on Monday?", "2024-06-17"),
        ("Who plays on Saturday?", "2024-06-15"),
        ("who plays on saturday", "2024-06-15"),
        ("Which team plays on Saturday?", "2024-06-15"),
        ("Who's on duty on Friday?", "2024-06-14"),
        ("Who is on duty at Christmas?", "2024-12-25"),
        ("Who leads the tour on 3 May?", "2025-05-03"),
        ("Is the library closed on Monday?", "2024-06-17"),
        ("Are the shop and the bar closed on Friday?", "2024-06-14"),
        ("How long is the pool closed in May?", "2025-05"),
        ("Who leads the united choir on Friday?", "2024-06-14"),
    ],
)
def test_a_question_in_the_present_looks_ahead(text: str, interval: str) -> None:
    assert constrained(text)[2] == interval


@pytest.mark.parametrize(
    ("text", "interval"),
    [
        ("Who was on duty on Friday?", "2024-06-07"),
        ("Was the library closed on Friday?", "2024-06-07"),
        ("Is it true the library was closed on Friday?", "2024-06-07"),
        ("Is this the cake she baked on Friday?", "2024-06-07"),
        ("Who is the chair elected on Friday?", "2024-06-07"),
        ("Who resigned before 3 May?", "2024-05-03"),
        ("Who spoke on Friday?", "2024-06-07"),
        ("Who cut the ribbon on Friday?", "2024-06-07"),
        ("What films ran on Friday?", "2024-06-07"),
        ("Who did Anna meet on Friday?", "2024-06-07"),
        ("Who ran the shop in May?", "2024-05"),
        ("What is in the minutes from Friday?", "2024-06-07"),
        ("Who has been on duty since Friday?", "2024-06-07"),
    ],
)
def test_a_question_in_the_past_or_about_what_is_written_looks_back(text: str, interval: str) -> None:
    assert constrained(text)[2] == interval


def test_a_statement_that_asks_nothing_looks_back_as_before() -> None:
    assert times("The chair is ill on Friday and the hall is cold.") == ["2024-06-07"]


@pytest.mark.parametrize(
    "text",
    [
        "Who plays first violin?",
        "Who is on the first team?",
        "Who is first officer?",
        "Who works the first shift?",
        "Who was first violin in 2019?",
        "Who was on the first team as of 2013?",
        "Which position did John Talbot, 1st Earl of Shrewsbury hold from 1446 to 1453?",
        "Who painted 'The Last Day of Pompeii'?",
    ],
)
def test_a_place_or_name_that_is_called_first_is_no_order(text: str) -> None:
    assert asked(text).ordinal is None


@pytest.mark.parametrize(
    "text",
    [
        "Who was the first director?",
        "Who first led the choir?",
        "Which team did he play for first?",
        "Who is the first person to walk on the moon?",
        "Who is the first director after 2010?",
        "Who was the first woman to lead the party in 2016?",
        "What was her first band in the 1990s?",
        "Which film has the director who died first, Gun or Rose?",
    ],
)
def test_the_earliest_is_asked_for_in_the_past_or_in_a_window(text: str) -> None:
    assert asked(text).ordinal == "first"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Open 10:00-18:00 on 3 May 2024", ["2024-05-03T10:00:00", "2024-05-03T18:00:00"]),
        ("2024-05-03 10:00-18:00", ["2024-05-03T10:00:00", "2024-05-03T18:00:00"]),
        ("from 9 am to 5 pm on 3 May 2024", ["2024-05-03T09:00:00", "2024-05-03T17:00:00"]),
        (
            "Bus 10:00, 11:00 and 12:00 on 3 May 2024",
            ["2024-05-03T10:00:00", "2024-05-03T11:00:00", "2024-05-03T12:00:00"],
        ),
        (
            "2024-05-03 10:00-18:00, 2024-05-04 9:00-12:00",
            ["2024-05-03T10:00:00", "2024-05-03T18:00:00", "2024-05-04T09:00:00", "2024-05-04T12:00:00"],
        ),
        ("Log 2024-05-03T10:00:00+02:00 x", ["2024-05-03T10:00:00"]),
        ("Log 2024-05-03T10:00:00.123-05:00 x", ["2024-05-03T10:00:00"]),
        ("Log 2024-05-03T10:00:00Z x", ["2024-05-03T10:00:00"]),
        ("on 3 May 2024 at 10:00+02:00", ["2024-05-03T10:00:00"]),
    ],
)
def test_times_of_day_beside_a_dated_one_are_of_its_day(text: str, expected: list[str]) -> None:
    assert [time for time in times(text) if "T" in time] == expected


@pytest.mark.parametrize(
    ("text", "content", "relation", "interval"),
    [
        ("Who was director of Acme up to 2018?", "Who was director of Acme?", "until", "2018"),
        ("Who led Acme no later than 2018?", "Who led Acme?", "by", "2018"),
        ("Who was director of Acme earlier than 2018?", "Who was director of Acme?", "before", "2018"),
        ("Who was director of Acme later than 2019?", "Who was director of Acme?", "after", "2019"),
        ("Which team up to 1987 did Messi play for?", "Which team did Messi play for?", "until", "1987"),
        ("Subsequent to 2016, who led Acme?", "Who led Acme?", "after", "2016"),
        ("Who was director of Acme through 2018?", "Who was director of Acme?", "until", "2018"),
        ("Who was director of Acme 2017?", "Who was director of Acme?", "at", "2017"),
        ("2017 director of Acme", "director of Acme", "at", "2017"),
        ("2013 Acme director", "Acme director", "at", "2013"),
        ("acme director 2016", "acme director", "at", "2016"),
        ("Who was the director of Acme (2016)?", "Who was the director of Acme?", "at", "2016"),
        ("Wer war 2016 Direktor von Acme?", "Wer war Direktor von Acme?", "at", "2016"),
    ],
)
def test_the_only_year_of_a_question_is_kept(text: str, content: str, relation: str, interval: str) -> None:
    assert constrained(text) == (content, relation, interval)


@pytest.mark.parametrize(
    "text",
    [
        "Who lives in room 2017?",
        "Who drives the model 2016?",
        "Who has flight 2016?",
        "Who wrote 1984?",
        "Who directed Blade Runner 2049?",
        "Who played in Space 1999?",
        "Who was in Wonder Woman 1984?",
        "Who owns the Boeing 2707?",
        "What is ISO 2015?",
        "Wer wohnt in Zimmer 2017?",
    ],
)
def test_a_number_that_names_a_thing_is_no_year_of_a_question(text: str) -> None:
    assert asked(text).constraint is None


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("Who chaired between May 2010 and now?", "Who chaired?"),
        ("Who chaired from May 2010 to the present?", "Who chaired?"),
        ("Wer leitete zwischen Mai 2010 und jetzt?", "Wer leitete?"),
    ],
)
def test_between_a_time_and_now_lasts_until_now(text: str, content: str) -> None:
    assert constrained(text) == (content, "since", "2010-05/..")


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("What was decided at yesterday's meeting?", "What was decided at meeting?"),
        ("What was in yesterday's soup?", "What was in soup?"),
        ("Who ran in last year’s race?", "Who ran in race?"),
    ],
)
def test_a_possessive_time_leaves_its_preposition(text: str, content: str) -> None:
    assert asked(text).content == content


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a decade ago", "2014"), ("two decades ago", "2004"), ("a century ago", "1924"), ("vor einem Jahrzehnt", "2014")],
)
def test_a_decade_ago_is_ten_years_ago_and_not_a_whole_decade(text: str, expected: str) -> None:
    assert times(text) == [expected]


def test_a_number_behind_a_name_is_no_year_in_running_text() -> None:
    assert times("Acme director 2016") == []
