"""Between LangChain's `Document` and dateline's `Evidence`: copies in, copies out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langchain_core.documents import Document

from dateline import Evidence, RankedEvidence
from dateline.documents.metadata import published_in
from dateline.errors import BadInput

ORIGIN = ("url", "link", "source", "file_path")
"""Metadata fields that may name where a document comes from, the best first."""


def evidence_of_document(document: Document, *, id: str = "") -> Evidence:
    """Read a document as evidence; its date is taken from its metadata, never guessed.

    Args:
        id: an id of your own; empty: one that follows from the document's origin and text.
    """
    text, fields = document.page_content, fields_of(document.metadata)
    return Evidence(id=id, text=text, **fields) if id else Evidence.make(text, **fields)


def fields_of(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Title, source, url and date as `Evidence` names them."""
    return {
        "title": str(metadata.get("title") or ""),
        "source": _origin(metadata),
        "url": str(metadata.get("url") or metadata.get("link") or ""),
        "published": published_in(metadata),
    }


def document_of(evidence: Evidence) -> Document:
    """Write evidence as a document; `published` is an ISO string, or absent when undated."""
    return Document(page_content=evidence.text, metadata=metadata_of(evidence), id=evidence.id)


def metadata_of(evidence: Evidence) -> dict[str, Any]:
    """The metadata of `document_of`."""
    metadata: dict[str, Any] = {"title": evidence.title, "source": evidence.source or evidence.url}
    metadata |= {"url": evidence.url} if evidence.url else {}
    metadata |= {"published": evidence.published.isoformat()} if evidence.published else {}
    return {**metadata, "kind": evidence.kind}


def scored_copy(document: Document, *, ranked: RankedEvidence) -> Document:
    """The document with its scores and the matched interval added to a copy of its metadata."""
    scores = {
        "dateline_score": ranked.score,
        "dateline_semantic": ranked.semantic,
        "dateline_temporal": ranked.temporal,
        "dateline_matched": None if ranked.matched is None else ranked.matched.isoformat(),
    }
    return document.model_copy(update={"metadata": {**document.metadata, **scores}})


def checked_k(k: int | None, *, default: int) -> int:
    """How many documents a call asks for. Raises `BadInput` for fewer than one."""
    wanted = default if k is None else k
    if wanted < 1:
        raise BadInput(f"k must be at least 1, not {wanted}.")
    return wanted


def _origin(metadata: Mapping[str, Any]) -> str:
    return next((str(metadata[field]) for field in ORIGIN if metadata.get(field)), "")
