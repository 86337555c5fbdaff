"""The order of pieces by what is read in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dateline.evidence.knowledge import best_dated, end_of_knowledge, published_from
from dateline.language.answer_type import answer_type
from dateline.networks import Networks
from dateline.reading.look import Look
from dateline.reading.outdated import day_of
from dateline.reading.settling import cut_mentions
from dateline.reading.span_scores import Mention
from dateline.reading.temporal_tags import read_times
from dateline.records import Evidence, RankedEvidence
from dateline.softmax import log_odds, logistic, softmax
from dateline.temporal.constraint import Question
from dateline.temporal.interval import DAY
from dateline.text.answer_key import answer_key
from dateline.text.words import content_words

MODEL = Path(__file__).with_name("piece_order.json")
"""The model's weights, fitted by `training/settling.py`."""

SIGNALS = (
    *("found", "score", "semantic", "temporal", "place"),
    *("answer", "verdict", "age", "overlap", "length", "succeeded", "outdone", "agreed", "stated"),
    *("holds", "begins", "ends", "announced", "withdrawn", "reported", "conditional"),
)
"""What each piece is weighed by, as `signals` returns it."""

_SURE = 1e-4
"""The least and, from one, the most that a score counts for."""
_MEANT, _TIMELY = 1e-6, 1e-3
"""Added to closeness and fit before their logarithm is taken."""
_MONTH = 30 * DAY
_OWN_WORD = 5 / 3
"""How much older. Chosen by hand, under an earlier model, by which the right piece of benchmarks/notes/fit came first in 85.7 of 100 without it, in 83.6 with it."""
_SILENT = -20.0
"""Logits of a piece without any mention."""
_SHORT = 20
"""Characters that a piece counts as at least."""

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


def best_first(
    question: Question,
    *,
    evidence: Sequence[Evidence],
    look: Look,
    found: Sequence[RankedEvidence] = (),
    model: Networks | None = None,
) -> list[int]:
    """Return the places of the pieces, the best first.

    Of equal ones the earlier comes first.

    Args:
        look: what was seen in `evidence`.
        found: how each piece was found; empty where that is not known.
        model: weighs `signals`; by default the one that ships.
    """
    seen = signals(question, evidence=evidence, look=look, found=found)
    order: list[int] = np.argsort(-(model or order_model()).odds(seen), kind="stable").tolist()
    return order


@cache
def order_model() -> Networks:
    """Return the model that ships: which piece answers best?"""
    return Networks.open(MODEL)


def signals(
    question: Question, *, evidence: Sequence[Evidence], look: Look, found: Sequence[RankedEvidence] = ()
) -> Floats:
    """Return what each piece is weighed by, shape (pieces, `SIGNALS`).

    Whether it is known how the piece was found, and with that the log-odds of its score and the logarithms of its closeness and fit in
    time; the logarithm of its place; the logits of its best answer, or for yes or no of its verdict; its `_ages`, its
    `_overlaps` and the logarithm of its length; the chances that something newer answers, that something newer answers otherwise in
    like words, and that another piece gives the same answer; the share of the question's words in the answer's
    sentence; and the chance of each kind of state that is told there.
    """
    kind, count = answer_type(question.text).kind, len(evidence)
    best, said = np.zeros(count), np.zeros(count)
    mentions = _best_mentions(look, question)
    if kind == "yes_no":
        said = _said(look, count)
        answers = logistic(said)
    else:
        answers = _answering(look, count)
        best = np.array([mentions[place].score if place in mentions else _SILENT for place in range(count)])
    newer = _newer(question, evidence)
    told = [_sentence(mentions.get(place), piece) for place, piece in enumerate(evidence)]
    same = _same_answer(mentions, count)
    return np.column_stack(
        [
            _found(found, count),
            np.log1p(np.arange(count)),
            best,
            said,
            _ages(question, evidence),
            _overlaps(question, evidence),
            np.log([max(_SHORT, len(piece.text)) for piece in evidence]),
            _any(np.where(newer, answers, 0.0)),
            _any(np.where(newer & ~same, answers * _likeness(told), 0.0)),
            _any(np.where(same, answers, 0.0)),
            _share(told, frozenset(content_words(question.timeless))),
            _states(look, mentions, count),
        ]
    )


def _found(found: Sequence[RankedEvidence], pieces: int) -> Floats:
    """Return how each piece was found, shape (pieces, 4).

    Zeros where no ranking by content and time says so.
    """
    if not any(one.semantic for one in found):
        return np.zeros((pieces, 4))
    return np.column_stack(
        [
            np.ones(pieces),
            log_odds([one.score for one in found], least=_SURE),
            np.log([one.semantic + _MEANT for one in found]),
            np.log([one.temporal + _TIMELY for one in found]),
        ]
    )


