"""The grow graph: a benchmark's month, step by step (GrowOVER, section 3).

take_in -> label -> plan -> make (one for each question and dialogue, in parallel) -> finish
"""

from __future__ import annotations

import operator
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Any

from langgraph.graph import END, START, StateGraph
from langgraph.types import Overwrite, Send
from pydantic import Field, ValidationError
from typing_extensions import TypedDict

from dateline import BadInput, Cost, Step
from dateline.documents import evidence_of
from dateline.evolution import Labelling, SentenceLabeller
from dateline.flow import Flow, call
from dateline.options import MAX_SEED
from dateline.text import default_embeddings
from dateline_bench.growing.articles import GrowingArticle, month_key
from dateline_bench.growing.chat_maker import ChatMaker
from dateline_bench.growing.grown import GrownDialogue, GrownQuestion
from dateline_bench.growing.growth import Growth, GrowthPlan, gone, grown_of
from dateline_bench.growing.making import InstanceMaker, MadeInstance, MadeQuestion, MadeTurn
from dateline_bench.growing.tasks import GrowTask
from dateline_bench.growing.template_maker import TemplateMaker
from dateline_graphs.entry import CheckedGraph
from dateline_graphs.kit import Entrance, Update, bind, dump, made_once
from dateline_graphs.models import chat_model
from dateline_graphs.options import GraphOptions, Model
from dateline_graphs.policies import NodePolicies, Retries
from dateline_graphs.state import STATE_VERSION, Json


class ArticleInput(TypedDict, total=False):
    """Article as a person fills it in; only text is required."""

    text: Annotated[str, Field(description="What it says; paragraphs are parted by blank lines.")]
    title: Annotated[str, Field(description="Its headline.")]
    id: Annotated[str, Field(description="The same in both versions. Empty: its title.")]


class GrowInput(TypedDict, total=False):
    """Input of the grow graph; `load_snapshot` reads a folder of articles."""

    articles: Annotated[list[ArticleInput], Field(description="The new version.")]
    before: Annotated[list[ArticleInput], Field(description="The old version. Empty: this is the first month.")]
    month: Annotated[str, Field(description="The month's name: YYYY-MM or YYYY-MM-DD.")]
    questions: Annotated[list[Json], Field(description="The last month's questions, from its report.")]
    dialogues: Annotated[list[Json], Field(description="The last month's dialogues, from its report.")]


class GrowOutput(TypedDict, total=False):
    """Output: questions, dialogues, counts by type, drops, notes, cost."""

    report: Annotated[Json, Field(description="Questions, dialogues, counts by type, what was dropped, cost.")]


class GrowState(GrowInput, GrowOutput, total=False):
    """Everything in between."""

    schema_version: int
    new: list[Json]  # take_in: dateline_bench.growing.articles.Article
    old: list[Json]  # take_in: the same of the version before
    labels: Json  # label: article -> dateline.evolution.Labelling
    plans: list[Json]  # plan: dateline_bench.growing.growth.Plan, one an article
    made: Annotated[list[Json], operator.add]  # make: {"task", "question", "turns", "reason", "cost"}
    steps: Annotated[list[Json], operator.add]  # every node: dateline.Step


class GrowMakeTask(TypedDict):
    """Task of one parallel branch."""

    schema_version: int
    number: int
    task: Json


class DrawingOptions(GraphOptions):
    """Options of the draw of paragraphs, bounded; a client may send them."""

    seed: int = Field(default=0, ge=0, le=MAX_SEED, description="Of the draw of paragraphs.")
    clusters: int = Field(default=4, ge=1, le=20, description="Paragraphs of an article that are drawn.")


class GrowOptions(DrawingOptions):
    """Options of the grow graph and of `dateline grow`.

    Example:
        >>> GrowOptions(clusters=6).seed
        0
    """

    model: Model = Field(
        default="", description="A chat model by its LangChain name, openai:gpt-4o. Empty: templates, marked as such."
    )


