"""Scored copies of LlamaIndex's nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any

from llama_index.core.schema import MetadataMode, NodeWithScore

from dateline import Evidence, RankedEvidence
from dateline.documents import DateField, evidence_of_all
from dateline.documents.stamp import known_entries
from dateline.documents.writing import SCORE_FIELDS, date_fields, scores_of
from llama_index.node_parser.dateline.copies import stamped_copies, with_metadata


def shown_to_model(nodes: Sequence[NodeWithScore]) -> list[Evidence]:
    """Read nodes, as models may see them, under their own ids."""
    return evidence_of_all(nodes, ids=[each.node.node_id for each in nodes], seen_by="model")


def without_later_entries(
    nodes: Sequence[NodeWithScore], *, as_of: datetime, date_field: DateField = (), keep_later: bool = False
) -> list[NodeWithScore]:
    """Put known entries in the place of what goes on later.

    That is a journal, table or JSON that no `DateStamper` split.
    """
    if keep_later:
        return list(nodes)
    texts = [(each.node.get_content(MetadataMode.NONE), each.node.metadata) for each in nodes]
    found = known_entries(texts, as_of=as_of, date_field=date_field)
    return [
        one
        for each, parts in zip(nodes, found, strict=True)
        for one in ([NodeWithScore(node=copy, score=each.score) for copy in stamped_copies(each.node, parts)] or [each])
    ]


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
