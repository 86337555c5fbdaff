"""Keywords by rule and the share of them that a text holds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dateline.text.words import content_words
from dateline_bench.readers.keyword_rank import WeightedKeyword, keyword_scores, keywords

QUESTION = 'Who was the first captain of the Northern Rowers to win "The Long Race" in 1998?'


def test_names_stay_whole_and_kinds_are_told_apart() -> None:
    assert keywords(QUESTION) == [
        WeightedKeyword("first", "superlative"),
        WeightedKeyword("captain", "general"),
        WeightedKeyword("Northern Rowers", "special"),
        WeightedKeyword("win", "general"),
        WeightedKeyword("The Long Race", "special"),
        WeightedKeyword("1998", "numeric"),
    ]


def test_a_text_with_every_keyword_scores_1_and_names_weigh_most() -> None:
    whole, name, word, nothing = keyword_scores(
        QUESTION, stems=[content_words(text) for text in (QUESTION, "the Northern Rowers", "a captain", "bread, tea")]
    )
    assert whole == pytest.approx(1)
    assert whole > name > word > nothing == 0


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_question_and_text_score_between_0_and_1(question: str, text: str) -> None:
    (score,) = keyword_scores(question, stems=[content_words(text)])
    assert 0 <= score <= 1 + 1e-9
