"""A ranking put in order by reading its first pieces."""

from __future__ import annotations

from collections.abc import Sequence

from dateline.networks import Networks
from dateline.protocols import Ranker, Reader
from dateline.reading.look import Look
from dateline.reading.piece_order import best_first
from dateline.reading.trained_reader import TrainedReader
from dateline.records import Evidence, RankedEvidence
from dateline.stopping import in_thread
from dateline.temporal.constraint import Question

DEPTH, FURTHER = 6, 8
"""Pieces that are looked at, and how many where none surely answers. With 4 to 12 right pieces come first about as often; with eight
rather than six they are among five in 1 of 100 questions more (docs/ranking.md)."""
SURE = 10.5
"""Logits from which a span surely answers: over notes about 55 in 100 questions have one."""
READ = "Whether the local reader looks at the first six to eight, and what answers comes first; about 50 ms more."
"""Describes the option of the wrappers."""


class ReadingRanker:
    """Ranks, reads the first pieces, and puts first what answers.

    Beside the answers, a piece's age counts, and the words of the question that it names. The pieces change places; the scores
    stay where they were.

    Args:
        ranker: finds the first order.
        reader: looks at the first `DEPTH` pieces, or `FURTHER`.

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
        ranked = self.ranker.rank(question, evidence=evidence, k=max(k, FURTHER) if k > 0 else k)
        return reorder(ranked, question=question, reader=self.reader)[:k]

    async def arank(self, question: Question, *, evidence: Sequence[Evidence], k: int) -> list[RankedEvidence]:
        """Rank asynchronously."""
        return await in_thread(self.rank, question, evidence=evidence, k=k)


def reorder(
    ranked: Sequence[RankedEvidence], *, question: Question, reader: TrainedReader, model: Networks | None = None
) -> list[RankedEvidence]:
    """Put the first of a ranking in order by reading them."""
    if len(ranked) < 2:
        return list(ranked)
    first, look = looked_at(ranked, question=question, reader=reader)
    pieces = [one.evidence for one in first]
    order = best_first(question, evidence=pieces, look=look, found=first, model=model)
    moved = [first[place].model_copy(update={"score": one.score}) for place, one in zip(order, first, strict=True)]
    return [*moved, *ranked[len(first) :]]


def looked_at(
    ranked: Sequence[RankedEvidence], *, question: Question, reader: TrainedReader
) -> tuple[Sequence[RankedEvidence], Look]:
    """Look at the first pieces, and at more where none surely answers."""
    first = ranked[:DEPTH]
    look = reader.look(question, evidence=[one.evidence for one in first])
    if look.best < SURE:
        first = ranked[:FURTHER]
        look = reader.look(question, evidence=[one.evidence for one in first])
    return first, look


def read_first(ranker: Ranker, *, reader: Reader) -> Ranker:
    """Return a ranker that reads, where the reader is the trained one."""
    return ReadingRanker(ranker, reader=reader) if isinstance(reader, TrainedReader) else ranker
