"""Scores in metadata, which make no other document of the same one."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from langchain_core.documents import Document

from dateline import Evidence, RankedEvidence
from dateline.documents.writing import ASKED, SCORE_FIELDS, date_fields, scores_of


class ScoredMetadata(dict[str, Any]):
    """Metadata with a question's scores, which do not count in a comparison.

    Nor does its moment. Two questions find one document with two scores. LangChain's `MultiQueryRetriever` and its like throw away what is
    equal to an earlier result; it would otherwise be kept twice.

    Example:
        >>> one, other = ({"source": "a.md", "dateline_score": score} for score in (0.9, 0.2))
        >>> one == other, ScoredMetadata(one) == ScoredMetadata(other)
        (False, True)
    """

    __hash__ = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ScoredMetadata):
            return super().__eq__(other)
        return _unscored(self) == _unscored(other)

    def __ne__(self, other: object) -> bool:
        return not self == other


def scored_copy(document: Document, *, ranked: RankedEvidence, as_of: datetime | None = None) -> Document:
    """Return a copy with scores, matched interval, date and asking moment.

    Args:
        as_of: the moment; `None` where later documents were kept, so that it is no bound.
    """
    return _with(asked_copy(document, evidence=ranked.evidence, as_of=as_of), scores_of(ranked))


def asked_copy(document: Document, *, evidence: Evidence, as_of: datetime | None) -> Document:
    """Return a copy with the date read and the asking moment.

    Args:
        as_of: the moment; `None` where later documents were kept, so that it is no bound.
    """
    return _with(document, {**date_fields(evidence), **({} if as_of is None else {ASKED: as_of.isoformat()})})


def _with(document: Document, more: Mapping[str, Any]) -> Document:
    return document.model_copy(update={"metadata": ScoredMetadata({**document.metadata, **more})})


def _unscored(metadata: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in metadata.items() if name not in (*SCORE_FIELDS, ASKED)}
