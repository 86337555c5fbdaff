"""A question asks for a kind of answer, a sentence holds possible ones."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dateline.language.answer_type import AnswerKind, answer_type
from dateline.ranking.possible_answers import PossibleAnswers, known_words


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Who was captain of the Northern Rowers?", "person"),
        ("What was the name of Ada Quill's husband?", "person"),
        ("Which position did Ada Quill hold?", "role"),
        ("How many boats did the Northern Rowers own?", "count"),
        ("Which club did Ada Quill row for?", "name"),
        ("Where did Ada Quill live?", "place"),
        ("What record label did Ada Quill sing for?", "name"),
        ("What was the noble title of Ada Quill?", "role"),
        ("When did Ada Quill retire?", "date"),
        ("Is Ada Quill the captain?", "yes_no"),
    ],
)
def test_a_question_asks_for_a_kind_of_answer(question: str, kind: AnswerKind) -> None:
    assert answer_type(question).kind == kind


def test_a_person_is_offered_by_a_name_that_is_not_in_the_question() -> None:
    known = known_words("Who was captain of the Northern Rowers?", title="Northern Rowers")
    assert PossibleAnswers.of("Bo Winter led them from 2004 .").has("person", known=known)
    assert not PossibleAnswers.of("The Northern Rowers had a captain in May 2004 .").has("person", known=known)


def test_months_years_and_first_words_are_no_answers() -> None:
    sentence = PossibleAnswers.of("In August 1999 it was over .")
    assert not any(sentence.has(kind, known=()) for kind in ("person", "role", "count", "name"))
    assert sentence.has("date", known=())


def test_an_office_and_a_number_are_told_by_their_words() -> None:
    assert PossibleAnswers.of("She became deputy director .").has("role", known=())
    assert PossibleAnswers.of("They owned 12 boats .").has("count", known=())
    assert PossibleAnswers.of("They owned three boats .").has("count", known=())


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    assert all(PossibleAnswers.of(text).names)
