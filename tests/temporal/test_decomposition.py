"""Decomposition: what never happens, whatever the question."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dateline.errors import BadInput
from dateline.limits import QUESTION
from dateline.temporal import Constraint, Interval, Question, decompose
from dateline.temporal.decomposition import asked_question

AS_OF = datetime(2024, 6, 15, tzinfo=UTC)
STEMS = st.sampled_from(
    [
        "Who was the mayor of Paris?",
        "Which team does she play for?",
        "who owned the bank",
        "What was the ship called?",
        "Name the capital of the province.",
    ]
)


@given(st.text(min_size=1).filter(str.strip))
def test_any_text_gives_a_question_with_content(text: str) -> None:
    question = decompose(text, as_of=AS_OF)
    assert question.text == text
    assert question.content.strip()
    assert Question.from_json(question.to_json()) == question


@given(STEMS, st.dates(min_value=date(1200, 1, 1), max_value=date(2100, 1, 1)))
def test_as_of_any_day_leaves_the_question_itself(stem: str, day: date) -> None:
    mark = stem[-1] if stem[-1] in "?." else ""
    question = decompose(f"{stem.rstrip('?.')} as of {day:%B} {day.day}, {day.year}{mark}", as_of=AS_OF)
    assert question.content == stem
    assert question.constraint is not None
    assert (question.constraint.relation, question.constraint.interval) == (
        "as_of",
        Interval.of_day(day.year, day.month, day.day),
    )


@given(STEMS)
def test_a_question_that_says_nothing_about_time_is_unchanged(stem: str) -> None:
    question = decompose(stem, as_of=AS_OF)
    assert (question.content, question.constraint, question.ordinal) == (stem, None, None)


def test_without_a_constraint_the_asking_day_counts() -> None:
    effective = decompose("Who is the mayor of Paris?", as_of=AS_OF).effective_constraint()
    assert (effective.relation, effective.interval) == ("as_of", Interval.of_day(2024, 6, 15))


def test_relative_times_are_read_on_the_calendar_of_the_asker() -> None:
    just_after_midnight = datetime(2024, 1, 1, 0, 30, tzinfo=timezone(timedelta(hours=9)))
    constraint = decompose("Who won last year?", as_of=just_after_midnight).constraint
    assert constraint is not None
    assert constraint.interval == Interval.of_year(2023)


def test_the_constraint_keeps_the_words_that_said_it() -> None:
    constraint = decompose("Who led the bank from May 1937 until 1941?", as_of=AS_OF).constraint
    assert constraint is not None
    assert constraint.text == "from May 1937 until 1941"


@pytest.mark.parametrize("text", ["", "  \n "])
def test_an_empty_question_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="visible character"):
        decompose(text, as_of=AS_OF)


def test_a_naive_asking_time_is_refused() -> None:
    with pytest.raises(BadInput, match="time zone"):
        decompose("Who won?", as_of=datetime(2024, 1, 1))


def test_half_of_all_questions_take_less_than_a_millisecond() -> None:
    text = "Which professional club did the striker who was born in 1978 play for from May 2003 to June 2005?"
    seconds = []
    for _ in range(51):
        begun = time.perf_counter()
        decompose(text, as_of=AS_OF)
        seconds.append(time.perf_counter() - begun)
    assert sorted(seconds)[25] < 0.001


@pytest.mark.parametrize(
    "piece", ["in 2010 ", "who was born in ", "a ", "built by ", "before ", "in the ", ",", "between 2010 and "]
)
def test_a_long_question_is_taken_apart_in_time(piece: str) -> None:
    begun = time.process_time()
    decompose(piece * ((QUESTION - 1) // len(piece)) + "?", as_of=AS_OF)
    assert time.process_time() - begun < 2


@pytest.mark.parametrize(
    ("text", "content", "relation"),
    [
        ("Who led the club after the 2004-05 season?", "Who led the club?", "after"),
        ("Which firm was it owned by from 2004 to 2006?", "Which firm was it owned by?", "between"),
        ("Which stadium did they play in from 1995 to 2015?", "Which stadium did they play in?", "between"),
        ("In 2010?", "In 2010?", "at"),
    ],
)
def test_a_preposition_belongs_to_the_time_or_to_the_verb(text: str, content: str, relation: str) -> None:
    question = decompose(text, as_of=AS_OF)
    assert question.constraint is not None
    assert (question.content, question.constraint.relation) == (content, relation)


@pytest.mark.parametrize(
    ("text", "content", "words"),
    [
        (
            "Which team did Ann Lee play for from 1994 to 1999, if she joined Rovers in 1998?",
            "Which team did Ann Lee play for, if she joined Rovers in 1998?",
            "from 1994 to 1999",
        ),
        (
            "If Ann Lee left Acme in 1992, which firm did she work for in 1990?",
            "If Ann Lee left Acme in 1992, which firm did she work for?",
            "in 1990",
        ),
        ("Do you know if Ann Lee won in 1990?", "Do you know if Ann Lee won?", "in 1990"),
    ],
)
def test_what_a_question_only_supposes_is_no_constraint(text: str, content: str, words: str) -> None:
    question = decompose(text, as_of=AS_OF)
    assert question.content == content
    assert question.constraint is not None
    assert question.constraint.text == words


@pytest.mark.parametrize("number", ["0", "00", "ſix", "sıx", "SİX"])
@pytest.mark.parametrize("within", ["", "in the "])
def test_what_is_no_number_is_no_distance_from_a_time(number: str, within: str) -> None:
    constraint = decompose(f"What happened {within}{number} years before 1990?", as_of=AS_OF).constraint
    assert constraint is not None
    assert (constraint.relation, constraint.interval) == ("before", Interval.of_year(1990))


@pytest.mark.parametrize(
    ("words", "window"),
    [
        ("the year after 2010", "2011-01-01/2012-01-01"),
        ("in the year after 2010", "2011-01-01/2012-01-01"),
        ("the two years after 2010", "2011-01-01/2013-01-01"),
        ("the day before 3 May 2020", "2020-05-02/2020-05-03"),
        ("the years after 2010", "2011-01-01/.."),
    ],
)
def test_a_unit_beside_a_time_is_as_long_as_it_says(words: str, window: str) -> None:
    constraint = decompose(f"Who won the cup {words}?", as_of=AS_OF).constraint
    assert constraint is not None
    assert str(constraint.window()) == window


@pytest.mark.parametrize(
    ("words", "window"),
    [
        ("before the end of 2019", "../2019-12-31"),
        ("since the end of 2019", "2019-12-31/.."),
        ("from the end of 2019 on", "2019-12-31/.."),
        ("by the end of 2019", "../2020-01-01"),
        ("after the end of 2019", "2020-01-01/.."),
        ("after the beginning of 2019", "2019-01-02/.."),
        ("before the start of 2019", "../2019-01-01"),
        ("until the beginning of May 2019", "../2019-05-02"),
        ("before late 2019", "../2019-09-01"),
        ("at the end of 2019", "2019-10-01/2020-01-01"),
    ],
)
def test_the_edge_of_a_period_bounds_and_not_its_last_part(words: str, window: str) -> None:
    constraint = decompose(f"Who was the mayor {words}?", as_of=AS_OF).constraint
    assert constraint is not None
    assert str(constraint.window()) == window


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("How many days before Christmas did the shop close?", "How many days did the shop close?"),
        ("How many years after 2010 did it close?", "How many years did it close?"),
        ("Who led it in the years before 2010?", "Who led it?"),
        ("Who led it in years after 2010?", "Who led it?"),
    ],
)
def test_a_unit_that_is_asked_for_stays_in_the_question(text: str, content: str) -> None:
    assert decompose(text, as_of=AS_OF).content == content


def test_a_question_is_taken_apart_anew_for_another_day() -> None:
    asked = decompose("Who led it last year?", as_of=AS_OF)
    again = asked_question(asked, as_of="2020-06-01")
    assert again == asked_question(asked.text, as_of="2020-06-01")
    assert again.constraint is not None
    assert str(again.constraint.interval) == "2019"


def test_a_question_taken_apart_keeps_its_own_day_where_no_other_is_told() -> None:
    asked = decompose("Who led it last year?", as_of=AS_OF)
    assert asked_question(asked, as_of=None) is asked
    assert asked_question(asked, as_of=AS_OF) is asked


def test_times_that_the_rules_did_not_find_are_kept_on_another_day() -> None:
    constraint = Constraint("at", Interval.parse("2015"), text="when she was mayor")
    asked = Question("Who led it when she was mayor?", "Who led it?", constraint, AS_OF)
    again = asked_question(asked, as_of="2020")
    assert (again.constraint, again.content, again.as_of.year) == (constraint, asked.content, 2020)


@pytest.mark.parametrize(("question", "as_of", "said"), [(" ", None, "is empty"), ("Who?", "2999", "later than now")])
def test_what_cannot_be_asked_is_refused(question: str, as_of: str | None, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        asked_question(question, as_of=as_of)