def grow_graph(
    growth: Growth | None = None,
    *,
    entrance: Entrance[Any, Growth] | None = None,
    retry_policy: Retries = None,
) -> StateGraph[GrowState, GrowOptions, GrowInput, GrowOutput]:
    """Build the grow graph, to be compiled with your checkpointer.

    Args:
        growth: makers, labeller and embeddings of your own. `None`: made from `context=GrowOptions(...)` at run time.
        entrance: what a run may say in `context=`, and what is made of it. `None`: `GrowOptions`.
        retry_policy: of LangGraph's; a node that fails in its way is run again.
    """
    way = entrance or Entrance(GrowOptions, growth_of)
    graph = CheckedGraph(GrowState, way.options, input_schema=GrowInput, output_schema=GrowOutput)
    node = partial(bind, components=growth, make=way.make)
    add = NodePolicies(retry_policy).adder(graph)
    add("take_in", bind(take_in, begins=True, admit=way.admit))
    add("label", node(label))
    add("plan", node(plan))
    add("make", node(make), input_schema=GrowMakeTask)
    add("finish", node(finish))
    graph.add_edge(START, "take_in")
    graph.add_edge("take_in", "label")
    graph.add_edge("label", "plan")
    graph.add_conditional_edges("plan", _each_task, ["make", "finish"])
    graph.add_edge("make", "finish")
    graph.add_edge("finish", END)
    return graph


def take_in(state: GrowState) -> Update:
    """Cut both versions into sentences, and check what was filled in."""
    new, old = _articles(state.get("articles")), _articles(state.get("before"))
    if not new:
        raise BadInput("There is nothing to grow on; give articles with a text.")
    month = state.get("month") or ""
    month_key(month)
    questions = _instances(state.get("questions"), GrownQuestion, "questions")
    dialogues = _instances(state.get("dialogues"), GrownDialogue, "dialogues")
    step = Step(
        name="take_in", summary=f"{month}: {len(new)} articles, {len(old)} before, {len(questions)} questions kept"
    )
    return {
        "schema_version": STATE_VERSION,
        "month": month,
        "new": [dump(article) for article in new],
        "old": [dump(article) for article in old],
        "questions": [dump(question) for question in questions],
        "dialogues": [dump(dialogue) for dialogue in dialogues],
        "made": Overwrite([]),
        "steps": Overwrite([dump(step)]),
    }


def label(state: GrowState, growth: Growth) -> Update:
    """Label each sentence of the articles that were there before."""
    old = {each["id"]: GrowingArticle.model_validate(each) for each in state["old"]}
    new = [GrowingArticle.model_validate(each) for each in state["new"]]
    labels = {each.id: growth.label(old[each.id], new=each) for each in new if each.id in old}
    counts: Counter[str] = Counter(one.label for labelling in labels.values() for one in labelling.sentences)
    said = ", ".join(f"{count} {label}" for label, count in counts.most_common())
    step = Step(name="label", summary=said or "nothing was there before", details=dict(counts))
    return {"labels": {id: dump(labelling) for id, labelling in labels.items()}, "steps": [dump(step)]}


def plan(state: GrowState, growth: Growth) -> Update:
    """Keep, re-index or drop old instances; plan the new ones."""
    plans = [_planned(GrowingArticle.model_validate(each), state, growth) for each in state["new"]]
    kept = sum(len(plan.questions) + len(plan.dialogues) for plan in plans)
    tasks: Counter[str] = Counter(task.kind for plan in plans for task in plan.tasks)
    said = ", ".join(f"{count} {kind}" for kind, count in sorted(tasks.items()))
    step = Step(name="plan", summary=f"{kept} kept; to be made: {said or 'nothing'}", details=dict(tasks))
    return {"plans": [dump(plan) for plan in plans], "steps": [dump(step)]}


def make(given: GrowMakeTask, growth: Growth) -> Flow[Update]:
    """Make one question or dialogue."""
    started = time.perf_counter()
    task = GrowTask.model_validate(given["task"])
    made = yield from call(growth.maker.make, task)
    return _made(given["number"], task, made, started)


