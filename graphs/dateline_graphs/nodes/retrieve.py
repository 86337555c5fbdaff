"""The nodes that find evidence: search, pool, hop, rerank, premises."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict

from dateline import Cost, Evidence, RankedEvidence, SearchFailed, Step
from dateline.evidence import check_premises, prepare
from dateline.flow import Flow, call, together
from dateline_graphs.components import Components
from dateline_graphs.kit import Update, dump, update
from dateline_graphs.nodes.question import REFERENCE
from dateline_graphs.nodes.view import StateView
from dateline_graphs.passages import label_of
from dateline_graphs.report import TakenForGranted
from dateline_graphs.state import AnswerState, Json, SearchTask
from dateline_graphs.validated import VALIDATED


def search(
    task: SearchTask, components: Components, *, heard: Callable[[SearchTask, SearchFailed], None] | None = None
) -> Flow[Update]:
    """Run one query; one that fails does not stop the others.

    Args:
        heard: is told of a failure first, and raises it where the query is to be run again.
    """
    question, query = StateView(task).question, task["query"]
    try:
        result = yield from call(
            components.search.search,
            query,
            as_of=question.as_of,
            k=components.k + components.candidates,
            window=question.effective_constraint().window(),
        )
    except SearchFailed as failure:
        if heard is not None:
            heard(task, failure)
        step = Step(
            name="search", summary=f"'{query}' failed: {failure}", details={"query": query}, cost=Cost(searches=1)
        )
        return update(step, found=[{"query": query, "failed": str(failure)}])
    step = Step(
        name="search",
        summary=f"'{query}' found {len(result.evidence)} pieces",
        details={"query": query, "found": len(result.evidence), "skipped": list(result.skipped)},
        cost=result.cost,
    )
    written = dump(result)
    for piece, item in zip(result.evidence, written["evidence"], strict=True):
        VALIDATED.add(piece, item)
    return update(step, found=[{"query": query, **written}])


def evidence(state: AnswerState, components: Components) -> Update:
    """Pool what the searches found and was known then, in order."""
    found = [VALIDATED.read(Evidence, item) for result in state.get("found", []) for item in result.get("evidence", ())]
    prepared = prepare(found, sizes=components.sizes, as_of=StateView(state).question.as_of)
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
    return update(step, pool=pool)


def after_evidence(state: AnswerState) -> str:
    """Return the next node: `hop` while a sub-question waits."""
    hops = state.get("hops", [])
    waiting = any(not hop["query"] for hop in hops)
    return "hop" if waiting and any(hop["query"] and not hop["tried"] for hop in hops) else "rerank"


def hop(state: AnswerState, components: Components) -> Flow[Update]:
    """Answer sub-questions, and fill their answers into those that wait."""
    view = StateView(state)
    results = yield from together(_hop(one, view, components) for one in state["hops"])
    answered, cost = [one for one, _ in results], sum((cost for _, cost in results), Cost())
    hops = [one if one["query"] else {**one, "query": _filled(one["part"], answered)} for one in answered]
    queries = [new["query"] for old, new in zip(answered, hops, strict=True) if new["query"] and not old["query"]]
    told = "; ".join(f"'{one['query']}' -> '{one['answer'] or 'no answer'}'" for one in hops if one["tried"])
    step = Step(name="hop", summary=told, details={"queries": queries}, cost=cost)
    return update(step, hops=hops, queries=queries)


def _hop(one: Json, view: StateView, components: Components) -> Flow[tuple[Json, Cost]]:
    """Answer one sub-question that was searched for and not tried."""
    if one["tried"] or not one["query"]:
        return one, Cost()
    taken = yield from call(components.decomposer.decompose, one["query"], as_of=view.question.as_of)
    best: list[RankedEvidence] = []
    if view.pool:
        best = yield from call(components.ranker.rank, taken.question, evidence=view.pool, k=components.k)
    shown = [ranked.evidence for ranked in best]
    result = yield from call(components.reader.read, taken.question, evidence=shown)
    return {**one, "answer": result.reading.answer, "tried": True}, taken.cost + result.cost


def _filled(part: str, answered: Sequence[Json]) -> str:
    """Return a sub-question with its answers filled in, or nothing."""
    numbers = [int(number) for number in REFERENCE.findall(part)]
    if any(not (1 <= number <= len(answered) and answered[number - 1]["answer"]) for number in numbers):
        return ""
    return REFERENCE.sub(lambda match: str(answered[int(match[1]) - 1]["answer"]), part)


def rerank(state: AnswerState, components: Components) -> Update:
    """Rank the pool and choose what the reader sees first."""
    view = StateView(state)
    ranked = components.ranker.rank(view.question, evidence=view.pool, k=len(view.pool)) if view.pool else []
    best = ranked[0] if ranked else None
    step = Step(
        name="rerank",
        summary=f"'{label_of(best.evidence)}' ranks first of {len(ranked)}" if best else "nothing to rank",
        details={"order": [{"id": r.evidence.id, "score": round(r.score, 4)} for r in ranked[: components.k]]},
    )
    return update(step, ranked=ranked, shown=ranked[: components.k])


def premises(state: AnswerState, components: Components) -> Update:
    """Check the question's premises against the evidence (FreshLLMs, section 4.1)."""
    if components.judge is None:
        return update(Step(name="premises", summary="not asked to check premises"), premises=[])
    view = StateView(state)
    found = check_premises(view.question, evidence=[one.evidence for one in view.ranked], judge=components.judge)
    checked = [TakenForGranted.model_validate(asdict(premise)) for premise in found]
    summary = "; ".join(f"'{premise.text}' {premise.standing}" for premise in checked)
    step = Step(name="premises", summary=summary or "the question takes nothing for granted that can be told")
    return update(step, premises=checked)
