"""The node that writes the report."""

from __future__ import annotations

from dateline import Cost, Question, RankedEvidence, Step
from dateline.evidence.claims import claims_of
from dateline_graphs.nodes.attempts import Attempt, Update, dump, pieces_used, shown_in, used_ids
from dateline_graphs.parts import Parts
from dateline_graphs.report import (
    AnswerReport,
    AskedQuestion,
    ReportDecision,
    TakenForGranted,
    freshness_of,
    oldest_first,
    source_of,
)
from dateline_graphs.state import AnswerState


def finish(state: AnswerState, parts: Parts) -> Update:
    """Write the report."""
    question = Question.from_json(state["parsed"])
    attempts = [Attempt.model_validate(item) for item in state["attempts"]]
    decision = state["decision"]
    chosen = attempts[decision["attempt"]]
    steps = tuple(Step.model_validate(item) for item in state["steps"])
    used = used_ids(state)
    shown = oldest_first(shown_in(state))
    withheld = decision["action"] == "abstain"
    read = {piece.evidence.id for piece in shown}
    ranked = [RankedEvidence.model_validate(item) for item in state.get("ranked", [])]
    given = "" if withheld else chosen.reading.answer
    report = AnswerReport(
        asked=AskedQuestion(
            question=question.text,
            as_of=question.as_of.isoformat(),
            content=question.content,
            constraint=question.constraint,
            parts=question.parts,
            said=(state.get("rewritten") or {}).get("said", ""),
        ),
        answer=given,
        choice=None if withheld else chosen.reading.choice,
        claims=claims_of(given, used=pieces_used(state)),
        premises=tuple(TakenForGranted.model_validate(item) for item in state.get("premises", [])),
        certainty=chosen.certainty,
        label=chosen.certainty.label,
        decision=ReportDecision(action=decision["action"], reason=decision["reason"], rounds=len(attempts)),
        evidence=tuple(source_of(r, used=r.evidence.id in used) for r in shown),
        unread=tuple(source_of(r, used=False) for r in ranked if r.evidence.id not in read),
        freshness=freshness_of([r.evidence for r in shown if r.evidence.id in used], as_of=question.as_of),
        facts=state.get("facts", {}),
        cost=sum((step.cost for step in steps), Cost()),
        problems=_problems(state),
        steps=steps,
    )
    return {"report": dump(report)}


def _problems(state: AnswerState) -> tuple[str, ...]:
    failed = [found["failed"] for found in state.get("found", []) if "failed" in found]
    false = [
        f"The question takes for granted that: {premise['text']} The evidence says: {premise['sentence']}"
        for premise in state.get("premises", [])
        if premise["standing"] == "fails"
    ]
    return (*failed, *false)