def _best_mentions(look: Look, question: Question) -> dict[int, Mention]:
    """Return the likeliest mention of each piece that has any."""
    best: dict[int, Mention] = {}
    for mention in cut_mentions(look, answer_type(question.text).kind):
        if mention.source not in best or mention.score > best[mention.source].score:
            best[mention.source] = mention
    return best


def _answering(look: Look, pieces: int) -> Floats:
    """Return the chance that each piece answers, by its clearest window."""
    least = np.zeros(pieces)
    for window, scored in zip(look.windows, look.scored, strict=True):
        least[window.source] = min(least[window.source], scored.nothing)
    return -np.expm1(least)


def _newer(question: Question, pieces: Sequence[Evidence]) -> Bools:
    """Return which pieces (columns) are newer than each.

    What was published after the time asked for does not count, nor beside better dates one of a text's own words.
    """
    until = question.effective_constraint().interval.end
    days = np.array([published_from(piece) for piece in pieces])
    return (days > days[:, None]) & (days < (np.inf if until is None else until)) & best_dated(pieces)


def _any(chances: Floats) -> Floats:
    """Return the chance of at least one in each row."""
    return np.asarray(1 - np.prod(1 - chances, axis=1))


def _same_answer(mentions: Mapping[int, Mention], pieces: int) -> Bools:
    """Return which other pieces have the same best answer."""
    keys = [answer_key(mentions[place].text) if place in mentions else "" for place in range(pieces)]
    same = np.array([[bool(one) and one == other for other in keys] for one in keys], dtype=np.bool_)
    return same & ~np.eye(pieces, dtype=np.bool_)


def _sentence(mention: Mention | None, piece: Evidence) -> frozenset[str]:
    """Return the stems of the sentence in which a mention stands."""
    if mention is None:
        return frozenset()
    dated = read_times(piece.text, piece.published)
    start, end = dated.sentences[max(0, dated.sentence_at(mention.start))]
    return frozenset(content_words(piece.text[start:end]))


def _likeness(sentences: Sequence[frozenset[str]]) -> Floats:
    """Return the share of words, of the shorter, that two sentences share."""
    return np.array(
        [[len(one & other) / max(1, min(len(one), len(other))) for other in sentences] for one in sentences]
    )


def _share(sentences: Sequence[frozenset[str]], asked: frozenset[str]) -> Floats:
    return np.array([len(sentence & asked) for sentence in sentences]) / max(1, len(asked))


def _states(look: Look, mentions: Mapping[int, Mention], pieces: int) -> Floats:
    """Return the chance of each kind of state at the best answer.

    Shape (pieces, 7).
    """
    told = np.zeros((pieces, 7))
    for window, states in zip(look.windows, look.states, strict=True):
        mention = mentions.get(window.source)
        if mention is None:
            continue
        there = (window.offsets[:, 0] < mention.end) & (window.offsets[:, 1] > mention.start)
        if there.any():
            of_text = states[window.first : window.first + len(there)]
            told[window.source] = softmax(of_text[there].astype(np.float64).mean(axis=0))[1:]
    return told


def _ages(question: Question, pieces: Sequence[Evidence]) -> Floats:
    """Return how many months each piece lies from the time asked for.

    The logarithm of the months to its end, in either direction; what came long after tells less of it, too.
    What has no date counts as old as the oldest; a text that says itself to be newer than all better dated ones counts
    as older than the newest of these.
    """
    ends = (question.effective_constraint().interval.end, end_of_knowledge(question.as_of))
    until = min(end for end in ends if end is not None)
    months = np.abs(until - np.array([day_of(piece) for piece in pieces])) / _MONTH
    best = np.array(best_dated(pieces), dtype=np.bool_)
    newest = np.min(months[best], initial=np.inf, where=~np.isnan(months[best]))
    months = np.where(best | ~(months <= newest), months, _OWN_WORD * newest)
    oldest = np.max(months, initial=0, where=~np.isnan(months))
    known: Floats = np.log1p(np.where(np.isnan(months), oldest, months))
    return known


def _overlaps(question: Question, pieces: Sequence[Evidence]) -> Floats:
    """Return each piece's share of the question's words, by the largest."""
    asked = set(content_words(question.timeless))
    named = [len(asked & set(content_words(f"{piece.title} {piece.text}"))) for piece in pieces]
    return np.array(named) / max([1, *named])


def _said(look: Look, pieces: int) -> Floats:
    """Return each piece's log-odds of saying yes or no.

    Those of its clearest window.
    """
    odds = np.full(pieces, _SILENT)
    for window, (yes, no, unsaid) in zip(look.windows, look.verdicts, strict=True):
        odds[window.source] = max(odds[window.source], np.logaddexp(yes, no) - unsaid)
    return odds
