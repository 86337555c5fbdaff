"""Embeddings, judges and thresholds for labelling."""

from __future__ import annotations

from dataclasses import dataclass

from langchain_core.embeddings import Embeddings

from dateline.protocols import Judge


@dataclass(frozen=True, slots=True, kw_only=True)
class LabellingSettings:
    """See `SentenceLabeller` for the fields."""

    embeddings: Embeddings
    judge: Judge
    checker: Judge | None
    same: float
    changed: float
    new: float

    @classmethod
    def of(
        cls,
        *,
        embeddings: Embeddings | None,
        judge: Judge | None,
        checker: Judge | None,
        same: float,
        changed: float,
        new: float,
    ) -> LabellingSettings:
        """Build settings with defaults in place of `None`."""
        if embeddings is None:
            from dateline.text import default_embeddings

            embeddings = default_embeddings()
        if judge is None:
            from dateline.reading.trained_judge import TrainedJudge

            judge = TrainedJudge()
        return cls(embeddings=embeddings, judge=judge, checker=checker, same=same, changed=changed, new=new)
