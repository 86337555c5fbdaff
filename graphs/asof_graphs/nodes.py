"""The nodes of the answer graph: each a small function from (state, parts) to what it adds to the state.

Each is usable alone: give it a dict with the fields it reads and the parts it needs. Nodes that wait
for a search engine or a model have an asynchronous twin, named with a leading `a`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, get_args

from pydantic import Field

from asof import Certainty, Cost, Evidence, Question, RankedEvidence, Reading, SearchFailed, Step
from asof.certainty import most_reliable
from asof.certainty.alone import aread_each, read_each
from asof.evidence import check_premises, prepare
from asof.facts import Changes
from asof.facts.changes import ChangeKind
from asof.protocols import ReadResult, SearchResult
from asof.records import Record
from asof.temporal import decomposition as rules
from asof_graphs.approval import approve_edits
from asof_graphs.asking import REFERENCE
from asof_graphs.claims import claims_of
from asof_graphs.parts import Parts
from asof_graphs.report import AnswerReport, Asked, Decision, TakenForGranted, freshness_of, oldest_first, source_of
from asof_graphs.state import AnswerState, Json, SearchTask

Update = dict[str, Any]

CHANGE_KINDS: tuple[str, ...] = get_args(ChangeKind)


class Attempt(Record):
    """One reading of one selection of evidence."""

    reading: Reading
    certainty: Certainty
    shown: tuple[str, ...] = Field(description="Ids of the evidence the reader saw, best first.")


# -- search ---------------------------------------------------------------------------------------


def search(task: SearchTask, parts: Parts) -> Update:
    """Run one query. A search that fails is a finding too: the others go on."""
    question = Question.from_json(task["parsed"])
    try:
        result = parts.search.search(
            task["query"],
            as_of=question.as_of,
            k=parts.k + parts.candidates,
            window=question.effective_constraint().window(),
        )
    except SearchFailed as failure:
        return _search_failed(task["query"], failure)
    return _searched(task["query"], result)


async def asearch(task: SearchTask, parts: Parts) -> Update:
    """The same, without blocking."""
    question = Question.from_json(task["parsed"])
    try:
        result = await parts.search.asearch(
            task["query"],
            as_of=question.as_of,
            k=parts.k + parts.candidates,
            window=question.effective_constraint().window(),
        )
    except SearchFailed as failure:
        return _search_failed(task["query"], failure)
    return _searched(task["query"], result)


def _searched(query: str, result: SearchResult) -> Update:
    step = Step(
        name="search",
        summary=f"'{query}' found {len(result.evidence)} pieces",
        details={"query": query, "found": len(result.evidence), "skipped": list(result.skipped)},
        cost=result.cost,
    )
    return {"found": [{"query": query, **_dump(result)}], "steps": [_dump(step)]}


def _search_failed(query: str, failure: SearchFailed) -> Update:
    step = Step(name="search", summary=f"'{query}' failed: {failure}", details={"query": query}, cost=Cost(searches=1))
    return {"found": [{"query": query, "failed": str(failure)}], "steps": [_dump(step)]}


# -- evidence -------------------------------------------------------------------------------------


def evidence(state: AnswerState, parts: Parts) -> Update:
    """Bring what the searches found together: what was known then, once each, in order of time, not too many."""
    found = [Evidence.model_validate(item) for result in state.get("found", []) for item in result.get("evidence", ())]
    prepared = prepare(found, sizes=parts.sizes, as_of=Question.from_json(state["parsed"]).as_of)
    pool = prepared.evidence
    undated = sum(piece.published is None for piece in pool)
    step = Step(
        name="evidence",
        summary=f"kept {len(pool)} of {len(found)} pieces, {undated} of them undated",
        details={
            "found": len(found),
            "kept": len(pool),
            "undated": undated,
            "dropped": dict(Counter(reason for _, reason in prepared.dropped)),
        },
    )
    return {"pool": [_dump(piece) for piece in pool], "steps": [_dump(step)]}


def after_evidence(state: AnswerState) -> str:
    """The name of the next node: `hop` while a sub-question waits for the answer of an earlier one."""
    hops = state.get("hops", [])
    waiting = any(not hop["query"] for hop in hops)
    return "hop" if waiting and any(hop["query"] and not hop["tried"] for hop in hops) else "rerank"


# -- hop ------------------------------------------------------------------------------------------


def hop(state: AnswerState, parts: Parts) -> Update:
    """Answer the sub-questions that were searched for, and fill their answers into those that wait for them."""
    pool = [Evidence.model_validate(item) for item in state.get("pool", [])]
    as_of = Question.from_json(state["parsed"]).as_of
    answered: list[Json] = []
    cost = Cost()
    for one in state["hops"]:
        if one["query"] and not one["tried"]:
            question = rules.decompose(one["query"], as_of=as_of)
            best = parts.ranker.rank(question, evidence=pool, k=parts.k) if pool else []
            result = parts.reader.read(question, evidence=[ranked.evidence for ranked in best])
            cost += result.cost
            one = {**one, "answer": result.reading.answer, "tried": True}
        answered.append(one)
    hops = [one if one["query"] else {**one, "query": _filled(one["part"], answered)} for one in answered]
    queries = [new["query"] for old, new in zip(answered, hops, strict=True) if new["query"] and not old["query"]]
    told = "; ".join(f"'{one['query']}' -> '{one['answer'] or 'no answer'}'" for one in hops if one["tried"])
    step = Step(name="hop", summary=told, details={"queries": queries}, cost=cost)
    return {"hops": hops, "queries": queries, "steps": [_dump(step)]}


def _filled(part: str, answered: Sequence[Json]) -> str:
    """The sub-question with the answers it refers to; empty while one of them is missing."""
    numbers = [int(number) for number in REFERENCE.findall(part)]
    if any(not (1 <= number <= len(answered) and answered[number - 1]["answer"]) for number in numbers):
        return ""
    return REFERENCE.sub(lambda match: str(answered[int(match[1]) - 1]["answer"]), part)


# -- rerank ---------------------------------------------------------------------------------------


def rerank(state: AnswerState, parts: Parts) -> Update:
    """Order the pool by semantic x temporal score and choose what the reader sees first."""
    pool = [Evidence.model_validate(item) for item in state.get("pool", [])]
    question = Question.from_json(state["parsed"])
    ranked = parts.ranker.rank(question, evidence=pool, k=len(pool)) if pool else []
    best = ranked[0] if ranked else None
    step = Step(
        name="rerank",
        summary=f"'{_label(best.evidence)}' ranks first of {len(ranked)}" if best else "nothing to rank",
        details={"order": [{"id": r.evidence.id, "score": round(r.score, 4)} for r in ranked[: parts.k]]},
    )
    dumped = [_dump(r) for r in ranked]
    return {"ranked": dumped, "shown": dumped[: parts.k], "steps": [_dump(step)]}


# -- premises -------------------------------------------------------------------------------------


def premises(state: AnswerState, parts: Parts) -> Update:
    """Hold what the question takes for granted against the ranked evidence (FreshLLMs, section 4.1)."""
    if parts.judge is None:
        return {"premises": [], "steps": [_dump(Step(name="premises", summary="not asked to check premises"))]}
    pool = [RankedEvidence.model_validate(item).evidence for item in state.get("ranked", [])]
    found = check_premises(Question.from_json(state["parsed"]), evidence=pool, judge=parts.judge)
    checked = [TakenForGranted.model_validate(asdict(premise)) for premise in found]
    summary = "; ".join(f"'{premise.text}' {premise.standing}" for premise in checked)
    step = Step(name="premises", summary=summary or "the question takes nothing for granted that can be told")
    return {"premises": [_dump(premise) for premise in checked], "steps": [_dump(step)]}


# -- answer ---------------------------------------------------------------------------------------


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
        details={"answer": reading.answer, "certainty": _dump(certainty)},
        cost=result.cost,
    )
    return {"attempts": [_dump(attempt)], "steps": [_dump(step)]}


# -- gate -----------------------------------------------------------------------------------------


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
    return {"decision": {"action": action, "reason": verdict.reason, "attempt": best}, "steps": [_dump(step)]}


def after_gate(state: AnswerState) -> str:
    """The name of the next node."""
    return "retrieve_again" if state["decision"]["action"] == "re-retrieve" else "update_facts"


def retrieve_again(state: AnswerState, parts: Parts) -> Update:
    """Choose other evidence by the adapted score, what was read before left out (GrowOVER, equation 3)."""
    attempts = [Attempt.model_validate(item) for item in state["attempts"]]
    last, unread = attempts[-1], _unread(state)
    readings = [attempt.reading for attempt in attempts]
    shown = parts.retrieve_again(unread, readings=readings, reliable=last.certainty.reliable)
    step = Step(
        name="retrieve_again",
        summary=f"chose {len(shown)} of {len(unread)} unread pieces, given '{last.reading.answer}'",
        details={"shown": [r.evidence.id for r in shown]},
    )
    return {"shown": [_dump(r) for r in shown], "steps": [_dump(step)]}


def _unread(state: AnswerState) -> list[RankedEvidence]:
    read = {id for attempt in state["attempts"] for id in attempt["shown"]}
    return [RankedEvidence.model_validate(r) for r in state["ranked"] if r["evidence"]["id"] not in read]


# -- update facts ---------------------------------------------------------------------------------


def update_facts(state: AnswerState, parts: Parts) -> Update:
    """Let the fact store learn from the evidence behind an adopted answer."""
    if parts.updater is None or state["decision"]["action"] != "adopt":
        return _nothing_learnt(parts)
    return _learnt(parts.updater.update(_pieces_used(state), known_at=_asked_at(state)))


async def aupdate_facts(state: AnswerState, parts: Parts) -> Update:
    """The same, without blocking."""
    if parts.updater is None or state["decision"]["action"] != "adopt":
        return _nothing_learnt(parts)
    return _learnt(await parts.updater.aupdate(_pieces_used(state), known_at=_asked_at(state)))


def after_update(state: AnswerState) -> str:
    """The name of the next node: `approve_facts` where edits wait for a person."""
    return "approve_facts" if state.get("held") else "finish"


def approve_facts(state: AnswerState, parts: Parts) -> Update:
    """Stop until a person has decided about the edits that wait for one."""
    assert parts.updater is not None
    changes = approve_edits(parts.updater.desk, state["held"], known_at=_asked_at(state))
    update = _learnt(changes, name="approve_facts")
    facts = state.get("facts", {})
    together = {kind: [*facts.get(kind, ()), *update["facts"][kind]] for kind in CHANGE_KINDS}
    return {**update, "facts": together, "held": []}


def _nothing_learnt(parts: Parts) -> Update:
    why = "no fact store is kept" if parts.updater is None else "the answer was not adopted"
    return {"facts": {}, "held": [], "steps": [_dump(Step(name="update_facts", summary=why))]}


def _learnt(learnt: Sequence[Changes], *, name: str = "update_facts") -> Update:
    changes = [change for document in learnt for change in document.changes]
    waiting = [one for document in learnt for one in document.waiting]
    facts: Json = {kind: [_dump(change) for change in changes if change.kind == kind] for kind in CHANGE_KINDS}
    counts = [f"{len(facts[kind])} {kind.replace('_', ' ')}" for kind in CHANGE_KINDS if facts[kind]]
    summary = ", ".join([*counts, *([f"{len(waiting)} waiting"] if waiting else [])])
    step = Step(
        name=name,
        summary=summary or "nothing changed",
        details={
            "skipped": [reason for document in learnt for reason in document.skipped],
            "notes": [note for document in learnt for note in document.notes],
            "waiting": [one.readable() for one in waiting],
        },
        cost=sum((document.cost for document in learnt), Cost()),
    )
    return {
        "facts": facts,
        "held": [one.id for one in waiting if one.waits_for == "person"],
        "steps": [_dump(step)],
    }


def _pieces_used(state: AnswerState) -> list[Evidence]:
    used = _used_ids(state)
    return [ranked.evidence for ranked in _shown_in(state) if ranked.evidence.id in used]


def _asked_at(state: AnswerState) -> datetime:
    return Question.from_json(state["parsed"]).as_of


# -- finish ---------------------------------------------------------------------------------------


def finish(state: AnswerState, parts: Parts) -> Update:
    """Write the report."""
    question = Question.from_json(state["parsed"])
    attempts = [Attempt.model_validate(item) for item in state["attempts"]]
    decision = state["decision"]
    chosen = attempts[decision["attempt"]]
    steps = tuple(Step.model_validate(item) for item in state["steps"])
    used = _used_ids(state)
    shown = oldest_first(_shown_in(state))
    withheld = decision["action"] == "abstain"
    read = {piece.evidence.id for piece in shown}
    ranked = [RankedEvidence.model_validate(item) for item in state.get("ranked", [])]
    given = "" if withheld else chosen.reading.answer
    report = AnswerReport(
        asked=Asked(
            question=question.text,
            as_of=question.as_of.isoformat(),
            content=question.content,
            constraint=question.constraint,
            parts=question.parts,
            said=(state.get("rewritten") or {}).get("said", ""),
        ),
        answer=given,
        choice=None if withheld else chosen.reading.choice,
        claims=claims_of(given, used=_pieces_used(state)),
        premises=tuple(TakenForGranted.model_validate(item) for item in state.get("premises", [])),
        certainty=chosen.certainty,
        label=chosen.certainty.label,
        decision=Decision(action=decision["action"], reason=decision["reason"], rounds=len(attempts)),
        evidence=tuple(source_of(r, used=r.evidence.id in used) for r in shown),
        unread=tuple(source_of(r, used=False) for r in ranked if r.evidence.id not in read),
        freshness=freshness_of([r.evidence for r in shown if r.evidence.id in used], as_of=question.as_of),
        facts=state.get("facts", {}),
        cost=sum((step.cost for step in steps), Cost()),
        problems=_problems(state),
        steps=steps,
    )
    return {"report": _dump(report)}


def _problems(state: AnswerState) -> tuple[str, ...]:
    failed = [found["failed"] for found in state.get("found", []) if "failed" in found]
    false = [
        f"The question takes for granted that: {premise['text']} The evidence says: {premise['sentence']}"
        for premise in state.get("premises", [])
        if premise["standing"] == "fails"
    ]
    return (*failed, *false)


def _shown_in(state: AnswerState) -> list[RankedEvidence]:
    """The evidence of the chosen attempt, best first."""
    ids = state["attempts"][state["decision"]["attempt"]]["shown"]
    by_id = {item["evidence"]["id"]: item for item in [*state.get("ranked", []), *state.get("shown", [])]}
    return [RankedEvidence.model_validate(by_id[id]) for id in ids]


def _used_ids(state: AnswerState) -> frozenset[str]:
    """The evidence that the chosen answer stands on."""
    reading = state["attempts"][state["decision"]["attempt"]]["reading"]
    return frozenset(reading["evidence_ids"])


def _label(piece: Evidence) -> str:
    return piece.title or piece.source or piece.id


def _dump(record: Record) -> Json:
    return record.model_dump(mode="json")


__all__ = [
    "Attempt",
    "aanswer",
    "after_evidence",
    "after_gate",
    "after_update",
    "answer",
    "approve_facts",
    "asearch",
    "aupdate_facts",
    "evidence",
    "finish",
    "gate",
    "hop",
    "premises",
    "rerank",
    "retrieve_again",
    "search",
    "update_facts",
]
