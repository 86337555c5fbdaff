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

from functools import partial, update_wrapper
from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.types import CachePolicy, Send

from dateline_graphs import nodes
from dateline_graphs.components import Components, components_for
from dateline_graphs.entry import CheckedGraph
from dateline_graphs.kit import Entrance, Node, bind, edge
from dateline_graphs.options import AnswerOptions
from dateline_graphs.policies import NodePolicies, Retries, cache_checked
from dateline_graphs.state import AnswerInput, AnswerOutput, AnswerState, SearchTask

CACHED = {"search": ("query", "parsed"), "answer": ("question", "parsed", "shown", "attempts", "choices")}
"""Nodes that may be cached, by the fields that decide: asking an engine or a model is what takes time."""


def answer_graph(
    components: Components | None = None,
    *,
    answer: Node | None = None,
    entrance: Entrance[Any, Components] | None = None,
    retry_policy: Retries = None,
    cache_policy: CachePolicy[Any] | None = None,
) -> StateGraph[AnswerState, AnswerOptions, AnswerInput, AnswerOutput]:
    """Build the answer graph, to be compiled with your checkpointer.

    Args:
        components: the live pieces (search, reader, ranker, ...). `None`: they are made from the options
            given at run time as `context=AnswerOptions(...)`, once for each set of options.
        answer: an answer step of your own, such as `answer_by_generating(generator)`; `None`: the reader reads the
            evidence.
        entrance: what a run may say in `context=`, and what is made of it; `None`: `AnswerOptions`.
        retry_policy: of LangGraph's; a node that fails in its way is run again.
        cache_policy: of LangGraph's, for searches and readings; compile the graph with `cache=`. It needs `components`.

    Raises:
        BadInput: for a cache without components.
    """
    way = entrance or Entrance(AnswerOptions, components_for)
    node = partial(bind, components=components, make=way.make, admit=way.admit, guard=way.guard)
    graph = CheckedGraph(AnswerState, way.options, input_schema=AnswerInput, output_schema=AnswerOutput)
    policies = NodePolicies(retry_policy, cache_checked(cache_policy, parts=components), CACHED)
    add = policies.adder(graph)
    add("rewrite", node(nodes.rewrite, begins=True))
    add("decompose", node(nodes.decompose, begins=True))
    search = update_wrapper(partial(nodes.search, heard=partial(policies.heard, "search")), nodes.search)
    add("search", node(search), input_schema=SearchTask)
    add("evidence", node(nodes.evidence))
    add("hop", node(nodes.hop))
    add("rerank", node(nodes.rerank))
    add("premises", node(nodes.premises))
    add("answer", node(answer or nodes.answer))
    add("gate", node(nodes.gate))
    add("retrieve_again", node(nodes.retrieve_again))
    add("update_facts", node(nodes.update_facts))
    graph.add_node("approve_facts", node(nodes.approve_facts))
    add("finish", node(nodes.finish))

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
