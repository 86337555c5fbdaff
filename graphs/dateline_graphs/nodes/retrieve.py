"""The nodes that find evidence: search, what it found as one pool, the next hop, the ranking, the premises."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict

from dateline import Cost, Evidence, Question, RankedEvidence, SearchFailed, Step
from dateline.evidence import check_premises, prepare
from dateline.protocols import SearchResult
from dateline.temporal import decomposition as rules
from dateline_graphs.nodes.attempts import Update, dump
from dateline_graphs.nodes.question import REFERENCE
from dateline_graphs.parts import Parts
from dateline_graphs.report import TakenForGranted
from dateline_graphs.state import AnswerState, Json, SearchTask


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
    return {"found": [{"query": query, **dump(result)}], "steps": [dump(step)]}


def _search_failed(query: str, failure: SearchFailed) -> Update:
    step = Step(name="search", summary=f"'{query}' failed: {failure}", details={"query": query}, cost=Cost(searches=1))
    return {"found": [{"query": query, "failed": str(failure)}], "steps": [dump(step)]}


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
    return {"pool": [dump(piece) for piece in pool], "steps": [dump(step)]}


def after_evidence(state: AnswerState) -> str:
    """The name of the next node: `hop` while a sub-question waits for the answer of an earlier one."""
    hops = state.get("hops", [])
    waiting = any(not hop["query"] for hop in hops)
    return "hop" if waiting and any(hop["query"] and not hop["tried"] for hop in hops) else "rerank"


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
    return {"hops": hops, "queries": queries, "steps": [dump(step)]}


def _filled(part: str, answered: Sequence[Json]) -> str:
    """The sub-question with the answers it refers to; empty while one of them is missing."""
    numbers = [int(number) for number in REFERENCE.findall(part)]
    if any(not (1 <= number <= len(answered) and answered[number - 1]["answer"]) for number in numbers):
        return ""
    return REFERENCE.sub(lambda match: str(answered[int(match[1]) - 1]["answer"]), part)


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
    dumped = [dump(r) for r in ranked]
    return {"ranked": dumped, "shown": dumped[: parts.k], "steps": [dump(step)]}


def premises(state: AnswerState, parts: Parts) -> Update:
    """Hold what the question takes for granted against the ranked evidence (FreshLLMs, section 4.1)."""
    if parts.judge is None:
        return {"premises": [], "steps": [dump(Step(name="premises", summary="not asked to check premises"))]}
    pool = [RankedEvidence.model_validate(item).evidence for item in state.get("ranked", [])]
    found = check_premises(Question.from_json(state["parsed"]), evidence=pool, judge=parts.judge)
    checked = [TakenForGranted.model_validate(asdict(premise)) for premise in found]
    summary = "; ".join(f"'{premise.text}' {premise.standing}" for premise in checked)
    step = Step(name="premises", summary=summary or "the question takes nothing for granted that can be told")
    return {"premises": [dump(premise) for premise in checked], "steps": [dump(step)]}


def _label(piece: Evidence) -> str:
    return piece.title or piece.source or piece.id
