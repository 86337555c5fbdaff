"""LangGraph state machines made of dateline's parts."""

from typing import TYPE_CHECKING

from dateline.lazy import lazy_exports

if TYPE_CHECKING:
    from dateline_graphs.answer import answer_graph
    from dateline_graphs.components import Components, components_for, default_components
    from dateline_graphs.embedded import as_node
    from dateline_graphs.facts import recall_facts
    from dateline_graphs.generate import answer_by_generating, generate_graph
    from dateline_graphs.generate_options import GenerateOptions
    from dateline_graphs.options import AnswerOptions, SelfMragOptions, UpdateFactsOptions
    from dateline_graphs.report import AnswerReport
    from dateline_graphs.self_mrag import self_mrag_graph
    from dateline_graphs.state import AnswerInput, AnswerOutput, AnswerState
    from dateline_graphs.tool import ask_as_of, toolbox
    from dateline_graphs.update_facts import update_facts_graph

__getattr__ = lazy_exports(
    "dateline_graphs",
    AnswerInput="dateline_graphs.state",
    AnswerOptions="dateline_graphs.options",
    AnswerOutput="dateline_graphs.state",
    AnswerReport="dateline_graphs.report",
    AnswerState="dateline_graphs.state",
    Components="dateline_graphs.components",
    GenerateOptions="dateline_graphs.generate_options",
    SelfMragOptions="dateline_graphs.options",
    UpdateFactsOptions="dateline_graphs.options",
    answer_by_generating="dateline_graphs.generate",
    answer_graph="dateline_graphs.answer",
    as_node="dateline_graphs.embedded",
    ask_as_of="dateline_graphs.tool",
    components_for="dateline_graphs.components",
    default_components="dateline_graphs.components",
    generate_graph="dateline_graphs.generate",
    recall_facts="dateline_graphs.facts",
    self_mrag_graph="dateline_graphs.self_mrag",
    toolbox="dateline_graphs.tool",
    update_facts_graph="dateline_graphs.update_facts",
)
__all__ = [
    "AnswerInput",
    "AnswerOptions",
    "AnswerOutput",
    "AnswerReport",
    "AnswerState",
    "Components",
    "GenerateOptions",
    "SelfMragOptions",
    "UpdateFactsOptions",
    "answer_by_generating",
    "answer_graph",
    "as_node",
    "ask_as_of",
    "components_for",
    "default_components",
    "generate_graph",
    "recall_facts",
    "self_mrag_graph",
    "toolbox",
    "update_facts_graph",
]
