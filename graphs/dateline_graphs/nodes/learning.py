"""The nodes that update the fact store, with a person's approval."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from dateline import BadInput, Cost, Step
from dateline.facts import Changes
from dateline.facts.changes import ChangeKind
from dateline.flow import Flow, call
from dateline_graphs.components import Components
from dateline_graphs.kit import Update, dump, update
from dateline_graphs.nodes.view import StateView
from dateline_graphs.state import AnswerState, Json

CHANGE_KINDS: tuple[str, ...] = get_args(ChangeKind)


def update_facts(state: AnswerState, components: Components) -> Flow[Update]:
    """Let the fact store learn from the evidence behind an answer."""
    view = StateView(state)
    if components.updater is None or view.decision.outcome == "abstain":
        why = "no fact store is kept" if components.updater is None else "the answer was withheld"
        return update(Step(name="update_facts", summary=why), facts={}, held=[])
    # Facts that a store told itself are no news to it.
    news = [piece for piece in view.used if piece.kind != "fact"]
    return _learnt((yield from call(components.updater.update, news, known_at=components.clock())))


def after_update(state: AnswerState) -> str:
    """Return the next node: `approve_facts` where edits wait for a person."""
    return "approve_facts" if state.get("held") else "finish"


def approve_facts(state: AnswerState, components: Components) -> Update:
    """Stop until a person has decided about the edits that wait."""
    from langchain_dateline.approval import approve_edits

    if components.updater is None:
        raise BadInput("The edits of this run wait in a fact store; resume it with the same store in its context.")
    changes = approve_edits(components.updater.review_queue, state["held"], known_at=components.clock())
    learnt = _learnt(changes, name="approve_facts")
    facts = state.get("facts", {})
    together = {kind: [*facts.get(kind, ()), *learnt["facts"][kind]] for kind in CHANGE_KINDS}
    return {**learnt, "facts": together, "held": []}


def _learnt(learnt: Sequence[Changes], *, name: str = "update_facts") -> Update:
    changes = [change for document in learnt for change in document.changes]
    pending = [one for document in learnt for one in document.pending]
    facts: Json = {kind: [dump(change) for change in changes if change.kind == kind] for kind in CHANGE_KINDS}
    counts = [f"{len(facts[kind])} {kind.replace('_', ' ')}" for kind in CHANGE_KINDS if facts[kind]]
    summary = ", ".join([*counts, *([f"{len(pending)} pending"] if pending else [])])
    step = Step(
        name=name,
        summary=summary or "nothing changed",
        details={
            "skipped": [reason for document in learnt for reason in document.skipped],
            "notes": [note for document in learnt for note in document.notes],
            "pending": [one.readable() for one in pending],
        },
        cost=sum((document.cost for document in learnt), Cost()),
    )
    return update(step, facts=facts, held=[one.id for one in pending if one.waits_for == "person"])
