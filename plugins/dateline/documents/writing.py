"""Evidence and scores as flat metadata; `evidence_of` reads it back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from dateline.documents.fields import DATE, PUBLISHED_FROM
from dateline.records import Evidence, RankedEvidence
from dateline.temporal.as_of import Clock

SCORE_FIELDS = ("dateline_score", "dateline_semantic", "dateline_temporal", "dateline_matched")
ASKED = "dateline_asked"
"""The field of metadata that says as of when a document was asked for."""
AUDIT_FIELDS = ("dateline_status", "dateline_reasons")


def metadata_of(evidence: Evidence) -> dict[str, Any]:
    """Return evidence's fields; `published` is ISO text, absent when undated."""
    metadata: dict[str, Any] = {"title": evidence.title, "source": evidence.origin}
    metadata |= {"url": evidence.url} if evidence.url else {}
    if evidence.published is not None:
        metadata |= {"published": evidence.published.isoformat(), PUBLISHED_FROM: evidence.dated_by}
    return {**metadata, "kind": evidence.kind}


def scores_of(ranked: RankedEvidence) -> dict[str, Any]:
    """Return the scores of ranked evidence, with the time that gave them."""
    matched = None if ranked.matched is None else ranked.matched.isoformat()
    return dict(zip(SCORE_FIELDS, (ranked.score, ranked.semantic, ranked.temporal, matched), strict=True))


def date_fields(evidence: Evidence) -> dict[str, Any]:
    """Return the date that was read, so that nobody behind reads another."""
    if evidence.published is None:
        return {}
    return {DATE: evidence.published.isoformat(), PUBLISHED_FROM: evidence.dated_by}


def asked_in(metadata: Iterable[Mapping[str, Any]], *, clock: Clock) -> datetime | None:
    """Return the asking moment that a retriever wrote into all documents.

    The latest of several, and never later than the clock: a single document moves nothing.
    """
    try:
        moments = [datetime.fromisoformat(fields[ASKED]) for fields in metadata]
        # Not to be compared without a time zone: then it is none of ours.
        return min(max(moments), clock()) if moments else None
    except (KeyError, TypeError, ValueError):
        return None


def audit_fields(audited: Mapping[str, Any]) -> dict[str, Any]:
    """Return an audited passage's status and reasons under their names."""
    return dict(zip(AUDIT_FIELDS, (audited["status"], [each["why"] for each in audited["reasons"]]), strict=True))


def audited_status(metadata: Mapping[str, Any]) -> str:
    """Return what an audit says against a passage, in words."""
    status = metadata.get(AUDIT_FIELDS[0])
    return status.replace("_", " ") if isinstance(status, str) and status != "ok" else ""
