"""The answering loop's steps as nodes, a checkpoint between them."""

from __future__ import annotations

from dateline import Cost, Step
from dateline.certainty.answering import AnswerLoop, RankedSource, ReaderRounds, decide, gate_step, read_step
from dateline.certainty.attempt import earlier_runs, standing
from dateline.flow import Flow
from dateline_graphs.components import Components
from dateline_graphs.kit import Update, update
from dateline_graphs.nodes.view import StateView, spent
from dateline_graphs.state import AnswerState


def answer(state: AnswerState, components: Components) -> Flow[Update]:
    """Read the shown evidence, and estimate how certain the answer is."""
    view = StateView(state)
    rounds = ReaderRounds(components.reader, components.per_document)
    read = yield from AnswerLoop(rounds, components.estimator, components.gate, components.per_document).round(
        view.question,
        evidence=[one.evidence for one in view.shown],
        choices=view.choices,
        earlier=earlier_runs(view.attempts, evidence={id: one.evidence for id, one in view.by_id.items()}),
    )
    return update(read_step(read.attempt), attempts=[read.attempt])


def gate(state: AnswerState, components: Components) -> Update:
    """Adopt the most certain answer so far, retrieve again, or abstain."""
    view = StateView(state)
    decision = decide(
        components.gate,
        view.attempts,
        unread=bool(_source(view, components).unread(view.attempts)),
        spent=spent(view.steps),
        expected=next((step.cost for step in reversed(view.steps) if step.name == "answer"), Cost()),
    )
    return update(gate_step(decision, view.attempts), decision=decision)


def after_gate(state: AnswerState) -> str:
    """Return the name of the next node."""
    return "retrieve_again" if state["decision"]["outcome"] == "retrieve" else "update_facts"


def retrieve_again(state: AnswerState, components: Components) -> Flow[Update]:
    """Choose other evidence, ranked again with the answer (GrowOVER, equation 3)."""
    view = StateView(state)
    source = _source(view, components)
    shown = yield from source.choose(view.question, attempts=view.attempts)
    unread, told = len(source.unread(view.attempts)), standing(view.attempts).reading.answer
    step = Step(
        name="retrieve_again",
        summary=f"chose {len(shown)} of {unread} unread pieces, given '{told}'",
        details={"shown": [one.evidence.id for one in shown]},
    )
    return update(step, shown=shown)


def _source(view: StateView, components: Components) -> RankedSource:
    return RankedSource(view.ranked, components.k, components.candidates, components.reranker)
