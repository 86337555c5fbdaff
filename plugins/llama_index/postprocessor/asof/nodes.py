"""Between LlamaIndex's `NodeWithScore` and asof's `Evidence`: copies in, copies out."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from llama_index.core.schema import MetadataMode, NodeWithScore

from asof import Evidence, RankedEvidence
from asof.evidence.metadata import published_in

SCORE_FIELDS = ("asof_score", "asof_semantic", "asof_temporal", "asof_matched")


def evidence_of(node: NodeWithScore) -> Evidence:
    """Read a node as evidence; its date is taken from its metadata, never guessed."""
    metadata = node.node.metadata
    return Evidence.make(
        node.node.get_content(metadata_mode=MetadataMode.NONE),
        title=str(metadata.get("title") or ""),
        source=str(metadata.get("source") or metadata.get("file_name") or ""),
        url=str(metadata.get("url") or ""),
        published=published_in(metadata),
    )


def scored_copy(node: NodeWithScore, *, ranked: RankedEvidence) -> NodeWithScore:
    """A copy with its scores; the added metadata is kept out of what models and encoders see.

    The vector is shared with the original, everything that is commonly written into is not.
    """
    scores: dict[str, Any] = {
        "asof_score": ranked.score,
        "asof_semantic": ranked.semantic,
        "asof_temporal": ranked.temporal,
        "asof_matched": None if ranked.matched is None else ranked.matched.isoformat(),
    }
    inner = node.node
    changes = {
        "metadata": {**deepcopy(inner.metadata), **scores},
        "relationships": dict(inner.relationships),
        "excluded_embed_metadata_keys": [*inner.excluded_embed_metadata_keys, *SCORE_FIELDS],
        "excluded_llm_metadata_keys": [*inner.excluded_llm_metadata_keys, *SCORE_FIELDS],
    }
    return NodeWithScore(node=inner.model_copy(update=changes), score=ranked.score)
