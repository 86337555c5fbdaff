from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dateline import Evidence, Interval, Question, Reading
from dateline.handwritten.reading.choices import asks_for_the_odd_one
from dateline.handwritten.reading.scored_sentences import keys
from dateline.reading import ExtractiveReader


def read(text: str, *evidence: Evidence, choices: list[str]) -> Reading:
    question = Question(text, text, None, datetime(2024, 6, 1, tzinfo=UTC))
    return ExtractiveReader().read(question, evidence=evidence, choices=choices).reading


def test_a_choice_that_merely_occurs_often_loses_to_the_one_beside_the_question() -> None:
    noise = Evidence.make("Oslo in summer. Oslo in winter. Oslo by train. A walk through Oslo.")
    told = Evidence.make("The ferry museum opened in Bergen on Monday.")
    assert read("Where did the ferry museum open?", noise, told, choices=["Oslo", "Bergen"]).answer == "Bergen"


def test_numbers_meet_in_any_spelling() -> None:
    told = Evidence.make("The bridge cost $1.5bn and took six years.")
    assert read("How much did the bridge cost?", told, choices=["2 billion dollars", "1.5 billion dollars"]).choice == 1
    assert read("How many years did the bridge take?", told, choices=["4", "5", "6", "7"]).choice == 2
    assert set(keys("Ukrainians")) == set(keys("Ukrainian"))


@pytest.mark.parametrize(
    "text",
    ["All of these opened this year, except:", "Which of these is not an island?", "Which of these towns didn't vote?"],
)
def test_odd_one_out_questions_take_what_the_evidence_leaves_out(text: str) -> None:
    assert asks_for_the_odd_one(text)
    told = Evidence.make("Norby is an island. Norby opened and voted. Skagen is an island. Skagen opened and voted.")
    assert read(text, told, choices=["Norby", "Lund", "Skagen"]).answer == "Lund"


@pytest.mark.parametrize("text", ["Why did they not vote?", "True or false: it rained.", "Which town voted?"])
def test_other_questions_are_not_turned_round(text: str) -> None:
    assert not asks_for_the_odd_one(text)


def test_newer_evidence_weighs_more() -> None:
    old = Evidence.make("Ann Hale won the race.", published=Interval.of_year(2012))
    new = Evidence.make("Bo Lind won the race.", published=Interval.of_day(2024, 5, 30))
    assert read("Who won the race?", old, new, choices=["Ann Hale", "Bo Lind"]).answer == "Bo Lind"


def test_a_blank_choice_is_never_taken() -> None:
    assert read("Which town is not by the sea?", choices=["", "Lund"]).choice == 1


@given(st.lists(st.text(max_size=40), min_size=1, max_size=5), st.text(max_size=200), st.text(max_size=80))
def test_any_text_gives_a_valid_choice_and_probabilities_that_add_up(choices: list[str], text: str, asked: str) -> None:
    reading = read(asked, Evidence.make(text), choices=choices)
    assert reading.choice is not None
    assert choices[reading.choice] == reading.answer
    assert sum(one.probability for one in reading.candidates) == pytest.approx(1.0)
