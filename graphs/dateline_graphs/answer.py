"""Answer graph: from a dated question to a sourced, dated, scored answer.

rewrite (only after a chat) -> decompose
decompose -> search (one for each sub-question, in parallel) -> evidence
evidence -> hop -> search, while a sub-question waits for the answer of another
evidence, hop -> rerank -> premises -> answer -> gate
gate -> retrieve_again -> answer, a bounded number of times
gate -> update_facts -> finish
update_facts -> approve_facts -> finish, where edits of facts wait for a person
"""

from __future__ import annotations

from functools import partial
from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.types import Send

from dateline_graphs import nodes
from dateline_graphs.components import Components, components_for
from dateline_graphs.kit import Entrance, Node, bind, edge
from dateline_graphs.options import AnswerOptions
from dateline_graphs.state import AnswerInput, AnswerOutput, AnswerState, SearchTask


def answer_graph(
    components: Components | None = None,
    *,
    answer: Node | None = None,
    entrance: Entrance[Any, Components] | None = None,
) -> StateGraph[AnswerState, AnswerOptions, AnswerInput, AnswerOutput]:
    """Build the answer graph, to be compiled with your checkpointer.

    Args:
        components: the live pieces (search, reader, ranker, ...). `None`: they are made from the options
            given at run time as `context=AnswerOptions(...)`, once for each set of options.
        answer: an answer step of your own, such as `answer_by_generating(generator)`; `None`: the reader reads the
            evidence.
        entrance: what a run may say in `context=`, and what is made of it; `None`: `AnswerOptions`.
    """
    way = entrance or Entrance(AnswerOptions, components_for)
    node = partial(bind, components=components, make=way.make, admit=way.admit)
    graph = StateGraph(AnswerState, way.options, input_schema=AnswerInput, output_schema=AnswerOutput)
    graph.add_node("rewrite", node(nodes.rewrite, begins=True))
    graph.add_node("decompose", node(nodes.decompose, begins=True))
    graph.add_node("search", node(nodes.search), input_schema=SearchTask)
    graph.add_node("evidence", node(nodes.evidence))
    graph.add_node("hop", node(nodes.hop))
    graph.add_node("rerank", node(nodes.rerank))
    graph.add_node("premises", node(nodes.premises))
    graph.add_node("answer", node(answer or nodes.answer))
    graph.add_node("gate", node(nodes.gate))
    graph.add_node("retrieve_again", node(nodes.retrieve_again))
    graph.add_node("update_facts", node(nodes.update_facts))
    graph.add_node("approve_facts", node(nodes.approve_facts))
    graph.add_node("finish", node(nodes.finish))

    graph.add_conditional_edges(START, edge(nodes.first_node), ["rewrite", "decompose"])
    graph.add_edge("rewrite", "decompose")
    graph.add_conditional_edges("decompose", edge(_each_query), ["search"])
    graph.add_edge("search", "evidence")
    graph.add_conditional_edges("evidence", edge(nodes.after_evidence), ["hop", "rerank"])
    graph.add_conditional_edges("hop", edge(_after_hop), ["search", "rerank"])
    graph.add_edge("rerank", "premises")
    graph.add_edge("premises", "answer")
    graph.add_edge("answer", "gate")
    graph.add_conditional_edges("gate", edge(nodes.after_gate), ["retrieve_again", "update_facts"])
    graph.add_edge("retrieve_again", "answer")
    graph.add_conditional_edges("update_facts", edge(nodes.after_update), ["approve_facts", "finish"])
    graph.add_edge("approve_facts", "finish")
    graph.add_edge("finish", END)
    return graph


def _each_query(state: AnswerState) -> list[Send]:
    task = {"schema_version": state["schema_version"], "parsed": state["parsed"]}
    return [Send("search", {**task, "query": query}) for query in state["queries"]]


def _after_hop(state: AnswerState) -> list[Send] | str:
    return _each_query(state) or "rerank"
