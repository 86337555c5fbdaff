"""BLEU, against figures worked out by hand."""

from __future__ import annotations

import math

import pytest

from dateline import BadInput
from dateline_bench.bleu import corpus_bleu, sentence_bleu

CAT = "the cat is on the mat"


def test_the_same_text_is_100_and_one_without_a_shared_word_0() -> None:
    assert sentence_bleu(CAT, references=[CAT]) == pytest.approx(100)
    assert corpus_bleu([CAT], references=[[CAT]]) == pytest.approx(100)
    assert sentence_bleu("dogs bark", references=[CAT]) == 0
    assert sentence_bleu("", references=[CAT]) == 0
    assert corpus_bleu(["dogs bark"], references=[[CAT]]) == 0


def test_runs_are_counted_at_most_as_often_as_a_reference_has_them() -> None:
    assert corpus_bleu(["the the the the the the the"], references=[[CAT]], order=1) == pytest.approx(100 * 2 / 7)
    assert corpus_bleu(["the cat sat"], references=[["the cat", "cat sat"]], order=2) == pytest.approx(100)


def test_short_texts_are_punished_by_the_reference_nearest_in_length() -> None:
    assert corpus_bleu(["the cat"], references=[["the cat is on"]], order=1) == pytest.approx(100 * math.exp(-1))
    assert corpus_bleu(["the cat"], references=[["the cat is on", "a cat"]], order=1) == pytest.approx(100)


def test_a_sentence_is_smoothed_by_one_behind_single_words() -> None:
    # 5 of 6 words, 3 of 5 pairs, 1 of 4 triples, 0 of 3 fours.
    expected = 100 * (5 / 6 * 4 / 6 * 2 / 5 * 1 / 4) ** 0.25
    assert sentence_bleu("the cat sat on the mat", references=[CAT]) == pytest.approx(expected)


def test_all_texts_count_together() -> None:
    both = corpus_bleu(["the cat", "a dog"], references=[["the cat"], ["the dog"]], order=1)
    assert both == pytest.approx(75)


def test_nothing_to_compare_is_refused() -> None:
    with pytest.raises(BadInput, match="reference"):
        sentence_bleu(CAT, references=[])
    with pytest.raises(BadInput, match="1 and 0"):
        corpus_bleu([CAT], references=[])
    with pytest.raises(BadInput, match="order"):
        sentence_bleu(CAT, references=[CAT], order=0)
