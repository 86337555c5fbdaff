"""The answer graph: a question as of a date becomes a sourced, dated, scored answer.

rewrite (only after a chat) -> decompose
decompose -> search (one for each sub-question, in parallel) -> evidence
evidence -> hop -> search, while a sub-question waits for the answer of another
evidence, hop -> rerank -> premises -> answer -> gate
gate -> retrieve_again -> answer, a bounded number of times
gate -> update_facts -> finish
update_facts -> approve_facts -> finish, where edits of facts wait for a person
"""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Callable, Generator
from typing import Any

from langchain_core.runnables import RunnableLambda
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import get_runtime
from langgraph.types import Overwrite, Send

from dateline.flow import Flow, arun, run
from dateline_graphs import nodes
from dateline_graphs.components import Components, components_for
from dateline_graphs.nodes import question
from dateline_graphs.options import AnswerOptions
from dateline_graphs.state import AnswerInput, AnswerOutput, AnswerState, SearchTask, check_version

Node = Callable[[Any, Components], nodes.Update | Flow[nodes.Update]]
"""From a state and the live components to what the node adds; a flow where it waits for a part."""


def answer_graph(
    components: Components | None = None, *, answer: Node | None = None
) -> StateGraph[AnswerState, AnswerOptions, AnswerInput, AnswerOutput]:
    """The answer graph, not yet compiled: compile it with the checkpointer of your choice.

    Args:
        components: the live pieces (search, reader, ranker, ...). `None`: they are made from the options
            given at run time as `context=AnswerOptions(...)`, once for each set of options.
        answer: an answer step of your own, such as `answer_by_generating(generator)`; `None`: the reader reads the
            evidence.
    """
    graph = StateGraph(AnswerState, AnswerOptions, input_schema=AnswerInput, output_schema=AnswerOutput)
    graph.add_node("rewrite", _bind(question.rewrite, components=components))
    graph.add_node("decompose", _bind(question.decompose, components=components))
    graph.add_node("search", _bind(nodes.search, components=components), input_schema=SearchTask)
    graph.add_node("evidence", _bind(nodes.evidence, components=components))
    graph.add_node("hop", _bind(nodes.hop, components=components))
    graph.add_node("rerank", _bind(nodes.rerank, components=components))
    graph.add_node("premises", _bind(nodes.premises, components=components))
    graph.add_node("answer", _bind(answer or nodes.answer, components=components))
    graph.add_node("gate", _bind(nodes.gate, components=components))
    graph.add_node("retrieve_again", _bind(nodes.retrieve_again, components=components))
    graph.add_node("update_facts", _bind(nodes.update_facts, components=components))
    graph.add_node("approve_facts", _bind(nodes.approve_facts, components=components))
    graph.add_node("finish", _bind(nodes.finish, components=components))

    graph.add_conditional_edges(START, question.first_node, ["rewrite", "decompose"])
    graph.add_edge("rewrite", "decompose")
    graph.add_conditional_edges("decompose", _each_query, ["search"])
    graph.add_edge("search", "evidence")
    graph.add_conditional_edges("evidence", nodes.after_evidence, ["hop", "rerank"])
    graph.add_conditional_edges("hop", _after_hop, ["search", "rerank"])
    graph.add_edge("rerank", "premises")
    graph.add_edge("premises", "answer")
    graph.add_edge("answer", "gate")
    graph.add_conditional_edges("gate", nodes.after_gate, ["retrieve_again", "update_facts"])
    graph.add_edge("retrieve_again", "answer")
    graph.add_conditional_edges("update_facts", nodes.after_update, ["approve_facts", "finish"])
    graph.add_edge("approve_facts", "finish")
    graph.add_edge("finish", END)
    return graph


def _each_query(state: AnswerState) -> list[Send]:
    task = {"schema_version": state["schema_version"], "parsed": state["parsed"]}
    return [Send("search", {**task, "query": query}) for query in state["queries"]]


def _after_hop(state: AnswerState) -> list[Send] | str:
    return _each_query(state) or "rerank"


def _bind(node: Node, *, components: Components | None) -> RunnableLambda[Any, nodes.Update]:
    """Give a node its components, time it, and stream each step of its trace as it happens."""

    def begin(state: Any) -> float:
        if node not in (question.rewrite, question.decompose):
            check_version(state)
        return time.perf_counter()

    def finish(update: nodes.Update, *, started: float) -> nodes.Update:
        steps = update.get("steps", [])
        for step in steps.value if isinstance(steps, Overwrite) else steps:
            step["cost"]["seconds"] = round(time.perf_counter() - started, 6)
            get_runtime(AnswerOptions).stream_writer(step)
        return update

    def invoke(state: Any) -> nodes.Update:
        started = begin(state)
        made = node(state, components or components_for(get_runtime(AnswerOptions).context))
        return finish(run(made) if isinstance(made, Generator) else made, started=started)

    async def ainvoke(state: Any) -> nodes.Update:
        started = begin(state)
        # Making the components reads files and loads an encoder, which must not block an event loop.
        live = (
            components
            if components is not None
            else await asyncio.to_thread(components_for, get_runtime(AnswerOptions).context)
        )
        made = node(state, live)
        return finish(await arun(made) if isinstance(made, Generator) else made, started=started)

    # A node that is no flow computes without waiting: LangGraph runs it in a thread.
    waits = inspect.isgeneratorfunction(node)
    return RunnableLambda(invoke, ainvoke if waits else None, name=node.__name__)
