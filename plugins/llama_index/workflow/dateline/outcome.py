"""The LlamaIndex `Response` of `AnswerWorkflow`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llama_index.core.base.response.schema import Response
from llama_index.core.schema import NodeWithScore
from llama_index.core.storage.docstore.utils import doc_to_json, json_to_doc

from dateline import RankedEvidence
from dateline.certainty.answer import METADATA_KEY, Answer
from dateline.evidence.sanitize import MAX_SHOWN, inert
from llama_index.postprocessor.dateline.nodes import scored_copy


def packed(nodes: Sequence[NodeWithScore]) -> list[dict[str, Any]]:
    """Write nodes as JSON, as LlamaIndex's document stores do."""
    return [{"node": doc_to_json(one.node), "score": one.score} for one in nodes]


def unpacked(values: Sequence[dict[str, Any]]) -> list[NodeWithScore]:
    """Read nodes that `packed` wrote."""
    return [NodeWithScore(node=json_to_doc(one["node"]), score=one["score"]) for one in values]


def response_of(
    answer: Answer,
    *,
    shown: Sequence[str],
    ranked: Sequence[RankedEvidence],
    nodes: Sequence[NodeWithScore],
    nothing: str,
) -> Response:
    """Return an answer as a response.

    Args:
        shown: ids of what was read for it, best first.
        nodes: those of `ranked`, in the same order.
        nothing: what is said where no answer is adopted; a guess stands behind it, marked.
    """
    by_id = {one.evidence.id: scored_copy(node, ranked=one) for one, node in zip(ranked, nodes, strict=True)}
    sources = [by_id[id] for id in shown]
    metadata = {node.node.node_id: node.node.metadata for node in sources}
    about = {METADATA_KEY: answer.model_dump(mode="json")}
    text = inert(answer.spoken(nothing=nothing), limit=MAX_SHOWN)
    return Response(response=text, source_nodes=sources, metadata={**metadata, **about})
