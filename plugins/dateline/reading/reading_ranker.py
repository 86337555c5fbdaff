"""A ranking put in order by reading its first pieces."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dateline.language.answer_type import answer_type
from dateline.protocols import Ranker, Reader
from dateline.reading.look import Look
from dateline.reading.outdated import outdated
from dateline.reading.settling import cut_mentions
from dateline.reading.span_scores import Mention
from dateline.reading.trained_reader import TrainedReader
from dateline.records import Evidence, RankedEvidence
from dateline.stopping import in_thread
from dateline.temporal.constraint import Question

DEPTH = 6
"""Pieces that are looked at. With 4 to 12 right pieces come first about as often."""
READ = "Whether the local reader looks at the first six, and what answers comes first; about 50 ms more."
"""Describes the option of the wrappers."""
FITTED = (0.14, -0.9, 0.11, 0.62, -1.53)
"""The weight of each of `signals`, fitted by `training/settling.py`."""
_SURE = 1e-4
"""The least and, from one, the most that a score counts for."""
_SILENT = -20.0
"""Logits of a piece without any mention."""


class ReadingRanker:
    """Ranks, reads the first pieces, and puts first what answers.

    What a newer piece answers otherwise goes down. The pieces change places; the scores stay where they were.

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
    """Return what each piece is weighed by, shape (pieces, 5).

    The log-odds of its score; the logarithm of its place; the logits of its best answer, or for yes or no of its verdict;
    and how far that answer is outdated.
    """
    pieces, kind = [one.evidence for one in ranked], answer_type(question.text).kind
    best, said = _silent(len(pieces)), np.zeros(len(pieces))
    if kind == "yes_no":
        said = _said(look, len(pieces))
    else:
        for mention in cut_mentions(look, kind):
            best[mention.source] = max(best[mention.source], mention, key=lambda one: one.score)
    return np.column_stack(
        [
            [_log_odds(one.score) for one in ranked],
            np.log1p(np.arange(len(pieces))),
            [0.0 if kind == "yes_no" else mention.score for mention in best],
            said,
            outdated(best, question=question, evidence=pieces),
        ]
    )


def _silent(pieces: int) -> list[Mention]:
    return [Mention("", place, 0, 0, _SILENT) for place in range(pieces)]


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
