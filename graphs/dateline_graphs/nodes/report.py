"""The node that writes the report."""

from __future__ import annotations

from langchain_core.messages import AIMessage

from dateline.certainty.answer import answer_of
from dateline.evidence.claims import claims_of
from dateline_graphs.components import Components
from dateline_graphs.kit import Update, dump
from dateline_graphs.nodes.view import StateView
from dateline_graphs.report import AnswerReport, TakenForGranted, oldest_first, source_of
from dateline_graphs.state import AnswerState, waiting_chat


def finish(state: AnswerState, components: Components) -> Update:
    """Write the report."""
    view = StateView(state)
    answer = answer_of(
        view.question,
        attempts=view.attempts,
        decision=view.decision,
        evidence=[one.evidence for one in view.by_id.values()],
        steps=view.steps,
        problems=_problems(state),
        said=(state.get("rewritten") or {}).get("said", ""),
    )
    read = {one.evidence.id for one in view.read}
    report = AnswerReport(
        **dict(answer),
        claims=claims_of(answer.answer, used=view.used),
        premises=tuple(TakenForGranted.model_validate(item) for item in state.get("premises", [])),
        evidence=tuple(source_of(one, used=one.evidence in view.used) for one in oldest_first(view.read)),
        unread=tuple(source_of(one, used=False) for one in view.ranked if one.evidence.id not in read),
        facts=state.get("facts", {}),
    )
    spoken = {"messages": [_spoken(report)]} if waiting_chat(state) else {}
    return {"report": dump(report), **spoken}


def _spoken(report: AnswerReport) -> AIMessage:
    """Write a report as a chat's next message."""
    told = {"as_of": report.asked.as_of, "freshness": dump(report.freshness), "certainty": dump(report.certainty)}
    return AIMessage(report.spoken(), response_metadata=told)


def _problems(state: AnswerState) -> tuple[str, ...]:
    failed = [found["failed"] for found in state.get("found", []) if "failed" in found]
    false = [
        f"The question takes for granted that: {premise['text']} The evidence says: {premise['sentence']}"
        for premise in state.get("premises", [])
        if premise["standing"] == "fails"
    ]
    return (*failed, *false)