def finish(state: GrowState, growth: Growth) -> Update:
    """Write the report."""
    plans = [GrowthPlan.model_validate(each) for each in state["plans"]]
    made = [_read_made(each) for each in sorted(state["made"], key=lambda each: each["number"])]
    grown = []
    for plan in plans:
        mine, made = made[: len(plan.tasks)], made[len(plan.tasks) :]
        grown.append(grown_of(plan, mine, maker=growth.maker))
    there = {plan.article for plan in plans}
    asked, talks = _before(state)
    left = sorted({*(each.article for each in asked), *(each.article for each in talks)} - there)
    grown += [gone(id, month=state["month"], questions=_on(id, asked), dialogues=_on(id, talks)) for id in left]
    questions = [question for each in grown for question in each.questions]
    dialogues = [dialogue for each in grown for dialogue in each.dialogues]
    report = {
        "month": state["month"],
        "questions": [dump(question) for question in questions],
        "dialogues": [dump(dialogue) for dialogue in dialogues],
        "counts": {
            "questions": dict(Counter(question.type for question in questions)),
            "turns": dict(Counter(turn.type for dialogue in dialogues for turn in dialogue.turns)),
        },
        "dropped": [id for each in grown for id in each.dropped],
        "notes": [note for each in grown for note in each.notes],
        "cost": dump(sum((each.cost for each in grown), Cost())),
    }
    return {"report": report}


def _planned(article: GrowingArticle, state: GrowState, growth: Growth) -> GrowthPlan:
    labelling = state["labels"].get(article.id)
    if labelling is None:
        return growth.start(article, month=state["month"])
    asked, talks = _before(state)
    return growth.carry(
        article,
        labelling=Labelling.model_validate(labelling),
        month=state["month"],
        questions=_on(article.id, asked),
        dialogues=_on(article.id, talks),
    )


@made_once(GrowOptions)
def growth_of(options: GrowOptions) -> Growth:
    """Make what the options describe.

    Raises `BadInput` for an unknown model or a missing key.
    """
    maker: InstanceMaker = ChatMaker(chat_model(options.model)) if options.model else TemplateMaker()
    embeddings = default_embeddings()
    labeller = SentenceLabeller(embeddings=embeddings)
    return Growth(maker, labeller=labeller, embeddings=embeddings, seed=options.seed, clusters=options.clusters)


def _each_task(state: GrowState) -> list[Send] | str:
    tasks = [task for plan in state["plans"] for task in plan["tasks"]]
    version = state["schema_version"]
    sends = [Send("make", {"schema_version": version, "number": n, "task": task}) for n, task in enumerate(tasks)]
    return sends or "finish"


def _made(number: int, task: GrowTask, made: MadeInstance, started: float) -> Update:
    cost = made.cost.model_copy(update={"seconds": round(time.perf_counter() - started, 6)})
    said = made.question.question if made.question else f"{len(made.turns)} turns" if made.turns else made.reason
    step = Step(name="make", summary=f"{task.article}, {task.kind}: {said}", cost=cost)
    return {
        "made": [
            {
                "number": number,
                "question": made.question._asdict() if made.question else None,
                "turns": [turn._asdict() for turn in made.turns],
                "reason": made.reason,
                "cost": dump(cost),
            }
        ],
        "steps": [dump(step)],
    }


def _read_made(given: Json) -> MadeInstance:
    question = MadeQuestion(**given["question"]) if given["question"] else None
    turns = tuple(MadeTurn(**turn) for turn in given["turns"])
    return MadeInstance(question, turns, given["reason"], Cost.model_validate(given["cost"]))


def _before(state: GrowState) -> tuple[list[GrownQuestion], list[GrownDialogue]]:
    asked = [GrownQuestion.model_validate(each) for each in state["questions"]]
    return asked, [GrownDialogue.model_validate(each) for each in state["dialogues"]]


def _on(article: str, instances: Sequence[Any]) -> list[Any]:
    return [each for each in instances if each.article == article]


def _articles(given: Sequence[ArticleInput] | None) -> list[GrowingArticle]:
    found: dict[str, GrowingArticle] = {}
    for number, each in enumerate(given or (), 1):
        article = _article(each, number=number)
        if article.id in found:
            raise BadInput(f"There are two articles {article.id!r}; give each an id of its own.")
        found[article.id] = article
    return list(found.values())


def _article(given: Any, *, number: int) -> GrowingArticle:
    try:
        piece = evidence_of(given)
    except BadInput as error:
        raise BadInput(f"Article {number} has no text to read. {error}") from None
    own = given.get("id") if isinstance(given, Mapping) else None
    id = str(own or piece.title or f"article-{number}")
    return GrowingArticle.of(piece.text, id=id, title=piece.title or id)


def _instances(given: Sequence[Json] | None, kind: type[Any], name: str) -> list[Any]:
    try:
        return [kind.model_validate(each) for each in given or ()]
    except ValidationError as cause:
        raise BadInput(f"Cannot read {name}; take them as they are from the last month's report.") from cause
