"""Differences and sums: planned from the question, answered from two readings."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from dateline.reading import local_reader
from dateline.reading.counting import summed
from dateline.reading.difference import asks_difference, difference, subtract, unplanned
from dateline.records import Candidate, Evidence, Reading
from dateline.temporal.constraint import Question
from dateline.temporal.decomposition import decompose
from dateline.temporal.interval import Interval


def asked(text: str) -> Question:
    return decompose(text, as_of=datetime(2024, 6, 1, tzinfo=UTC))


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "How many more guests came in 2023 than in 2022?",
            ("How many guests came in 2023?", "How many guests came in 2022?"),
        ),
        (
            "How many members more were there at the end of 2023 than at the end of 2021?",
            ("How many members were there at the end of 2023?", "How many members were there at the end of 2021?"),
        ),
        (
            "How many fewer boats came in 2023 than the year before?",
            ("How many boats came in 2023?", "How many boats came in 2022?"),
        ),
        (
            "How many more boats came in May 2023 than in April?",
            ("How many boats came in May 2023?", "How many boats came in April 2023?"),
        ),
        (
            "How many more boats came in 2021 than last year?",
            ("How many boats came in 2021?", "How many boats came last year?"),
        ),
        (
            "How many more guests came in May 2023 than the year before?",
            ("How many guests came in May 2023?", "How many guests came in May 2022?"),
        ),
    ],
)
def test_a_question_for_a_difference_is_two_questions(text: str, parts: tuple[str, str]) -> None:
    plan = difference(asked(text))
    assert plan is not None
    assert tuple(part.text for part in plan) == parts


@pytest.mark.parametrize(
    "text", ["How many guests came in 2023?", "Who has more keys than Bo?", "How many more guests came than boats?"]
)
def test_other_questions_are_not_taken_apart(text: str) -> None:
    assert difference(asked(text)) is None


def number(answer: str, source: str = "a", *others: Candidate) -> Reading:
    best = Candidate(answer=answer, probability=0.5, evidence_ids=(source,))
    return Reading(answer=answer, probability=0.5, evidence_ids=(source,), candidates=(best, *others))


def test_a_difference_is_told_with_the_evidence_of_both() -> None:
    plan = difference(asked("How many more guests came in 2023 than in 2022?"))
    assert plan is not None
    found = subtract(plan, number("34,600 guests", "a"), number("22,350", "b"))
    assert found is not None
    assert (found.answer, found.evidence_ids, found.probability) == ("12,250", ("a", "b"), 0.25)
    assert subtract(plan, number("34,600"), number("many")) is None
    assert subtract(plan, number("34,600"), number("34,600")) is None
    less = Candidate(answer="30,000", probability=0.1)
    both = subtract(plan, number("34,600"), number("34,600", "b", less))
    assert both is not None
    assert both.answer == "4,600"


@pytest.mark.parametrize(
    ("word", "numbers", "answer"),
    [
        ("more", ("55", "40"), "15"),
        ("more", ("40", "55"), "15 fewer"),
        ("fewer", ("40", "55"), "15"),
        ("fewer", ("55", "40"), "15 more"),
    ],
)
def test_a_difference_against_the_question_says_so(word: str, numbers: tuple[str, str], answer: str) -> None:
    plan = difference(asked(f"How many {word} boats came in 2023 than in 2022?"))
    assert plan is not None
    found = subtract(plan, *map(number, numbers))
    assert found is not None
    assert found.answer == answer


def test_the_reader_subtracts_what_it_reads_of_two_years() -> None:
    notes = [
        Evidence.make(
            f"{count} guests came in {year}.", title=f"Year {year}", published=Interval.of_day(year + 1, 1, 9)
        )
        for year, count in ((2023, 410), (2022, 385))
    ]
    found = local_reader().read(asked("How many more guests came in 2023 than in 2022?"), evidence=notes).reading
    assert found.answer == "25"
    assert set(found.evidence_ids) == {one.id for one in notes}


def test_a_value_read_where_a_difference_is_asked_for_is_doubted() -> None:
    assert asks_difference(asked("By how much did the fee rise?"))
    assert asks_difference(asked("How much more does a day ticket cost?"))
    assert not asks_difference(asked("How much is the fee?"))
    assert not asks_difference(asked("How many people have more than one dog?"))
    found = unplanned(
        Reading(
            answer="6 pounds",
            probability=0.5,
            no_answer=0.2,
            candidates=(Candidate(answer="6 pounds", probability=0.5),),
        )
    )
    assert found.probability == 0.1
    assert found.no_answer > 0.8
    assert "difference" in found.reasoning


def test_numbers_asked_for_together_are_added() -> None:
    notes = [
        Evidence.make("Ada left early."),
        Evidence.make("They found 31 loose stones at the yard and twelve at the gate."),
    ]
    both = "How many loose stones were there at the yard and at the gate together?"
    assert summed(number("31"), question=asked(both), evidence=notes).answer == "43"
    assert summed(number("31"), question=asked(both), evidence=notes).evidence_ids == (notes[1].id,)
    assert (
        summed(number("31"), question=asked("How many loose stones were at the yard?"), evidence=notes).answer == "31"
    )
    assert summed(number("31"), question=asked(both), evidence=notes[:1]).answer == "31"


@pytest.mark.parametrize(("year", "sum_then"), [("2022", "58"), ("2023", "65")])
def test_numbers_of_another_year_are_not_added(year: str, sum_then: str) -> None:
    told = "In 2023 the club had 40 members in Biel and 25 members in Lyss. In 2022 it had 38 in Biel and 20 in Lyss."
    notes = [Evidence.make(told, published=Interval.parse("2024-01-05"))]
    both = asked(f"How many members did the club have in Biel and Lyss together in {year}?")
    assert summed(number("40"), question=both, evidence=notes).answer == sum_then


def test_numbers_that_are_announced_are_not_added_before_their_day() -> None:
    notes = [
        Evidence.make("There are four boats in Biel and two boats in Lyss.", published=Interval.parse("2024-01-05")),
        Evidence.make(
            "From 1 September 2024 there will be nine boats in Biel and nine boats in Lyss.",
            published=Interval.parse("2024-05-05"),
        ),
    ]
    both = asked("How many boats are there in Biel and Lyss together?")
    assert summed(number("four"), question=both, evidence=notes).answer == "6"


@pytest.mark.parametrize("hours", [-5, 0, 9])
def test_the_year_before_is_the_same_one_in_every_time_zone(hours: int) -> None:
    as_of = datetime(2024, 6, 1, tzinfo=timezone(timedelta(hours=hours)))
    plan = difference(decompose("How many more boats came in 2023 than the year before?", as_of=as_of))
    assert plan is not None
    assert [part.text for part in plan] == ["How many boats came in 2023?", "How many boats came in 2022?"]


@pytest.mark.parametrize(
    "told",
    [
        "The club has 120 members in total, 45 of them under 18.",
        "The club has 120 members. Of the members of the club 45 are under 18 and 30 are over 60.",
    ],
)
def test_a_total_that_is_told_is_not_added_to_its_parts(told: str) -> None:
    many = asked("How many members are there in the club in total?")
    assert summed(number("120"), question=many, evidence=[Evidence.make(told)]).answer == "120"


def test_a_ratio_is_no_difference_and_is_doubted() -> None:
    ratio = asked("How many times more visitors came in 2023 than in 2022?")
    assert difference(ratio) is None
    assert asks_difference(ratio)


@pytest.mark.parametrize(
    ("question", "text", "read", "total"),
    [
        ("How many parking spaces are there in total?", "The garage has 120 parking spaces on 3 floors.", "120", "120"),
        ("How many dogs may one person walk together?", "One person may walk at most four dogs.", "four", "four"),
        ("How many cars have Biel and Lyss together?", "Biel has four cars and Lyss two.", "four", "6"),
        (
            "How many boats did Biel, Lyss and Thun count together?",
            "Biel counted 40 boats, Lyss 25, Thun 12.",
            "40",
            "77",
        ),
        ("How many people came in total?", "Nine adults and two children came in total, people say.", "Nine", "Nine"),
        ("How many people came in all?", "To the fair came nine adults and two children.", "nine", "nine"),
    ],
)
def test_only_numbers_of_what_is_asked_for_are_added(question: str, text: str, read: str, total: str) -> None:
    notes = [Evidence.make(text)]
    assert summed(Reading(answer=read), question=asked(question), evidence=notes).answer == total
