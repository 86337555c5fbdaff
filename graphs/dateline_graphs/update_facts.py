"""The update graph: dated documents change a fact store, one after the other, oldest first (ERASE, section 3).

take_in -> update -> update (the next document) ... -> report
update -> approve -> update   where edits of a document wait for a person
"""

from __future__ import annotations

import asyncio
import operator
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

from langchain_core.runnables import RunnableLambda
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import get_runtime
from langgraph.types import Overwrite
from pydantic import Field
from typing_extensions import TypedDict

from dateline import BadInput, Cost, Evidence, Step
from dateline.facts import Changes, Updater, open_store
from dateline.search import load_documents
from dateline.temporal.as_of import AsOfField, read_moment
from dateline.text import default_embeddings
from dateline_graphs.components import policy_of, updater_for
from dateline_graphs.options import UpdateOptions
from dateline_graphs.passages import Passage, read_passages
from dateline_graphs.state import STATE_VERSION, Json, check_version
from langchain_dateline.approval import approve_edits

Update = dict[str, Any]


class UpdateInput(TypedDict, total=False):
    """What a person fills in; documents, a folder of them, or both."""

    documents: Annotated[list[Passage], Field(description="Dated documents.")]
    docs: Annotated[str, Field(description="A folder of dated documents, or one JSONL file.")]
    known_at: Annotated[AsOfField, Field(description="When the store learns of them. Empty: now.")]


class UpdateOutput(TypedDict, total=False):
    """What comes out."""

    report: Annotated[Json, Field(description="What changed by which document, what waits, and what it cost.")]


class UpdateState(UpdateInput, UpdateOutput, total=False):
    """Everything in between."""

    schema_version: int
    waiting: list[Json]  # take_in, update: dateline.Evidence that is still to come
    held: list[str]  # update, approve: ids of proposals that a person decides about
    changes: Annotated[list[Json], operator.add]  # update, approve: dateline.facts.Changes
    steps: Annotated[list[Json], operator.add]  # every node: dateline.Step


def update_graph(
    updater: Updater | None = None,
) -> StateGraph[UpdateState, UpdateOptions, UpdateInput, UpdateOutput]:
    """The update graph, not yet compiled: compile it with the checkpointer of your choice.

    Args:
        updater: `LocalUpdater`, `ChatUpdater` or your own. `None`: it is made from the options given at run time
            as `context=UpdateOptions(...)`.
    """
    graph = StateGraph(UpdateState, UpdateOptions, input_schema=UpdateInput, output_schema=UpdateOutput)
    graph.add_node("take_in", RunnableLambda(take_in, name="take_in"))
    graph.add_node("update", _Node(updater).update())
    graph.add_node("approve", _Node(updater).approve())
    graph.add_node("finish", RunnableLambda(finish, name="finish"))
    graph.add_edge(START, "take_in")
    for node in ("take_in", "approve"):
        graph.add_conditional_edges(node, _next, ["update", "finish"])
    graph.add_conditional_edges("update", _after_update, ["approve", "update", "finish"])
    graph.add_edge("finish", END)
    return graph


def take_in(state: UpdateState) -> Update:
    """Read the documents, oldest first: late ones have to be fitted in, which costs more."""
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
        "waiting": [document.model_dump(mode="json") for document in sorted(documents, key=_age)],
        "held": [],
        "changes": Overwrite([]),
        "steps": Overwrite([step.model_dump(mode="json")]),
    }


def finish(state: UpdateState) -> Update:
    """Write the report: what changed by which document, what waits, and what it cost."""
    learnt = [Changes.model_validate(each) for each in state["changes"]]
    report = {
        "summary": [each.summary() for each in learnt],
        "changes": state["changes"],
        "cost": sum((each.cost for each in learnt), Cost()).model_dump(mode="json"),
    }
    return {"report": report}


class _Node:
    """The nodes that need an updater."""

    def __init__(self, updater: Updater | None) -> None:
        self._given = updater

    def update(self) -> RunnableLambda[Any, Update]:
        def run(state: UpdateState) -> Update:
            document, known_at = _begin(state)
            return _updated(self._updater().update([document], known_at=known_at), state)

        async def arun(state: UpdateState) -> Update:
            document, known_at = _begin(state)
            # Making an updater opens a store, which must not block an event loop.
            options = get_runtime(UpdateOptions).context
            updater = self._given if self._given is not None else await asyncio.to_thread(updater_of, options)
            return _updated(await updater.aupdate([document], known_at=known_at), state)

        return RunnableLambda(run, arun, name="update")

    def approve(self) -> RunnableLambda[Any, Update]:
        def run(state: UpdateState) -> Update:
            check_version(state)
            known_at = read_moment(state["known_at"], future_ok=True)
            changes = approve_edits(self._updater().review_queue, state["held"], known_at=known_at)
            return {**_told("approve", changes), "held": []}

        return RunnableLambda(run, name="approve")

    def _updater(self) -> Updater:
        return self._given if self._given is not None else updater_of(get_runtime(UpdateOptions).context)


@lru_cache(maxsize=4)
def updater_of(options: UpdateOptions | None) -> Updater:
    """The updater that the options describe. Raises `BadInput` for a missing store, an unknown model or a missing key."""
    options = options or UpdateOptions()
    if not options.facts:
        raise BadInput("No fact store is given; set facts to a folder, which is made where it is not there.")
    return updater_for(
        options.updater,
        model=options.model,
        policy=policy_of(options),
        store=lambda: open_store(options.facts, embeddings=default_embeddings()),
    )


def _begin(state: UpdateState) -> tuple[Evidence, datetime]:
    check_version(state)
    return Evidence.model_validate(state["waiting"][0]), read_moment(state["known_at"], future_ok=True)


def _updated(changes: Sequence[Changes], state: UpdateState) -> Update:
    held = [one.id for each in changes for one in each.pending if one.waits_for == "person"]
    return {**_told("update", changes), "waiting": state["waiting"][1:], "held": held}


def _told(name: str, changes: Sequence[Changes]) -> Update:
    steps = [each.step().model_copy(update={"name": name}).model_dump(mode="json") for each in changes]
    for step in steps:
        get_runtime(UpdateOptions).stream_writer(step)
    return {"changes": [each.model_dump(mode="json") for each in changes], "steps": steps}


def _next(state: UpdateState) -> str:
    return "update" if state["waiting"] else "finish"


def _after_update(state: UpdateState) -> str:
    return "approve" if state["held"] else _next(state)


def _age(document: Evidence) -> tuple[bool, int]:
    published = document.published
    return published is None, 0 if published is None else published.start or 0
