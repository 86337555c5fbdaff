"""Scored copies of LlamaIndex's nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from llama_index.core.schema import NodeWithScore

from dateline import Evidence, RankedEvidence
from dateline.documents import evidence_of_all
from dateline.documents.writing import SCORE_FIELDS, date_fields, scores_of
from llama_index.node_parser.dateline.copies import with_metadata


def shown_to_model(nodes: Sequence[NodeWithScore]) -> list[Evidence]:
    """Read nodes, as models may see them, under their own ids."""
    return evidence_of_all(nodes, ids=[each.node.node_id for each in nodes], seen_by="model")


def scored_copy(
    node: NodeWithScore, *, ranked: RankedEvidence, more: Mapping[str, Any] = MappingProxyType({})
) -> NodeWithScore:
    """Return a copy with scores, date and more.

    What is new is kept from models and encoders.
    """
    written = {**scores_of(ranked), **date_fields(ranked.evidence), **more}
    hidden = [*SCORE_FIELDS, *more, *(name for name in written if name not in node.node.metadata)]
    copy = with_metadata(node.node, written, hidden_from_models=hidden)
    return NodeWithScore(node=copy, score=ranked.score)
