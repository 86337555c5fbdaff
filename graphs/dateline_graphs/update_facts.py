"""Update graph: dated documents change a fact store (ERASE, section 3).

They do so one after the other, oldest first.

take_in -> update -> update (the next document) ... -> report
update -> approve -> update   where edits of a document wait for a person
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from langgraph.graph import END, START, StateGraph
from langgraph.types import Overwrite
from pydantic import Field
from typing_extensions import TypedDict

from dateline import BadInput, Cost, Evidence, Step
from dateline.facts import Changes, Updater, open_store
from dateline.flow import Flow, call
from dateline.search import load_documents
from dateline.temporal.as_of import AsOfField, read_moment
from dateline.text import default_embeddings
from dateline_graphs.components import policy_of, updater_for
from dateline_graphs.kit import Update, bind, dump, made_once, update
from dateline_graphs.options import UpdateFactsOptions
from dateline_graphs.passages import Passages, read_passages
from dateline_graphs.state import STATE_VERSION, Json
from langchain_dateline.approval import approve_edits


class UpdateFactsInput(TypedDict, total=False):
    """Input of a run: documents, a folder of them, or both."""

    documents: Annotated[Passages, Field(description="Dated documents.")]
    docs: Annotated[str, Field(description="A folder of dated documents, or one JSONL file.")]
    known_at: Annotated[AsOfField, Field(description="When the store learns of them. Empty: now.")]


class UpdateFactsOutput(TypedDict, total=False):
    """Output of a run."""

    report: Annotated[Json, Field(description="What changed by which document, what waits, and what it cost.")]


class UpdateFactsState(UpdateFactsInput, UpdateFactsOutput, total=False):
    """Everything in between."""

    schema_version: int
    waiting: list[Json]  # take_in, update: dateline.Evidence that is still to come
    held: list[str]  # update, approve: ids of proposals that a person decides about
    changes: Annotated[list[Json], operator.add]  # update, approve: dateline.facts.Changes
    steps: Annotated[list[Json], operator.add]  # every node: dateline.Step


def update_facts_graph(
    updater: Updater | None = None,
) -> StateGraph[UpdateFactsState, UpdateFactsOptions, UpdateFactsInput, UpdateFactsOutput]:
    """Build the update graph, to be compiled with your checkpointer.

    Args:
        updater: `LocalUpdater`, `ChatUpdater` or your own. `None`: it is made from the options given at run time
            as `context=UpdateFactsOptions(...)`.
    """
    node = partial(bind, components=updater, make=updater_of)
    graph = StateGraph(
        UpdateFactsState, UpdateFactsOptions, input_schema=UpdateFactsInput, output_schema=UpdateFactsOutput
    )
    graph.add_node("take_in", bind(take_in, begins=True))
    graph.add_node("update", node(learn))
    graph.add_node("approve", node(approve))
    graph.add_node("finish", bind(finish))
    graph.add_edge(START, "take_in")
    for name in ("take_in", "approve"):
        graph.add_conditional_edges(name, _next, ["update", "finish"])
    graph.add_conditional_edges("update", _after_update, ["approve", "update", "finish"])
    graph.add_edge("finish", END)
    return graph


def take_in(state: UpdateFactsState) -> Update:
    """Read the documents, oldest first: fitting in late ones costs more."""
    documents = read_passages(state.get("documents"))
    if state.get("docs"):
        documents += load_documents(Path(state["docs"])).documents
    if not documents:
        raise BadInput("There is nothing to learn from; give documents with a text, or docs as a folder.")
    known_at = read_moment(state.get("known_at"))
    step = Step(name="take_in", summary=f"{len(documents)} documents")
    return {
        "schema_version": STATE_VERSION,
        "known_at": known_at.isoformat(),
        "waiting": [dump(document) for document in sorted(documents, key=_age)],
        "held": [],
        "changes": Overwrite([]),
        "steps": Overwrite([dump(step)]),
    }


def finish(state: UpdateFactsState) -> Update:
    """Write the report: changes by document, what waits, and the cost."""
    learnt = [Changes.model_validate(each) for each in state["changes"]]
    report = {
        "summary": [each.summary() for each in learnt],
        "changes": state["changes"],
        "cost": sum((each.cost for each in learnt), Cost()).model_dump(mode="json"),
    }
    return {"report": report}


def learn(state: UpdateFactsState, updater: Updater) -> Flow[Update]:
    """Let the store learn from the oldest document that waits."""
    document = Evidence.model_validate(state["waiting"][0])
    changes = yield from call(updater.update, [document], known_at=_known_at(state))
    held = [one.id for each in changes for one in each.pending if one.waits_for == "person"]
    return _learnt("update", changes, waiting=state["waiting"][1:], held=held)


def approve(state: UpdateFactsState, updater: Updater) -> Update:
    """Stop until a person has decided about the edits that wait."""
    changes = approve_edits(updater.review_queue, state["held"], known_at=_known_at(state))
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
        policy=policy_of(options),
        store=lambda: open_store(options.facts, embeddings=default_embeddings()),
    )


def _known_at(state: UpdateFactsState) -> datetime:
    return read_moment(state["known_at"], future_ok=True)


def _learnt(name: str, changes: Sequence[Changes], **fields: Any) -> Update:
    return update(*(each.step().model_copy(update={"name": name}) for each in changes), changes=changes, **fields)


def _next(state: UpdateFactsState) -> str:
    return "update" if state["waiting"] else "finish"


def _after_update(state: UpdateFactsState) -> str:
    return "approve" if state["held"] else _next(state)


def _age(document: Evidence) -> tuple[bool, int]:
    published = document.published
    return published is None, 0 if published is None else published.start or 0
