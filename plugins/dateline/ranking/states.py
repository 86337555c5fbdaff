"""States told again and again, of which the newest known holds.

"Who is the director?" is answered by the newest report of a director, in whatever words it is told; a report about the
deputy director, the café or another town's museum is newer but says nothing about it. So each sentence gets a
probability that it states what is asked, and a score of that times the probability that nothing newer does. Words thus
never outweigh a date, and what is newer but off the topic takes nothing away.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dateline.networks import Networks
from dateline.products import products
from dateline.ranking.bm25 import top
from dateline.ranking.sentence_words import SentenceWords
from dateline.ranking.state_features import AskedWords, state_features
from dateline.ranking.timeline import Floats
from dateline.ranking.twins import twins
from dateline.softmax import logistic

MODEL = Path(__file__).with_name("states.json")
"""The model's weights, fitted by `training/states.py`."""

REACH = 0.45
"""A sentence whose cosine with the question is so much below the best one's states something else. Chosen by hand."""

MOST = 200
"""Sentences whose words are looked at, those nearest in meaning; the others' words cannot make up for it."""

COMPARED = 100
"""Sentences that are compared with each other, the likeliest."""

TWIN = 4.0
"""Log-odds against a sentence that says of something else what another says. Chosen by hand, on made-up worlds."""

BEHIND = 3.0
"""What is so many log-odds behind the best candidate states it half. Chosen by hand, on made-up worlds of versions."""

WORDS, RELEVANCE = 0.7, 0.5
"""How much the words of a sentence count, and the logarithm of its relevance. Chosen by hand, as `BEHIND`."""

ALIKE, ALIKE_WIDTH = 0.65, 0.03
"""The cosine at which a sentence counts half as another wording of one that states it, and how fast that changes."""

NEAR_EQUAL = 2.0
"""Log-odds between reports of one state where nothing but their words is known. Chosen by hand, on made-up worlds and an example."""

FORGIVEN = 0.8
"""The share of its missing relevance that another wording is forgiven. Chosen by hand, as `BEHIND`."""

SUREST, SURE, LEAST = 20, 1.0, 15.0
"""Sentences that others are compared with, how far they may stand behind the best, and the most that words take away."""


def stating(
    asked: AskedWords,
    *,
    words: SentenceWords,
    above: NDArray[np.bool_],
    cosines: Floats,
    offers: NDArray[np.bool_],
) -> Floats:
    """Return the log-odds that each sentence states what is asked.

    Args:
        asked: the words of what is asked, without its time.
        words: those of the sentences.
        above: which of `asked.roots` stand above each sentence, in its title or the sentence before it, shape (sentences, roots).
        cosines: of each sentence with the question, shape (sentences,).
        offers: which sentences have an answer of the kind asked for, shape (sentences,).
    """
    odds = np.full(len(cosines), -np.inf)
    if not len(cosines):
        return odds
    best = float(cosines.max())
    near = top(cosines, MOST)
    near = near[cosines[near] >= best - REACH]
    close = words.take(near)
    rows = rows_of(asked, words=close, above=above[near], cosines=cosines[near], offers=offers[near])
    odds[near] = state_model().odds(rows)
    likely = top(odds[near], COMPARED)
    odds[near[likely]] -= TWIN * twins(asked, close.take(likely))
    return odds


def rows_of(
    asked: AskedWords,
    *,
    words: SentenceWords,
    above: NDArray[np.bool_],
    cosines: Floats,
    offers: NDArray[np.bool_],
) -> Floats:
    """Return what sentences are judged by.

    The arguments are those of `stating`; the shape is (sentences, 29).
    """
    best = float(cosines.max(initial=0.0))
    return np.column_stack([state_features(asked, words, above=above), *nearness(cosines, best=best), offers])


@cache
def state_model() -> Networks:
    """Return the model that ships: does a sentence state what is asked?"""
    return Networks.open(MODEL)


def nearness(cosines: Floats, *, best: float) -> tuple[Floats, Floats, Floats]:
    """Return how far cosines stand behind the best, by three measures.

    Wordings of one state differ by a fifth or a third of the best one's cosine; what lies further off is off the topic.
    """
    behind = cosines / max(best, 1e-6) - 1.0
    return behind, np.minimum(behind + 0.2, 0.0), np.minimum(behind + 0.4, 0.0)


def on_topic(odds: Floats, *, relevance: Floats, vectors: NDArray[np.float32], places: Floats) -> Floats:
    """Join log-odds of stating what is asked with relevance.

    Words alone take a note about the same person's gym for one about her flat. Relevance tells them apart, and would
    also tell wordings of one state apart; so it counts only where a sentence is unlike those that most surely state it.
    What a sentence is compared with suits the asked time: what is told of another says nothing about the wordings of this one.

    Args:
        odds: as `stating` returns them, shape (n,).
        relevance: the semantic score of each sentence, 0 to 1, shape (n,).
        vectors: one a sentence, length 1, shape (n, dimensions).
        places: as for `newest`.
    """
    suits = _suiting(places, odds)
    words = WORDS * np.maximum(odds, odds[suits].max() - LEAST)
    content = RELEVANCE * np.log(relevance / max(float(relevance[suits].max()), 1e-12) + 1e-12)
    joined = words + content
    surest = np.flatnonzero(suits)[top(joined[suits], SUREST)]
    surest = surest[joined[surest] >= joined[suits].max() - SURE]
    likeness = products(vectors, vectors[surest]).max(axis=1).astype(np.float64)
    return np.asarray(words + content * (1.0 - FORGIVEN * logistic((likeness - ALIKE) / ALIKE_WIDTH)))


def newest(odds: Floats, *, places: Floats, weights: Floats) -> Floats:
    """Score each sentence as the newest that states what is asked.

    Args:
        odds: the log-odds of stating it, shape (n,).
        places: the later, the better it suits the asked time; minus infinite where it does not suit or has no date.
        weights: how much each one's date counts, 0 to 1.
    """
    stated = logistic(odds - odds[_suiting(places, odds)].max() + BEHIND)
    suits = places > -np.inf
    distinct, number = np.unique(places, return_inverse=True)
    best = np.zeros(len(distinct))
    np.maximum.at(best, number, np.where(suits, stated * weights, 0.0))
    later = np.concatenate([np.maximum.accumulate(best[::-1])[::-1][1:], [0.0]])
    return np.asarray(stated * (1.0 - later[number]))


def is_near_equal(odds: Floats) -> NDArray[np.bool_]:
    """Return which sentences state it nearly as surely as the surest."""
    return np.asarray(odds >= odds.max() - NEAR_EQUAL)


def _suiting(places: Floats, odds: Floats) -> NDArray[np.bool_]:
    """Return which sentences suit the asked time and may state it.

    Where none does, all.
    """
    suits = (places > -np.inf) & (odds > -np.inf)
    return suits if suits.any() else np.ones_like(suits)
