"""The Self-MRAG graph: passages checked and read alone, then together.

prepare -> check (one for each passage) -> select -> read (one for each relevant passage) -> combine
"""

from __future__ import annotations

import operator
import time
from typing import Annotated, Any

from langgraph.graph import END, START, StateGraph
from langgraph.types import Overwrite, Send
from pydantic import Field
from typing_extensions import TypedDict

from dateline import Cost, Evidence, Question, Reading, Step
from dateline.flow import Flow
from dateline.reading import local_reader
from dateline.reading.strategies import ChatStages, LocalStages, Relevance, SelfMrag, Summary
from dateline.reading.strategies.self_mrag import relevant, traced
from dateline.temporal import decompose
from dateline.temporal.as_of import Clock, now
from dateline_graphs.entry import CheckedGraph
from dateline_graphs.json_forms import json_form
from dateline_graphs.kit import Entrance, TimedPart, Update, dump, edge, made_once, timed_nodes, update
from dateline_graphs.models import chat_model
from dateline_graphs.options import SelfMragOptions
from dateline_graphs.passages import Passages, label_of, read_passages
from dateline_graphs.policies import NodePolicies, Retries
from dateline_graphs.state import Json, QuestionInput, asked


class SelfMragInput(QuestionInput, total=False):
    """The input of a run; only the question must be there."""

    evidence: Annotated[Passages, Field(description="The passages, best first.")]
    choices: Annotated[list[str], Field(description="Where given, the answer is one of these.")]


class SelfMragOutput(TypedDict, total=False):
    """The output of a run, in JSON."""

    # dateline.reading.strategies.Relevance and Summary, dateline.Step
    relevance: Annotated[list[Json], Field(description="Of each passage: whether it holds an answer."), operator.add]
    summaries: Annotated[list[Json], Field(description="Of each relevant passage: what it says."), operator.add]
    reading: Annotated[Json, json_form(Reading, told="The answer, its candidates and the passages it stands on.")]
    steps: Annotated[list[Json], Field(description="Every step, with its cost."), operator.add]


class SelfMragState(SelfMragInput, SelfMragOutput, total=False):
    """Everything in between."""

    parsed: Json  # prepare: dateline.Question
    pieces: list[Json]  # prepare: dateline.Evidence, known on the asking day, the best first


class PassageTask(TypedDict):
    """The task of one parallel check or reading."""

    parsed: Json
    piece: Json
    choices: list[str]
    found: Json  # read: what the check said of the piece


def self_mrag_graph(
    reader: SelfMrag | None = None,
    *,
    clock: Clock = now,
    entrance: Entrance[Any, SelfMrag] | None = None,
    retry_policy: Retries = None,
) -> StateGraph[SelfMragState, SelfMragOptions, SelfMragInput, SelfMragOutput]:
    """Build the graph, not yet compiled.

    Compiled, it may be a node of another graph with `question` and `evidence`.

    Args:
        reader: `None`: it is made from the options given at run time as `context=SelfMragOptions(...)`.
        clock: what "now" means where the asking date is left out.
        entrance: what a run may say in `context=`, and what is made of it. `None`: `SelfMragOptions`.
        retry_policy: of LangGraph's; a node that fails in its way is run again.
    """
    way = entrance or Entrance(SelfMragOptions, reader_of)
    node = timed_nodes(reader, way=way, clock=clock)
    graph = CheckedGraph(SelfMragState, way.options, input_schema=SelfMragInput, output_schema=SelfMragOutput)
    add = NodePolicies(retry_policy).adder(graph)
    add("prepare", node(prepare, begins=True))
    add("check", node(check), input_schema=PassageTask)
    add("select", node(select))
    add("read", node(read), input_schema=PassageTask)
    add("combine", node(combine))
    graph.add_edge(START, "prepare")
    graph.add_conditional_edges("prepare", edge(each_passage), ["check", "combine"])
    graph.add_edge("check", "select")
    graph.add_conditional_edges("select", edge(each_relevant), ["read", "combine"])
    graph.add_edge("read", "combine")
    graph.add_edge("combine", END)
    return graph


def prepare(state: SelfMragState, live: TimedPart[SelfMrag]) -> Update:
    """Decompose the question and keep the passages known then."""
    text, as_of = asked(state, clock=live.clock)
    question = decompose(text, as_of=as_of)
    given = read_passages(state.get("evidence"))
    pieces = live.part.pieces(question, evidence=given)
    step = Step(name="prepare", summary=f"{len(pieces)} of {len(given)} passages, as of {question.as_of.date()}")
    cleared = {"relevance": Overwrite([]), "summaries": Overwrite([]), "steps": Overwrite([dump(step)])}
    return {**update(parsed=question.to_json(), pieces=pieces), **cleared}


