"""The compiled graphs that `langgraph.json` lists; the server brings its own checkpointer."""

from __future__ import annotations

from dateline_graphs.answer import answer_graph
from dateline_graphs.generate import GenerateInput, generate_graph
from dateline_graphs.kit import Entrance
from dateline_graphs.self_mrag import SelfMragInput, self_mrag_graph
from dateline_graphs.server.components import Access
from dateline_graphs.server.config import read_config
from dateline_graphs.server.options import AnswerRequest, GenerateRequest, SelfMragRequest, UpdateFactsRequest
from dateline_graphs.state import AnswerInput
from dateline_graphs.update_facts import UpdateFactsInput, update_facts_graph

access = Access(read_config())

answer = answer_graph(
    entrance=Entrance(AnswerRequest, access.components, access.admission(AnswerInput), access.guard)
).compile(name="answer")
update_facts = update_facts_graph(
    entrance=Entrance(UpdateFactsRequest, access.updater, access.admission(UpdateFactsInput), access.guard)
).compile(name="update_facts")
self_mrag = self_mrag_graph(entrance=Entrance(SelfMragRequest, access.reader, access.admission(SelfMragInput))).compile(
    name="self_mrag"
)
generate = generate_graph(
    entrance=Entrance(GenerateRequest, access.generator, access.admission(GenerateInput))
).compile(name="generate")
