"""Generate graph: an answer that retrieves while it is written (DRAGIN).

prepare -> generate

and `answer_by_generating`, which writes the answer of the answer graph in this way.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Annotated, Any

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import get_runtime
from pydantic import Field
from typing_extensions import TypedDict

from dateline import Cost, Evidence, Question, RankedEvidence, Reading, Step
from dateline.certainty import Attempt
from dateline.dynamic import AnyOf, Generation, RetrievingGenerator
from dateline.dynamic.settled_text import SettledText
from dateline.dynamic.triggers import Once
from dateline.dynamic.values import EndEvent, Event, RetrievalEvent
from dateline.flow import Flow, call
from dateline.protocols import Search, SearchResult
from dateline.temporal import decompose
from dateline.temporal.as_of import Clock, now
from dateline.temporal.interval import Interval
from dateline_graphs.components import Components
from dateline_graphs.entry import CheckedGraph
from dateline_graphs.generate_options import GenerateOptions, generator_for
from dateline_graphs.json_forms import json_form
from dateline_graphs.kit import Entrance, Node, TimedPart, Update, timed_nodes, update
from dateline_graphs.nodes.view import StateView
from dateline_graphs.policies import NodePolicies, Retries
from dateline_graphs.state import AnswerState, Json, QuestionInput, asked


class GenerateInput(QuestionInput, total=False):
    """Input of a run; only the question is required."""


class GenerateOutput(TypedDict, total=False):
    """Output of a run."""

    text: Annotated[str, Field(description="The answer.")]
    generation: Annotated[Json, json_form(Generation, told="Its tokens, retrievals and cost.")]
    steps: Annotated[list[Json], Field(description="One dateline.Step for each retrieval, and one for the end.")]


class GenerateState(GenerateInput, GenerateOutput, total=False):
    """Everything in between."""

    parsed: Json  # prepare: dateline.Question


GeneratorFor = Callable[[str], RetrievingGenerator]
"""Makes the generator for a question, on which it may be calibrated."""


def generate_graph(
    generator: RetrievingGenerator | None = None,
    *,
    clock: Clock = now,
    entrance: Entrance[Any, GeneratorFor] | None = None,
    retry_policy: Retries = None,
) -> StateGraph[GenerateState, GenerateOptions, GenerateInput, GenerateOutput]:
    """Build the generate graph, to be compiled with your checkpointer.

    `stream_mode="custom"` brings {"text"} as it settles, and a step for each retrieval.

    Args:
        generator: `None`: it is made from the options given at run time as `context=GenerateOptions(...)`.
        clock: what "now" means where the asking date is left out.
        entrance: what a run may say in `context=`, and what is made of it. `None`: `GenerateOptions`.
        retry_policy: of LangGraph's; a node that fails in its way is run again.
    """
    way = entrance or Entrance(GenerateOptions, _generator_of)
    given: GeneratorFor | None = (lambda question: generator) if generator else None
    node = timed_nodes(given, way=way, clock=clock)
    graph = CheckedGraph(GenerateState, way.options, input_schema=GenerateInput, output_schema=GenerateOutput)
    add = NodePolicies(retry_policy).adder(graph)
    add("prepare", node(prepare, begins=True))
    add("generate", node(generate, streams_itself=True))
    graph.add_edge(START, "prepare")
    graph.add_edge("prepare", "generate")
    graph.add_edge("generate", END)
    return graph


def prepare(state: GenerateState, live: TimedPart[GeneratorFor]) -> Update:
    """Decompose the question."""
    text, as_of = asked(state, clock=live.clock)
    return update(parsed=decompose(text, as_of=as_of).to_json())


def generate(state: GenerateState, live: TimedPart[GeneratorFor]) -> Flow[Update]:
    """Write the answer, streaming its text and steps as they come."""
    question = Question.from_json(state["parsed"])
    generator = yield from call(live.part, question.text)
    made = yield from call(write, generator, question)
    return update(*steps_of(made), text=made.text, generation=made)


def write(generator: RetrievingGenerator, question: Question) -> Generation:
    """Generate and stream."""
    with generator.stream(question) as events:
        steady = SettledText(events)
        for event in events:
            _send(event, steady.take(event))
    return events.generation


async def awrite(generator: RetrievingGenerator, question: Question) -> Generation:
    """Generate and stream asynchronously."""
    async with generator.astream(question) as events:
        steady = SettledText(events)
        async for event in events:
            _send(event, steady.take(event))
    return events.generation


def answer_by_generating(generator: RetrievingGenerator) -> Node:
    """Make an answer step that retrieves more while it writes.

    It begins with the evidence shown, as many pieces as the generator takes; the others are still unread.

    What it finds is ranked and added to the evidence that the report shows; the certainty is the estimator's, as always.
    """

    def answer(state: AnswerState, components: Components) -> Flow[Update]:
        view = StateView(state)
        shown = [one.evidence for one in view.shown]
        given = generator.with_retriever(_ShownFirst(generator.search, shown))
        begun = given.with_options(trigger=AnyOf([Once(), generator.options.trigger])) if shown else generator
        made = yield from call(begun.generate, view.question)
        seen = {each.id: each for one in made.retrievals for each in one.documents}
        read = [one for one in view.shown if one.evidence.id in seen]
        known = {piece.id for piece in shown}
        new = [each for id, each in seen.items() if id not in known]
        looked_up: list[RankedEvidence] = []
        if new:
            looked_up = yield from call(components.ranker.rank, view.question, evidence=new, k=len(new))
        ranked = [*read, *looked_up]
        reading, evidence = reading_of(made), [one.evidence for one in ranked]
        certainty = yield from call(components.estimator.estimate, view.question, evidence=evidence, reading=reading)
        attempt = Attempt(reading=reading, certainty=certainty, shown=tuple(piece.id for piece in evidence))
        # A further round shows other evidence; this attempt's is kept with all that is ranked.
        kept = [*view.ranked, *(one for one in looked_up if one.evidence.id not in view.by_id)]
        return update(*steps_of(made, name="answer"), ranked=kept, shown=ranked, attempts=[attempt])

    return answer


def reading_of(made: Generation) -> Reading:
    """Turn a generation into a reading.

    The probability is the geometric mean of its tokens'.
    """
    told = [token.probability for token in made.tokens if token.probability]
    ids = tuple(dict.fromkeys(each.id for one in made.retrievals for each in one.documents))
    mean = math.exp(sum(map(math.log, told)) / len(told)) if told else 0.0
    return Reading(answer=made.text, probability=min(1.0, mean), evidence_ids=ids, reasoning=made.statement)


def steps_of(made: Generation, *, name: str = "generate") -> list[Step]:
    """Return a step for each retrieval, and one with the cost."""
    steps = [_retrieved(RetrievalEvent(retrieval=each)) for each in made.retrievals]
    return [*steps, Step(name=name, summary=made.statement, details={"ended": made.ended}, cost=made.cost)]


class _ShownFirst:
    """A search whose first answer is the evidence shown."""

    def __init__(self, search: Search, shown: Sequence[Evidence]) -> None:
        self._search, self._shown, self._asked = search, tuple(shown), False

    def search(self, query: str, *, as_of: datetime, k: int = 10, window: Interval | None = None) -> SearchResult:
        if self._first():
            return SearchResult(evidence=self._shown[:k])
        return self._search.search(query, as_of=as_of, k=k, window=window)

    async def asearch(
        self, query: str, *, as_of: datetime, k: int = 10, window: Interval | None = None
    ) -> SearchResult:
        if self._first():
            return SearchResult(evidence=self._shown[:k])
        return await self._search.asearch(query, as_of=as_of, k=k, window=window)

    def _first(self) -> bool:
        first, self._asked = not self._asked and bool(self._shown), True
        return first


def _generator_of(options: GenerateOptions | None) -> GeneratorFor:
    return lambda question: generator_for(options or GenerateOptions(), question=question)


def _retrieved(event: RetrievalEvent) -> Step:
    one = event.retrieval
    found = one.note or f"{len(one.documents)} documents"
    return Step(
        name="retrieve",
        summary=f"{one.reason}; asked '{one.query}': {found}",
        details=one.model_dump(mode="json", exclude={"documents", "seconds"}),
        cost=Cost(seconds=one.seconds),
    )


def _send(event: Event, text: str) -> None:
    """Stream what an event brings."""
    write = get_runtime(GenerateOptions).stream_writer
    if isinstance(event, RetrievalEvent):
        write(_retrieved(event).model_dump(mode="json"))
    if text:
        write({"text": text})
    if isinstance(event, EndEvent):
        write(steps_of(event.generation)[-1].model_dump(mode="json"))
