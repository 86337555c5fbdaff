"""Tools over passages: answer, search and audit as of a date."""

from __future__ import annotations

from typing import Any

from dateline.audit.auditor import shared_auditor
from dateline.audit.result import Audit, AuditedPassage
from dateline.documents import evidence_of_all
from dateline.evidence.knowledge import visible
from dateline.evidence.sanitize import inert
from dateline.facts import FactSearch
from dateline.flow import Flow, call, call_in_thread
from dateline.protocols import Search
from dateline.records import Evidence
from dateline.temporal.constraint import Question
from dateline.tools.arguments import DatedQuery, DatedQuestion, PassagesToAudit
from dateline.tools.telling import date_of, evidence_line
from dateline.tools.tool import Toolbox, ToolResult

MORE = 20
"""Further passages that are found and then ranked by their fit to the time (GrowOVER: 20)."""
AUDITED = 10
"""Passages of a library that are audited, as by `dateline audit`."""


def ask(toolbox: Toolbox, asked: DatedQuestion) -> Flow[ToolResult]:
    """Answer a question as of a day."""
    assert toolbox.answerer is not None
    return (yield from call(toolbox.answerer.answer, asked.question, as_of=asked.as_of))


def search(toolbox: Toolbox, asked: DatedQuery) -> Flow[ToolResult]:
    """Find passages, or facts, nearest to a query."""
    question = toolbox.asked(asked.query, as_of=asked.as_of)
    found = yield from _found(toolbox, question, asked.k)
    lines = [evidence_line(number, piece) for number, piece in enumerate(found, start=1)]
    day = question.as_of.date().isoformat()
    nothing = f"Nothing is found that was published by {day}."
    return ToolResult(
        text="\n".join([f"as of: {day}", *(lines or [nothing])]),
        data={"as_of": question.as_of.isoformat(), "results": [_json(piece) for piece in found]},
    )


def audit(toolbox: Toolbox, asked: PassagesToAudit) -> Flow[ToolResult]:
    """Tell which passages are out of date for a question."""
    question = toolbox.asked(asked.question, as_of=asked.as_of)
    given = [each if isinstance(each, str) else each.model_dump() for each in asked.passages]
    if given or not toolbox.has("search", "facts"):
        pieces = evidence_of_all(given, channel=toolbox.channel)
    else:
        pieces = yield from _found(toolbox, question, AUDITED)
    auditor = toolbox.auditor or (yield from call_in_thread(shared_auditor))
    found = yield from call(auditor.audit, question, evidence=pieces)
    return ToolResult(text=_told(found), data=_audit_json(found))


def _found(toolbox: Toolbox, question: Question, k: int) -> Flow[list[Evidence]]:
    """Find what was known then, ranked where something ranks."""
    source: Search
    if toolbox.search is not None:
        source = toolbox.search
    else:
        assert toolbox.facts is not None
        source = FactSearch(toolbox.facts.store)
    ranker = toolbox.ranker if toolbox.search is not None else None
    wanted = k if ranker is None else k + MORE
    window = question.effective_constraint().window()
    found = yield from call(source.search, question.content, as_of=question.as_of, k=wanted, window=window)
    # A search of one's own may bring what was published later.
    known = list(visible(found.evidence, as_of=question.as_of))
    if ranker is None or not known:
        return known[:k]
    ranked = yield from call(ranker.rank, question, evidence=known, k=k)
    return [one.evidence for one in ranked]


def _told(found: Audit) -> str:
    lines = [found.summary()]
    for each in found.passages:
        reasons = "; ".join(inert(reason.why) for reason in each.reasons)
        lines.append(f"{evidence_line(each.place + 1, each.evidence)} | {_status(each)}{reasons and ': '}{reasons}")
    return "\n".join(lines)


def _audit_json(found: Audit) -> dict[str, Any]:
    told = found.metadata()
    passages = zip(told["passages"], found.passages, strict=True)
    return {**told, "passages": [{**one, "text": each.evidence.text} for one, each in passages]}


def _status(passage: AuditedPassage) -> str:
    return passage.status.replace("_", " ")


def _json(piece: Evidence) -> dict[str, Any]:
    shown = piece.model_dump(mode="json", include={"id", "text", "title", "source", "url", "channel", "kind"})
    return {**shown, "published": date_of(piece), "dated_by": piece.dated_by}
