"""Update graph: dated documents change a fact store (ERASE, section 3).

They do so one after the other, oldest first.

take_in -> update -> update (the next document) ... -> report
take_in -> approve -> approve   where a person reviews what waits
update -> approve -> update   where edits of a document wait for a person
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Annotated, Any

from langgraph.graph import END, START, StateGraph
from langgraph.types import Overwrite
from pydantic import Field
from typing_extensions import TypedDict

from dateline import BadInput, Cost, Evidence, Step
from dateline.evidence.knowledge import oldest_first
from dateline.facts import Changes, Updater
from dateline.flow import Flow, call
from dateline.records import Record
from dateline.temporal.as_of import Clock, now
from dateline.text import default_embeddings
from dateline_graphs.components import updater_for
from dateline_graphs.entry import CheckedGraph
from dateline_graphs.json_forms import json_form
from dateline_graphs.kit import Entrance, TimedPart, Update, dump, edge, made_once, timed_nodes, update
from dateline_graphs.options import UpdateFactsOptions
from dateline_graphs.passages import Passages, read_passages
from dateline_graphs.policies import NodePolicies, Retries
from dateline_graphs.state import STATE_VERSION, Json
from langchain_dateline.approval import approve_edits, identity_of_run


class UpdateFactsInput(TypedDict, total=False):
    """Input of a run; `dateline.search.load_documents` reads a folder of documents."""

    documents: Annotated[Passages, Field(description="Dated documents.")]
    review: Annotated[bool, Field(description="In place of documents: decide about all edits that wait for a person.")]


class UpdateReport(Record):
    """Changes that a run made, document by document."""

    summary: tuple[str, ...] = Field(description="One line for each document.")
    changes: tuple[Changes, ...] = Field(description="The edits of each, and those that wait.")
    cost: Cost


class UpdateFactsOutput(TypedDict, total=False):
    """Output of a run."""

    report: Annotated[
        Json, json_form(UpdateReport, told="What changed by which document, what waits, and what it cost.")
    ]
    steps: Annotated[list[Json], Field(description="Every change, as it was made."), operator.add]


class UpdateFactsState(UpdateFactsInput, UpdateFactsOutput, total=False):
    """Everything in between."""

    schema_version: int
    waiting: list[Json]  # take_in, update: dateline.Evidence that is still to come
    held: list[str]  # update, approve: ids of proposals that a person decides about
    changes: Annotated[list[Json], operator.add]  # update, approve: dateline.facts.Changes


def update_facts_graph(
    updater: Updater | None = None,
    *,
    clock: Clock = now,
    entrance: Entrance[Any, Updater] | None = None,
    retry_policy: Retries = None,
) -> StateGraph[UpdateFactsState, UpdateFactsOptions, UpdateFactsInput, UpdateFactsOutput]:
    """Build the update graph, to be compiled with your checkpointer.

    Args:
        updater: `LocalUpdater`, `ChatUpdater` or your own. `None`: it is made from the options given at run time
            as `context=UpdateFactsOptions(...)`.
        clock: when the store learns of the documents.
        entrance: what a run may say in `context=`, and what is made of it. `None`: `UpdateFactsOptions`.
        retry_policy: of LangGraph's; a node that fails in its way is run again.
    """
    way = entrance or Entrance(UpdateFactsOptions, updater_of)
    node = timed_nodes(updater, way=way, clock=clock)
    graph = CheckedGraph(UpdateFactsState, way.options, input_schema=UpdateFactsInput, output_schema=UpdateFactsOutput)
    add = NodePolicies(retry_policy).adder(graph)
    add("take_in", node(take_in, begins=True))
    add("update", node(learn))
    graph.add_node("approve", node(approve))
    add("finish", node(finish))
    graph.add_edge(START, "take_in")
    graph.add_conditional_edges("take_in", edge(_first), ["update", "approve"])
    graph.add_conditional_edges("approve", edge(_after_update), ["approve", "update", "finish"])
    graph.add_conditional_edges("update", edge(_after_update), ["approve", "update", "finish"])
    graph.add_edge("finish", END)
    return graph


def take_in(state: UpdateFactsState) -> Update:
    """Read the documents, oldest first: fitting in late ones costs more."""
    # Both inputs stay in a thread's state: a review is one run's.
    documents = [] if state.get("review") else read_passages(state.get("documents"))
    if not documents and not state.get("review"):
        raise BadInput("There is nothing to learn from; give documents with a text.")
    step = Step(name="take_in", summary=f"{len(documents)} documents")
    return {
        "schema_version": STATE_VERSION,
        "waiting": [dump(document) for document in sorted(documents, key=oldest_first)],
        "review": False,
        "held": [],
        "changes": Overwrite([]),
        "steps": Overwrite([dump(step)]),
    }


def finish(state: UpdateFactsState) -> Update:
    """Write the report: changes by document, what waits, and the cost."""
    learnt = tuple(Changes.model_validate(each) for each in state["changes"])
    report = UpdateReport(
        summary=tuple(each.summary() for each in learnt),
        changes=learnt,
        cost=sum((each.cost for each in learnt), Cost()),
    )
    return {"report": dump(report)}


def learn(state: UpdateFactsState, live: TimedPart[Updater]) -> Flow[Update]:
    """Let the store learn from the oldest document that waits."""
    document = Evidence.model_validate(state["waiting"][0])
    changes = yield from call(live.part.update, [document], known_at=live.clock())
    held = [one.id for each in changes for one in each.pending if one.waits_for == "person"]
    return _learnt("update", changes, waiting=state["waiting"][1:], held=held)


def approve(state: UpdateFactsState, live: TimedPart[Updater]) -> Update:
    """Stop until a person has decided about the edits that wait.

    A review first notes which these are, and stops when it comes here again: resumed, the node runs from its beginning,
    and an edit that came to wait in the meantime was not shown.
    """
    queue, held = live.part.review_queue, state["held"]
    if not held:
        if not queue.policy.may_decide(identity_of_run()):
            raise BadInput("You may not decide about the edits of this store; they wait for its approvers.")
        return {"held": [one.id for one in queue.pending("person")]}
    changes = approve_edits(queue, held, known_at=live.clock())
    return _learnt("approve", changes, held=[])


@made_once(UpdateFactsOptions)
def updater_of(options: UpdateFactsOptions) -> Updater:
    """Make the updater that options describe.

    Raises:
        BadInput: for a missing store, an unknown model or a missing key.
    """
    if not options.facts:
        raise BadInput("No fact store is given; set facts to a folder, which is made where it is not there.")
    return updater_for(
        options.updater,
        model=options.model,
        policy=options.policy(),
        store=lambda: options.open_facts(embeddings=default_embeddings()),
    )


def _learnt(name: str, changes: Sequence[Changes], **fields: Any) -> Update:
    return update(*(each.step().model_copy(update={"name": name}) for each in changes), changes=changes, **fields)


def _first(state: UpdateFactsState) -> str:
    return "update" if state["waiting"] else "approve"


def _next(state: UpdateFactsState) -> str:
    return "update" if state["waiting"] else "finish"


def _after_update(state: UpdateFactsState) -> str:
    return "approve" if state["held"] else _next(state)
