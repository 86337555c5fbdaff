"""Sentences are looked at all at once, and each as if it were alone."""

from __future__ import annotations

import numpy as np
import pytest

from dateline.products import ONE_THREAD, products
from dateline.ranking.sentence_words import SentenceWords
from dateline.ranking.state_features import FEATURES, AskedWords, state_features
from dateline.ranking.twins import twins

QUESTION = AskedWords.of("Who is the director of the Glass Museum?")
SENTENCES = (
    "Ana Lee is the director of the Glass Museum.",
    "Bo Ek is the deputy director of the Glass Museum.",
    "",
    "The café of the",
    "Glass Museum's shop",
    "For groups, the director of education at the Northern Glass Museum is Cy Flint!",
    "…",
    "director",
    "She isn't, and never was, the former director",
)


def marks(*sentences: str, question: AskedWords = QUESTION) -> np.ndarray:
    words = SentenceWords.of(sentences)
    return state_features(question, words, above=np.zeros((len(sentences), len(question.roots)), dtype=np.bool_))


def test_another_name_is_seen_behind_the_words_that_put_it_to_a_noun() -> None:
    question = AskedWords.of("What is the notice period for tenants in Veldra?")
    seen = marks(
        "Tenants in Ostria have 90 days.", "Tenants in Veldra have 90 days.", "Tenants have 90 days.", question=question
    )
    assert seen[:, FEATURES.index("substituted name")].tolist() == [1, 0, 0]


def test_the_sentences_around_change_no_mark() -> None:
    assert np.array_equal(marks(*SENTENCES), np.vstack([marks(each) for each in SENTENCES]))
    assert np.array_equal(marks(*SENTENCES)[::-1], marks(*SENTENCES[::-1]))


def test_words_taken_out_of_a_table_are_those_of_the_sentences() -> None:
    table, places = SentenceWords.of(SENTENCES), np.array([8, 2, 0])
    alone = SentenceWords.of([SENTENCES[place] for place in places])
    taken = table.take(places)
    assert all(np.array_equal(getattr(taken, name), getattr(alone, name)) for name in ("roots", "marks", "counts"))


@pytest.mark.parametrize(
    ("sentence", "mark"),
    [
        ("Bo Ek is the deputy director of the Glass Museum.", "deputy"),
        ("Bo Ek is the artistic director of the Glass Museum.", "left"),
        ("Bo Ek is the director of education at the Glass Museum.", "right of"),
        ("Bo Ek runs the café of the Glass Museum.", "into name"),
        ("Bo Ek works in the Glass Museum's shop.", "behind name"),
        ("Bo Ek is the director of the Northern Glass Museum.", "name left"),
        ("Bo Ek is the director of the Glass Museum Trust.", "name right"),
        ("Bo Ek, the former director of the Glass Museum, spoke.", "past"),
        ("Bo Ek is not the director of the Glass Museum.", "reversed"),
    ],
)
def test_a_look_alike_bears_a_mark_that_the_state_lacks(sentence: str, mark: str) -> None:
    state, alike = marks(SENTENCES[0], sentence)[:, FEATURES.index(mark)]
    assert (state, alike) == (0.0, 1.0)


def test_another_subject_in_the_same_words_is_a_twin() -> None:
    asked = AskedWords.of("Where is the office of the club?")
    told = ("The office of the club is at 9 Well Street.", "The boathouse of the club is at 4 Mill Lane.")
    assert twins(asked, SentenceWords.of(told)).tolist() == [False, True]


def test_products_by_blocks_are_the_product() -> None:
    chance = np.random.default_rng(0)
    left, right = chance.normal(size=(700, 384)).astype(np.float32), chance.normal(size=(20, 384)).astype(np.float32)
    assert left.size * len(right) > ONE_THREAD
    assert np.allclose(products(left, right), left @ right.T, atol=1e-4)
    assert products(left[:0], right).shape == (0, 20)
