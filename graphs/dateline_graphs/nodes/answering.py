"""The nodes that answer: reading, the gate, and retrieving again."""

from __future__ import annotations

from collections.abc import Sequence

from dateline import Certainty, Cost, Evidence, Question, RankedEvidence, Step
from dateline.certainty import most_reliable
from dateline.certainty.per_document import aread_each, read_each
from dateline.protocols import ReadResult
from dateline_graphs.nodes.attempts import Attempt, Update, dump
from dateline_graphs.parts import Parts
from dateline_graphs.state import AnswerState


def answer(state: AnswerState, parts: Parts) -> Update:
    """Read the shown evidence, and estimate how certain the answer is."""
    question, shown, choices = _reading_task(state)
    if parts.alone:
        best = read_each(parts.reader, question, evidence=shown, estimator=parts.estimator, choices=choices)
        return _answered(best.result, certainty=best.certainty, shown=shown)
    result = parts.reader.read(question, evidence=shown, choices=choices)
    certainty = parts.estimator.estimate(question, evidence=shown, reading=result.reading)
    return _answered(result, certainty=certainty, shown=shown)


async def aanswer(state: AnswerState, parts: Parts) -> Update:
    """The same, without blocking."""
    question, shown, choices = _reading_task(state)
    if parts.alone:
        best = await aread_each(parts.reader, question, evidence=shown, estimator=parts.estimator, choices=choices)
        return _answered(best.result, certainty=best.certainty, shown=shown)
    result = await parts.reader.aread(question, evidence=shown, choices=choices)
    certainty = await parts.estimator.aestimate(question, evidence=shown, reading=result.reading)
    return _answered(result, certainty=certainty, shown=shown)


def _reading_task(state: AnswerState) -> tuple[Question, list[Evidence], list[str]]:
    shown = [RankedEvidence.model_validate(item).evidence for item in state.get("shown", [])]
    return Question.from_json(state["parsed"]), shown, list(state.get("choices") or ())


def _answered(result: ReadResult, *, certainty: Certainty, shown: Sequence[Evidence]) -> Update:
    reading = result.reading
    attempt = Attempt(reading=reading, certainty=certainty, shown=tuple(piece.id for piece in shown))
    said = f"'{reading.answer}'" if reading.answer else "no answer"
    step = Step(
        name="answer",
        summary=f"read {len(shown)} pieces: {said}, {certainty.label} ({certainty.reliable:.2f})",
        details={"answer": reading.answer, "certainty": dump(certainty)},
        cost=result.cost,
    )
    return {"attempts": [dump(attempt)], "steps": [dump(step)]}


def gate(state: AnswerState, parts: Parts) -> Update:
    """Adopt the most certain answer so far, retrieve again, or abstain (GrowOVER, section 4.2)."""
    attempts = [Attempt.model_validate(item) for item in state["attempts"]]
    best = most_reliable([attempt.certainty for attempt in attempts])
    rounds = len(attempts) - 1
    # Where nothing is left unread, this round is the last one allowed.
    rule = parts.gate if _unread(state) else parts.gate.model_copy(update={"rounds": rounds})
    done = [Step.model_validate(item) for item in state["steps"]]
    spent = sum((step.cost for step in done), Cost())
    last = next((step.cost for step in reversed(done) if step.name == "answer"), Cost())
    verdict = rule.decide(attempts[best].certainty, round=rounds, spent=spent, expected=last)
    action = "re-retrieve" if verdict.outcome == "retrieve" else verdict.outcome
    step = Step(
        name="gate",
        summary=f"{action}: {verdict.reason}",
        details={"attempt": best, "answer": attempts[best].reading.answer},
    )
    return {"decision": {"action": action, "reason": verdict.reason, "attempt": best}, "steps": [dump(step)]}


def after_gate(state: AnswerState) -> str:
    """The name of the next node."""
    return "retrieve_again" if state["decision"]["action"] == "re-retrieve" else "update_facts"


def retrieve_again(state: AnswerState, parts: Parts) -> Update:
    """Choose other evidence by the adapted score, what was read before left out (GrowOVER, equation 3)."""
    attempts = [Attempt.model_validate(item) for item in state["attempts"]]
    standing, unread = attempts[state["decision"]["attempt"]], _unread(state)
    readings = [attempt.reading for attempt in attempts]
    shown = parts.retrieve_again(unread, readings=readings, reliable=standing.certainty.reliable)
    step = Step(
        name="retrieve_again",
        summary=f"chose {len(shown)} of {len(unread)} unread pieces, given '{standing.reading.answer}'",
        details={"shown": [r.evidence.id for r in shown]},
    )
    return {"shown": [dump(r) for r in shown], "steps": [dump(step)]}


def _unread(state: AnswerState) -> list[RankedEvidence]:
    read = {id for attempt in state["attempts"] for id in attempt["shown"]}
    return [RankedEvidence.model_validate(r) for r in state["ranked"] if r["evidence"]["id"] not in read]
