"""LangGraph state machines made of dateline's parts."""

from dateline_graphs.answer import answer_graph
from dateline_graphs.embedded import as_node
from dateline_graphs.facts import recall_facts
from dateline_graphs.generate import answer_by_generating, generate_graph
from dateline_graphs.generating import GenerateOptions
from dateline_graphs.options import AnswerOptions, SelfMragOptions, UpdateOptions
from dateline_graphs.parts import Parts, default_parts, parts_for
from dateline_graphs.report import AnswerReport
from dateline_graphs.self_mrag import self_mrag_graph
from dateline_graphs.state import AnswerInput, AnswerOutput, AnswerState
from dateline_graphs.update_facts import update_graph

__all__ = [
    "AnswerInput",
    "AnswerOptions",
    "AnswerOutput",
    "AnswerReport",
    "AnswerState",
    "GenerateOptions",
    "Parts",
    "SelfMragOptions",
    "UpdateOptions",
    "answer_by_generating",
    "answer_graph",
    "as_node",
    "default_parts",
    "generate_graph",
    "parts_for",
    "recall_facts",
    "self_mrag_graph",
    "update_graph",
]
