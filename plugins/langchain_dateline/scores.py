"""Scores and ranks in metadata; documents are compared without them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from langchain_core.documents import Document

from dateline import Evidence, RankedEvidence
from dateline.documents.writing import ASKED, SCORE_FIELDS, date_fields, scores_of
from langchain_dateline.documents import checked

RANK = "position"
"""The field in which a search of dateline's writes how well it ranked a document, 0 the best."""


class ScoredMetadata(dict[str, Any]):
    """Metadata with a question's scores, which do not count in a comparison.

    Nor do its rank and its moment. Two questions find one document with two scores. LangChain's `MultiQueryRetriever` and its
    like throw away what is equal to an earlier result; it would otherwise be kept twice.

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


def best_first(documents: Iterable[Document]) -> list[Document]:
    """Put documents in the order of the search that ranked them.

    They stay as they came where one of them has no rank.

    Raises:
        BadInput: for anything but documents.
    """
    given = checked(documents)
    ranked = all(_is_ranked(each.metadata) for each in given)
    return sorted(given, key=lambda each: each.metadata[RANK]) if ranked else given


def renumbered(documents: Sequence[Document]) -> list[Document]:
    """Return documents of a new order with ranks to match.

    Those that no search ranked get none.
    """
    return [_with(each, {RANK: place}) if _is_ranked(each.metadata) else each for place, each in enumerate(documents)]


def _is_ranked(metadata: Mapping[str, Any]) -> bool:
    """Return whether a search wrote the rank, beside highlights."""
    rank = metadata.get(RANK)
    return isinstance(rank, int) and not isinstance(rank, bool) and "highlights" in metadata


def _with(document: Document, more: Mapping[str, Any]) -> Document:
    return document.model_copy(update={"metadata": ScoredMetadata({**document.metadata, **more})})


def _unscored(metadata: dict[str, Any]) -> dict[str, Any]:
    scores = (*SCORE_FIELDS, ASKED, *((RANK,) if _is_ranked(metadata) else ()))
    return {name: value for name, value in metadata.items() if name not in scores}
