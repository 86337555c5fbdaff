"""What a question wants and what a sentence has to offer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dateline.ranking.wanted import Kind, Offer, known_words, wanted


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Who was captain of the Northern Rowers?", "person"),
        ("What was the name of Ada Quill's husband?", "person"),
        ("Which position did Ada Quill hold?", "role"),
        ("How many boats did the Northern Rowers own?", "number"),
        ("Which club did Ada Quill row for?", "name"),
        ("Where did Ada Quill live?", "name"),
        ("When did Ada Quill retire?", "any"),
        ("Is Ada Quill the captain?", "any"),
    ],
)
def test_the_question_tells_what_it_wants(question: str, kind: Kind) -> None:
    assert wanted(question) == kind


def test_a_person_is_offered_by_a_name_that_is_not_in_the_question() -> None:
    known = known_words("Who was captain of the Northern Rowers?", title="Northern Rowers")
    assert Offer.of("Bo Winter led them from 2004 .").has("person", known=known)
    assert not Offer.of("The Northern Rowers had a captain in May 2004 .").has("person", known=known)


def test_months_years_and_first_words_are_no_answers() -> None:
    sentence = Offer.of("In August 1999 it was over .")
    assert not any(sentence.has(kind, known=()) for kind in ("person", "role", "number", "name"))
    assert sentence.has("any", known=())


def test_an_office_and_a_number_are_told_by_their_words() -> None:
    assert Offer.of("She became deputy director .").has("role", known=())
    assert Offer.of("They owned 12 boats .").has("number", known=())
    assert Offer.of("They owned three boats .").has("number", known=())


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    assert wanted(text) in ("person", "role", "number", "name", "any")
    assert all(Offer.of(text).names)
