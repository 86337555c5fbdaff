"""The nodes of the answer graph: functions of state and components.

Each is usable alone: give it a dict with the fields it reads and the components it needs. Nodes that wait for a search
engine or a model are flows: `dateline.flow.run(nodes.search(task, components))`, or `await arun(...)`.
"""

from dateline_graphs.kit import Update
from dateline_graphs.nodes.answering import after_gate, answer, gate, retrieve_again
from dateline_graphs.nodes.learning import after_update, approve_facts, update_facts
from dateline_graphs.nodes.question import decompose, first_node, rewrite
from dateline_graphs.nodes.report import finish
from dateline_graphs.nodes.retrieve import after_evidence, evidence, hop, premises, rerank, search
from dateline_graphs.nodes.view import StateView

__all__ = [
    "StateView",
    "Update",
    "after_evidence",
    "after_gate",
    "after_update",
    "answer",
    "approve_facts",
    "decompose",
    "evidence",
    "finish",
    "first_node",
    "gate",
    "hop",
    "premises",
    "rerank",
    "retrieve_again",
    "rewrite",
    "search",
    "update_facts",
]