def each_passage(state: SelfMragState) -> list[Send] | str:
    """Send one check for each passage; without any, combine."""
    return [Send("check", _task(state, piece, found={})) for piece in state["pieces"]] or "combine"


def check(task: PassageTask, live: TimedPart[SelfMrag]) -> Flow[Update]:
    """Check if one passage, looked at alone, holds an answer."""
    piece = Evidence.model_validate(task["piece"])
    (found,) = yield from live.part.stages.check(_question(task), evidence=[piece], choices=task["choices"])
    verdict = "relevant" if found.relevant else "not relevant"
    summary = f"'{label_of(piece)}' is {verdict}: {found.problem or found.reason}"
    return update(Step(name="check", summary=summary, cost=found.cost), relevance=[found])


def select(state: SelfMragState, live: TimedPart[SelfMrag]) -> Update:
    """Keep the relevant passages."""
    pieces, found = _checks(state)
    kept, _ = relevant(pieces, found)
    step = Step(name="select", summary=f"{len(kept)} of {len(pieces)} passages are relevant")
    return update(step)


def each_relevant(state: SelfMragState) -> list[Send] | str:
    """Send one reading for each relevant passage; without any, combine."""
    kept, found = relevant(*_checks(state))
    tasks = [_task(state, dump(piece), found=dump(one)) for piece, one in zip(kept, found, strict=True)]
    return [Send("read", task) for task in tasks] or "combine"


def read(task: PassageTask, live: TimedPart[SelfMrag]) -> Flow[Update]:
    """Read one passage alone, with its dates."""
    piece, found = Evidence.model_validate(task["piece"]), Relevance.model_validate(task["found"])
    (summary,) = yield from live.part.stages.summarise(
        _question(task), evidence=[piece], relevance=[found], choices=task["choices"]
    )
    said = summary.text or summary.problem or "nothing"
    return update(
        Step(name="read", summary=f"'{label_of(piece)}' says: {said}", cost=summary.cost), summaries=[summary]
    )


def combine(state: SelfMragState, live: TimedPart[SelfMrag]) -> Flow[Update]:
    """Answer from the summaries; ask nothing where they are empty."""
    pieces, found, summaries = _all(state)
    result = yield from live.part.combine(
        Question.from_json(state["parsed"]),
        evidence=pieces,
        relevance=found,
        summaries=summaries,
        choices=state.get("choices") or [],
    )
    reading = traced(found, summaries, result, started=time.perf_counter()).reading
    step = Step(
        name="combine",
        summary=f"'{reading.answer}' from {len(summaries)} readings" if reading.answer else "no answer",
        details={"evidence_ids": list(reading.evidence_ids)},
        cost=Cost() if result is None else result.cost,
    )
    return update(step, reading=reading)


def _task(state: SelfMragState, piece: Json, *, found: Json) -> PassageTask:
    return {"parsed": state["parsed"], "piece": piece, "choices": list(state.get("choices") or []), "found": found}


def _question(task: PassageTask) -> Question:
    return Question.from_json(task["parsed"])


def _checks(state: SelfMragState) -> tuple[list[Evidence], list[Relevance]]:
    """Return the pieces beside their checks, in their order."""
    pieces = [Evidence.model_validate(item) for item in state["pieces"]]
    by_id = {item["evidence_id"]: Relevance.model_validate(item) for item in state.get("relevance", [])}
    return pieces, [by_id[piece.id] for piece in pieces]


def _all(state: SelfMragState) -> tuple[list[Evidence], list[Relevance], list[Summary]]:
    pieces, found = _checks(state)
    by_id = {item["evidence_id"]: Summary.model_validate(item) for item in state.get("summaries", [])}
    return pieces, found, [by_id[piece.id] for piece in pieces if piece.id in by_id]


@made_once(SelfMragOptions)
def reader_of(options: SelfMragOptions) -> SelfMrag:
    """Make the reader of the options, once for each set.

    Raises:
        BadInput: for an unknown model or a missing key.
    """
    if not options.model:
        return SelfMrag(LocalStages(local_reader()), passages=options.k)
    stages = ChatStages(chat_model(options.model), tries=options.tries, budget=options.token_budget)
    return SelfMrag(stages, passages=options.k)
