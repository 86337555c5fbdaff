"""What `AnswerWorkflow` gives back: a LlamaIndex `Response` with all about the answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

from llama_index.core.base.response.schema import Response
from llama_index.core.schema import MetadataMode, NodeWithScore
from llama_index.core.storage.docstore.utils import doc_to_json, json_to_doc

from dateline import Certainty, Cost, Evidence, Question, RankedEvidence, Reading, Step
from dateline.evidence.freshness import freshness_of
from dateline.records import EvidenceKind
from llama_index.postprocessor.dateline.nodes import evidence_of_node, scored_copy

ABOUT = "dateline"
"""The key of the response's metadata that holds all about the answer."""


def packed(nodes: Sequence[NodeWithScore]) -> list[dict[str, Any]]:
    """Nodes as JSON that knows their types, as LlamaIndex's document stores write them."""
    return [{"node": doc_to_json(one.node), "score": one.score} for one in nodes]


def unpacked(values: Sequence[dict[str, Any]]) -> list[NodeWithScore]:
    """The inverse of `packed`."""
    return [NodeWithScore(node=json_to_doc(one["node"]), score=one["score"]) for one in values]


def piece_of(node: NodeWithScore) -> Evidence:
    """A node as a model may see it, under the node's own id; a kind that a search of dateline's told is kept."""
    told: Any = node.node.metadata.get("kind")
    kind: EvidenceKind = told if told in get_args(EvidenceKind) else "document"
    return evidence_of_node(node, id=node.node.node_id, kind=kind, mode=MetadataMode.LLM)


def response_of(
    question: Question,
    *,
    attempt: dict[str, Any],
    action: str,
    rounds: int,
    ranked: Sequence[RankedEvidence],
    nodes: Sequence[NodeWithScore],
    steps: Sequence[Step],
    problems: Sequence[str],
    empty: str,
) -> Response:
    """The chosen attempt as a response; `nodes` are those of `ranked`, in the same order."""
    reading = Reading.model_validate(attempt["reading"])
    certainty = Certainty.model_validate(attempt["certainty"])
    by_id = {one.evidence.id: (one, node) for one, node in zip(ranked, nodes, strict=True)}
    shown = [by_id[id] for id in attempt["shown"]]
    used = [one.evidence for one, _ in shown if one.evidence.id in reading.evidence_ids]
    answer = "" if action == "abstain" else reading.answer
    about = {
        "answer": answer,
        "choice": None if action == "abstain" else reading.choice,
        "asked": question.to_json(),
        "certainty": certainty.model_dump(),
        "label": certainty.label,
        "decision": {"action": action, "reason": steps[-1].summary, "rounds": rounds},
        "freshness": freshness_of(used, as_of=question.as_of).model_dump(),
        "evidence_ids": [piece.id for piece in used],
        "problems": list(problems),
        "steps": [one.model_dump(mode="json") for one in steps],
        "cost": sum((one.cost for one in steps), Cost()).model_dump(),
    }
    sources = [scored_copy(node, ranked=one) for one, node in shown]
    metadata = {node.node.node_id: node.node.metadata for node in sources}
    return Response(response=answer or empty, source_nodes=sources, metadata={**metadata, ABOUT: about})
