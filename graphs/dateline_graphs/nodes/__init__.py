"""The nodes of the answer graph: each a small function from (state, parts) to what it adds to the state.

Each is usable alone: give it a dict with the fields it reads and the parts it needs. Nodes that wait
for a search engine or a model have an asynchronous twin, named with a leading `a`.
"""

from dateline_graphs.nodes.answering import aanswer, after_gate, answer, gate, retrieve_again
from dateline_graphs.nodes.attempts import Attempt, Update
from dateline_graphs.nodes.learning import after_update, approve_facts, aupdate_facts, update_facts
from dateline_graphs.nodes.report import finish
from dateline_graphs.nodes.retrieve import after_evidence, asearch, evidence, hop, premises, rerank, search

__all__ = [
    "Attempt",
    "Update",
    "aanswer",
    "after_evidence",
    "after_gate",
    "after_update",
    "answer",
    "approve_facts",
    "asearch",
    "aupdate_facts",
    "evidence",
    "finish",
    "gate",
    "hop",
    "premises",
    "rerank",
    "retrieve_again",
    "search",
    "update_facts",
]
