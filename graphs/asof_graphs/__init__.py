"""LangGraph state machines made of asof's parts."""

from asof_graphs.answer import answer_graph
from asof_graphs.embedded import as_node
from asof_graphs.facts import recall_facts
from asof_graphs.generate import answer_by_generating, generate_graph
from asof_graphs.generating import GenerateOptions
from asof_graphs.grow import GrowOptions, grow_graph
from asof_graphs.options import AnswerOptions
from asof_graphs.parts import Parts, default_parts, parts_for
from asof_graphs.report import AnswerReport
from asof_graphs.self_mrag import SelfMragOptions, self_mrag_graph
from asof_graphs.state import AnswerInput, AnswerOutput, AnswerState
from asof_graphs.update_facts import UpdateOptions, update_graph

__all__ = [
    "AnswerInput",
    "AnswerOptions",
    "AnswerOutput",
    "AnswerReport",
    "AnswerState",
    "GenerateOptions",
    "GrowOptions",
    "Parts",
    "SelfMragOptions",
    "UpdateOptions",
    "answer_by_generating",
    "answer_graph",
    "as_node",
    "default_parts",
    "generate_graph",
    "grow_graph",
    "parts_for",
    "recall_facts",
    "self_mrag_graph",
    "update_graph",
]
