"""A question asks for a kind of answer, a sentence holds possible ones."""

from collections.abc import Collection

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dateline.language.answer_type import AnswerKind, answer_type
from dateline.ranking.possible_answers import AnswerTable, PossibleAnswers, known_words


def offers(kind: AnswerKind, text: str, *, known: Collection[str] = ()) -> bool:
    table = AnswerTable.of([PossibleAnswers.of(text)])
    return bool(table.has(kind, known=known, sentences=np.arange(1)).all())


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
    assert offers("person", "Bo Winter led them from 2004 .", known=known)
    assert not offers("person", "The Northern Rowers had a captain in May 2004 .", known=known)


def test_months_years_and_first_words_are_no_answers() -> None:
    kinds: tuple[AnswerKind, ...] = ("person", "role", "count", "name", "date")
    assert [kind for kind in kinds if offers(kind, "In August 1999 it was over .")] == ["date"]


def test_an_office_and_a_number_are_told_by_their_words() -> None:
    assert offers("role", "She became deputy director .")
    assert offers("count", "They owned 12 boats .")
    assert offers("count", "They owned three boats .")


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    assert all(PossibleAnswers.of(text).names)
