"""The order of pieces by what is read in them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dateline.evidence.knowledge import best_dated, end_of_knowledge, published_from
from dateline.language.answer_type import answer_type
from dateline.reading.look import Look
from dateline.reading.outdated import day_of
from dateline.reading.settling import cut_mentions
from dateline.records import Evidence
from dateline.softmax import log_odds, logistic
from dateline.temporal.constraint import Question
from dateline.temporal.interval import DAY
from dateline.text.words import content_words

FITTED = (0.21, -0.2, 0.15, 0.37, -0.69, 1.79, -1.36)
"""The weight of each of `signals`, fitted by `training/settling.py`."""
_SURE = 1e-4
"""The least and, from one, the most that a score counts for."""
_MONTH = 30 * DAY
_OWN_WORD = 5 / 3
"""How much older. Chosen by hand; before `_succeeded` the right piece of benchmarks/notes/fit came first in 85.7 of 100 without it, in 83.6 with it."""
_SILENT = -20.0
"""Logits of a piece without any mention."""


def best_first(
    question: Question,
    *,
    evidence: Sequence[Evidence],
    look: Look,
    scores: Sequence[float] = (),
    weights: Sequence[float] = FITTED,
) -> list[int]:
    """Return the places of the pieces, the best first.

    Of equal ones the earlier comes first.

    Args:
        look: what was seen in `evidence`.
        scores: what each piece was found with, 0 to 1; empty where that is not known.
    """
    seen = signals(question, evidence=evidence, look=look, scores=scores)
    order: list[int] = np.argsort(-(seen @ np.array(weights)), kind="stable").tolist()
    return order


def signals(
    question: Question, *, evidence: Sequence[Evidence], look: Look, scores: Sequence[float] = ()
) -> NDArray[np.float64]:
    """Return what each piece is weighed by, shape (pieces, 7).

    The log-odds of its score; the logarithm of its place; the logits of its best answer, or for yes or no of its verdict;
    its `_ages`; its `_overlaps`; and how far it is `_succeeded`.
    """
    kind, count = answer_type(question.text).kind, len(evidence)
    best, said = np.zeros(count), np.zeros(count)
    if kind == "yes_no":
        said = _said(look, count)
        answers = logistic(said)
    else:
        answers = _answering(look, count)
        best += _SILENT
        for mention in cut_mentions(look, kind):
            best[mention.source] = max(best[mention.source], mention.score)
    return np.column_stack(
        [
            log_odds(scores, least=_SURE) if len(scores) else np.zeros(count),
            np.log1p(np.arange(count)),
            best,
            said,
            _ages(question, evidence),
            _overlaps(question, evidence),
            _succeeded(question, evidence, answers),
        ]
    )


def _answering(look: Look, pieces: int) -> NDArray[np.float64]:
    """Return the chance that each piece answers, by its clearest window."""
    least = np.zeros(pieces)
    for window, scored in zip(look.windows, look.scored, strict=True):
        least[window.source] = min(least[window.source], scored.nothing)
    return -np.expm1(least)


def _succeeded(question: Question, pieces: Sequence[Evidence], answers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the chance that something newer answers, too.

    What was published after the time asked for does not count, nor beside better dates one of a text's own words.
    """
    until = question.effective_constraint().interval.end
    days = np.array([published_from(piece) for piece in pieces])
    newer = (days > days[:, None]) & (days < (np.inf if until is None else until)) & best_dated(pieces)
    return np.asarray(1 - np.prod(np.where(newer, 1 - answers, 1.0), axis=1))


def _ages(question: Question, pieces: Sequence[Evidence]) -> NDArray[np.float64]:
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
    known: NDArray[np.float64] = np.log1p(np.where(np.isnan(months), oldest, months))
    return known


def _overlaps(question: Question, pieces: Sequence[Evidence]) -> NDArray[np.float64]:
    """Return each piece's share of the question's words, by the largest."""
    asked = set(content_words(question.timeless))
    named = [len(asked & set(content_words(f"{piece.title} {piece.text}"))) for piece in pieces]
    return np.array(named) / max([1, *named])


def _said(look: Look, pieces: int) -> NDArray[np.float64]:
    """Return each piece's log-odds of saying yes or no.

    Those of its clearest window.
    """
    odds = np.full(pieces, _SILENT)
    for window, (yes, no, unsaid) in zip(look.windows, look.verdicts, strict=True):
        odds[window.source] = max(odds[window.source], np.logaddexp(yes, no) - unsaid)
    return odds
