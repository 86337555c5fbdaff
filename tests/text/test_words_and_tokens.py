"""Words fold and stem alike; tokens are counted without the network."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dateline.text import content_words, default_token_counter, stem, words
from dateline.text.tokens import estimate_tokens


@pytest.mark.parametrize(
    ("one", "other"),
    [("serves", "served"), ("companies", "company"), ("stopped", "stop"), ("playing", "plays"), ("leagues", "league")],
)
def test_forms_of_a_word_share_a_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


def test_words_have_no_case_accents_or_apostrophes() -> None:
    assert words("The Women's CAFÉ, 1916–1920") == ["the", "womens", "cafe", "1916", "1920"]


def test_question_words_carry_no_content() -> None:
    assert content_words("Who was the owner of it in 1904?") == ["owner", "1904"]


@given(st.text(max_size=300))
def test_any_text_has_words_and_tokens(text: str) -> None:
    assert all(words(word) == [word] for word in words(text) if word.isascii())
    assert estimate_tokens(text) >= 0
    assert default_token_counter()(text) >= 0


def test_the_estimate_is_near_the_real_count_on_prose() -> None:
    counter = default_token_counter()
    if counter.name == "estimate":
        pytest.skip("no vocabulary on this machine")
    prose = "The lighthouse was finished in 1871, and its keeper moved into the small stone house beside it. " * 5
    assert estimate_tokens(prose) == pytest.approx(counter(prose), rel=0.25)


def test_a_long_text_is_counted_word_by_word_wherever_it_is_cut() -> None:
    counter = default_token_counter()
    if counter.name == "estimate":
        pytest.skip("no vocabulary on this machine")
    assert counter("the" + " river" * 20_000) == 20_001
