"""A ranking put in order by reading its first pieces."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dateline.evidence.knowledge import best_dated, end_of_knowledge
from dateline.language.answer_type import answer_type
from dateline.protocols import Ranker, Reader
from dateline.reading.look import Look
from dateline.reading.settling import cut_mentions
from dateline.reading.trained_reader import TrainedReader
from dateline.records import Evidence, RankedEvidence
from dateline.stopping import in_thread
from dateline.temporal.constraint import Question
from dateline.temporal.interval import DAY
from dateline.text.words import content_words

DEPTH = 6
"""Pieces that are looked at. With 4 to 12 right pieces come first about as often."""
READ = "Whether the local reader looks at the first six, and what answers comes first; about 50 ms more."
"""Describes the option of the wrappers."""
FITTED = (0.15, -0.43, 0.14, 0.39, -1.46, 1.95)
"""The weight of each of `signals`, fitted by `training/settling.py`."""
_SURE = 1e-4
"""The least and, from one, the most that a score counts for."""
_MONTH = 30 * DAY
_SILENT = -20.0
"""Logits of a piece without any mention."""


class ReadingRanker:
    """Ranks, reads the first pieces, and puts first what answers.

    Beside the answers, a piece's age counts, and the words of the question that it names. The pieces change places; the scores
    stay where they were.

    Args:
        ranker: finds the first order.
        reader: looks at the first `DEPTH` pieces.

    Example:
        >>> from dateline.ranking import HybridRanker
        >>> from dateline.temporal import decompose, now
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> notes = [Evidence.make("The museum is closed on Mondays."), Evidence.make("Bo Ek has led the museum since 2010.")]
        >>> ranker = ReadingRanker(HybridRanker(embeddings=LexicalEmbeddings()), reader=TrainedReader())
        >>> ranker.rank(decompose("Who leads the museum?", as_of=now()), evidence=notes, k=1)[0].evidence.text
        'Bo Ek has led the museum since 2010.'
    """

    def __init__(self, ranker: Ranker, *, reader: TrainedReader) -> None:
        self.ranker = ranker
        self.reader = reader

    def rank(self, question: Question, *, evidence: Sequence[Evidence], k: int) -> list[RankedEvidence]:
        """Return the `k` best of `evidence`, the best first.

        Raises:
            BadInput: when `k` is below 1.
        """
        ranked = self.ranker.rank(question, evidence=evidence, k=max(k, DEPTH) if k > 0 else k)
        return reorder(ranked, question=question, reader=self.reader)[:k]

    async def arank(self, question: Question, *, evidence: Sequence[Evidence], k: int) -> list[RankedEvidence]:
        """Rank asynchronously."""
        return await in_thread(self.rank, question, evidence=evidence, k=k)


def reorder(
    ranked: Sequence[RankedEvidence], *, question: Question, reader: TrainedReader, weights: Sequence[float] = FITTED
) -> list[RankedEvidence]:
    """Put the first `DEPTH` of a ranking in order by reading them."""
    first = ranked[:DEPTH]
    if len(first) < 2:
        return list(ranked)
    look = reader.look(question, evidence=[one.evidence for one in first])
    worths = signals(question, ranked=first, look=look) @ np.array(weights)
    order = np.argsort(-worths, kind="stable").tolist()
    moved = [first[place].model_copy(update={"score": held.score}) for place, held in zip(order, first, strict=True)]
    return [*moved, *ranked[DEPTH:]]


def read_first(ranker: Ranker, *, reader: Reader) -> Ranker:
    """Return a ranker that reads, where the reader is the trained one."""
    return ReadingRanker(ranker, reader=reader) if isinstance(reader, TrainedReader) else ranker


def signals(question: Question, *, ranked: Sequence[RankedEvidence], look: Look) -> NDArray[np.float64]:
    """Return what each piece is weighed by, shape (pieces, 6).

    The log-odds of its score; the logarithm of its place; the logits of its best answer, or for yes or no of its verdict;
    its `_ages`; and its `_overlaps`.
    """
    pieces, kind = [one.evidence for one in ranked], answer_type(question.text).kind
    best, said = np.zeros(len(pieces)), np.zeros(len(pieces))
    if kind == "yes_no":
        said = _said(look, len(pieces))
    else:
        best += _SILENT
        for mention in cut_mentions(look, kind):
            best[mention.source] = max(best[mention.source], mention.score)
    return np.column_stack(
        [
            [_log_odds(one.score) for one in ranked],
            np.log1p(np.arange(len(pieces))),
            best,
            said,
            _ages(question, pieces),
            _overlaps(question, pieces),
        ]
    )


def _ages(question: Question, pieces: Sequence[Evidence]) -> NDArray[np.float64]:
    """Return how many months each piece lies from the time asked for.

    The logarithm of the months to its end, in either direction; what came long after tells less of it, too.
    What has no date counts as old as the oldest; a date of a text's own words makes it no newer than better dates make others.
    """
    ends = (question.effective_constraint().interval.end, end_of_knowledge(question.as_of))
    until = min(end for end in ends if end is not None)
    days = [np.nan if one.published is None or one.published.start is None else one.published.start for one in pieces]
    months = np.abs(until - np.array(days, dtype=np.float64)) / _MONTH
    best = np.array(best_dated(pieces))
    newest = np.min(months[best], initial=np.inf, where=~np.isnan(months[best]))
    months = np.where(best, months, np.maximum(months, newest))
    oldest = np.max(months, initial=0, where=~np.isnan(months))
    known: NDArray[np.float64] = np.log1p(np.where(np.isnan(months), oldest, months))
    return known


def _overlaps(question: Question, pieces: Sequence[Evidence]) -> NDArray[np.float64]:
    """Return each piece's share of the question's words, by the largest."""
    asked = set(content_words(question.content or question.text))
    named = [len(asked & set(content_words(f"{piece.title} {piece.text}"))) for piece in pieces]
    return np.array(named) / max(1, *named)


def _said(look: Look, pieces: int) -> NDArray[np.float64]:
    """Return each piece's log-odds of saying yes or no.

    Those of its clearest window.
    """
    odds = np.full(pieces, _SILENT)
    for window, (yes, no, unsaid) in zip(look.windows, look.verdicts, strict=True):
        odds[window.source] = max(odds[window.source], np.logaddexp(yes, no) - unsaid)
    return odds


def _log_odds(score: float) -> float:
    held = min(max(score, _SURE), 1 - _SURE)
    return math.log(held / (1 - held))
