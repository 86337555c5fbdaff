"""Rerankers of unread evidence, given the answers so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from dateline.certainty.attempt import Attempt, all_readings, standing
from dateline.certainty.rerank import POOL, RESCORED, rerank, rescore
from dateline.records import RankedEvidence
from dateline.temporal.constraint import Question

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings


class AnswerReranker(Protocol):
    """Chooses the evidence of a further round."""

    def rank_again(
        self, question: Question, *, unread: Sequence[RankedEvidence], attempts: Sequence[Attempt], k: int
    ) -> list[RankedEvidence]:
        """Return the `k` best of `unread`, given what was answered so far."""
        ...


@dataclass(frozen=True, slots=True)
class Rescorer:
    """Raises a ranking's scores where evidence names an answer; the default.

    Attributes:
        scale: lambda of eq. 2.

    Example:
        >>> Rescorer(scale=1.0)
        Rescorer(scale=1.0)
    """

    scale: float = RESCORED

    def rank_again(
        self, question: Question, *, unread: Sequence[RankedEvidence], attempts: Sequence[Attempt], k: int
    ) -> list[RankedEvidence]:
        """Return the `k` best by scores and answers' probabilities."""
        reliable = standing(attempts).certainty.reliable
        return rescore(unread, readings=all_readings(attempts), reliable=reliable, k=k, scale=self.scale)


@dataclass(frozen=True, slots=True)
class PublishedReranker:
    """Ranks by likeness to question and answer: GrowOVER's eq. 3.

    Attributes:
        embeddings: E of eq. 3.
        scale: lambda of eq. 2; `None`: by the encoder's name.

    Example:
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> PublishedReranker(LexicalEmbeddings(), scale=2.0).scale
        2.0
    """

    embeddings: Embeddings
    scale: float | None = None

    def rank_again(
        self, question: Question, *, unread: Sequence[RankedEvidence], attempts: Sequence[Attempt], k: int
    ) -> list[RankedEvidence]:
        """Return the `k` best by eq. 3; first scores play no part."""
        best = standing(attempts)
        return rerank(
            [one.evidence for one in unread],
            question=question.text,
            answer=best.reading.answer,
            reliable=best.certainty.reliable,
            embeddings=self.embeddings,
            k=k,
            skip=0,
            pool=max(len(unread), POOL),
            scale=self.scale,
        )


def reranker_for(embeddings: Embeddings | None, *, scale: float | None = None) -> AnswerReranker:
    """Return the published reranker where embeddings are given, else the default."""
    return Rescorer() if embeddings is None else PublishedReranker(embeddings, scale)
