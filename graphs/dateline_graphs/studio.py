"""The compiled graphs that `langgraph.json` lists; the server brings its own checkpointer."""

from __future__ import annotations

from dateline_graphs.answer import answer_graph
from dateline_graphs.generate import generate_graph
from dateline_graphs.self_mrag import self_mrag_graph
from dateline_graphs.update_facts import update_facts_graph

answer = answer_graph().compile(name="answer")
update_facts = update_facts_graph().compile(name="update_facts")

self_mrag = self_mrag_graph().compile(name="self_mrag")
generate = generate_graph().compile(name="generate")
