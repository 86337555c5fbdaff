"""The LlamaIndex `Response` of `AnswerWorkflow`."""

from __future__ import annotations

from collections.abc import Sequence

from llama_index.core.base.response.schema import Response
from llama_index.core.schema import NodeWithScore

from dateline import RankedEvidence
from dateline.certainty.answer import METADATA_KEY, Answer
from dateline.evidence.sanitize import MAX_SHOWN, inert
from llama_index.postprocessor.dateline.nodes import scored_copy


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
