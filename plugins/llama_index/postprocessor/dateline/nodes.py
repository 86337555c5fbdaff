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
from dateline.documents.writing import date_fields, scores_of
from llama_index.node_parser.dateline.copies import stamped_copies, with_metadata


def shown_to_model(nodes: Sequence[NodeWithScore], *, date_field: DateField = ()) -> list[Evidence]:
    """Read nodes, as models may see them, under their own ids."""
    ids = [each.node.node_id for each in nodes]
    return evidence_of_all(nodes, date_field=date_field, ids=ids, seen_by="model")


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
    """Return a copy with scores and date, kept from models and encoders."""
    copy = dated_copy(node, {**scores_of(ranked), **more}, evidence=ranked.evidence)
    return NodeWithScore(node=copy.node, score=ranked.score)


def dated_copy(
    node: NodeWithScore,
    more: Mapping[str, Any],
    *,
    evidence: Evidence,
    shown: Sequence[str] = (),
    hidden: Sequence[str] = (),
) -> NodeWithScore:
    """Return a copy with more fields and the date that was read.

    What is new is kept from encoders, and from models unless it is `shown`.
    """
    date = date_fields(evidence)
    new = [*(name for name in date if name not in node.node.metadata), *(name for name in more if name not in shown)]
    copy = with_metadata(node.node, {**date, **more}, hidden_from_models=[*new, *hidden])
    # What an earlier step hid is shown by one that says so.
    copy.excluded_llm_metadata_keys = [name for name in copy.excluded_llm_metadata_keys if name not in shown]
    return NodeWithScore(node=copy, score=node.score)
