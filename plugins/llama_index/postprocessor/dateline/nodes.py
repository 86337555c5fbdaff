"""Between LlamaIndex's `NodeWithScore` and dateline's `Evidence`: copies in, copies out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llama_index.core.schema import BaseNode, MetadataMode, NodeWithScore

from dateline import Evidence, RankedEvidence
from dateline.documents.metadata import published_in
from dateline.records import EvidenceKind
from llama_index.node_parser.dateline.copies import with_metadata

SCORE_FIELDS = ("dateline_score", "dateline_semantic", "dateline_temporal", "dateline_matched")


def evidence_of_node(
    node: NodeWithScore, *, id: str = "", kind: EvidenceKind = "document", mode: MetadataMode = MetadataMode.NONE
) -> Evidence:
    """Read a node as evidence; its date is taken from its metadata, never guessed.

    Args:
        id: an id of your own; empty: one that follows from the node's origin and text.
        kind: where it comes from.
        mode: who reads it: with `LLM` or `EMBED`, title, source and url stay hidden where the node excludes them from
            models or encoders. The date is always read.
    """
    metadata, hidden = node.node.metadata, _hidden(node.node, mode)

    def shown(*names: str) -> str:
        return next((str(metadata[name]) for name in names if name not in hidden and metadata.get(name)), "")

    text = node.node.get_content(metadata_mode=MetadataMode.NONE)
    fields: dict[str, Any] = {
        "title": shown("title"),
        "source": shown("source", "file_name"),
        "url": shown("url"),
        "published": published_in(metadata),
        "kind": kind,
    }
    return Evidence(id=id, text=text, **fields) if id else Evidence.make(text, **fields)


def _hidden(node: BaseNode, mode: MetadataMode) -> Sequence[str]:
    if mode == MetadataMode.LLM:
        return node.excluded_llm_metadata_keys
    return node.excluded_embed_metadata_keys if mode == MetadataMode.EMBED else ()


def scored_copy(node: NodeWithScore, *, ranked: RankedEvidence) -> NodeWithScore:
    """A copy with its scores, which are kept out of what models and encoders see."""
    scores: dict[str, Any] = {
        "dateline_score": ranked.score,
        "dateline_semantic": ranked.semantic,
        "dateline_temporal": ranked.temporal,
        "dateline_matched": None if ranked.matched is None else ranked.matched.isoformat(),
    }
    copy = with_metadata(node.node, scores, hidden_from_models=SCORE_FIELDS)
    return NodeWithScore(node=copy, score=ranked.score)
