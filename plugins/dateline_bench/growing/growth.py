"""Growth by a month (GrowOVER, section 3, algorithms 1, 2, 4, 5)."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.embeddings import Embeddings
from langchain_core.runnables.config import ContextThreadPoolExecutor
from pydantic import Field

from dateline.errors import BadInput, check_least
from dateline.protocols import Labeller
from dateline.records import Cost, Labelling, Record
from dateline.text import default_embeddings
from dateline_bench.growing.articles import GrowingArticle
from dateline_bench.growing.grown import Grown, GrownDialogue, GrownQuestion
from dateline_bench.growing.maintenance import KeptInstances, maintain
from dateline_bench.growing.making import InstanceMaker, MadeInstance, instance_of
from dateline_bench.growing.paragraphs import CLUSTERS, choose, is_informative
from dateline_bench.growing.tasks import GrowTask, changed_task, dialogue_task, new_tasks, paragraph_tasks
from dateline_bench.parallel import AT_ONCE, amapped


class GrowthPlan(Record):
    """Plan of one article's month, before anything is made."""

    article: str
    month: str
    questions: tuple[GrownQuestion, ...] = Field(default=(), description="Kept.")
    dialogues: tuple[GrownDialogue, ...] = Field(default=(), description="Kept.")
    dropped: tuple[str, ...] = ()
    deleted_turns: int = 0
    tasks: tuple[GrowTask, ...] = Field(default=(), description="Still to be made.")


class Growth:
    """Planner and maker of articles, stateless, for any engine to map.

    Args:
        maker: makes questions and dialogues: `ChatMaker(model)`, `TemplateMaker()`.
        labeller: labels sentences; needed for updates only.
        embeddings: tell paragraphs apart; by default `default_embeddings()`.
        seed: of the draws of paragraphs.
        clusters: paragraphs of an article that are drawn at most.

    Raises:
        BadInput: when `clusters` is below 1 or `seed` below 0.
    """

    def __init__(
        self,
        maker: InstanceMaker,
        *,
        labeller: Labeller | None = None,
        embeddings: Embeddings | None = None,
        seed: int = 0,
        clusters: int = CLUSTERS,
    ) -> None:
        check_least(1, clusters=clusters)
        check_least(0, seed=seed)
        self.maker, self.labeller, self.seed, self.clusters = maker, labeller, seed, clusters
        self._embeddings = embeddings

    def start(self, article: GrowingArticle, *, month: str) -> GrowthPlan:
        """Plan a new article: question and dialogue per paragraph (section 3.1)."""
        informative = [each for each in article.paragraphs if is_informative(article, each)]
        chosen = self._chosen(article, informative)
        questions = [task for each in chosen for task in paragraph_tasks(article, each, kinds=["initial"])]
        dialogues = [task for each in chosen for task in paragraph_tasks(article, each, kinds=["dialogue"])]
        return GrowthPlan(article=article.id, month=month, tasks=(*questions, *dialogues))

    def label(self, old: GrowingArticle, *, new: GrowingArticle) -> Labelling:
        """Label an article's new version.

        Raises `BadInput` where there is no labeller.
        """
        if self.labeller is None:
            raise BadInput("An update needs a labeller; pass labeller=SentenceLabeller().")
        return self.labeller.label(old.sentences, new=new.sentences)

    def carry(
        self,
        new: GrowingArticle,
        *,
        labelling: Labelling,
        month: str,
        questions: Sequence[GrownQuestion] = (),
        dialogues: Sequence[GrownDialogue] = (),
    ) -> GrowthPlan:
        """Plan an old article: keep, drop, make (section 3.3)."""
        kept = maintain(questions, dialogues=dialogues, article=new, moves=labelling.kept(), month=month)
        tasks = new_tasks(new, labelling)
        tasks += [
            changed_task(new, one, labelling, dropped=kept.dropped_questions)
            for one in labelling.of("changed")
            if one.old
        ]
        fresh = {one.index for one in labelling.of("new", "changed")}
        touched = [each for each in new.paragraphs if is_informative(new, each) and not fresh.isdisjoint(range(*each))]
        tasks += [dialogue_task(new, each, labelling) for each in self._chosen(new, touched)]
        return GrowthPlan(
            article=new.id,
            month=month,
            questions=kept.questions,
            dialogues=kept.dialogues,
            dropped=_ids(kept),
            deleted_turns=kept.deleted_turns,
            tasks=tuple(tasks),
        )

    def grow(self, plan: GrowthPlan) -> Grown:
        """Make a plan's tasks, at most `AT_ONCE` at a time.

        Never raises for what a model says.
        """
        if self.maker.made_by == "template" or len(plan.tasks) < 2:
            return grown_of(plan, [self.maker.make(task) for task in plan.tasks], maker=self.maker)
        with ContextThreadPoolExecutor(max_workers=AT_ONCE) as pool:
            return grown_of(plan, list(pool.map(self.maker.make, plan.tasks)), maker=self.maker)

    async def agrow(self, plan: GrowthPlan) -> Grown:
        """Grow asynchronously."""
        made = await amapped(self.maker.amake, plan.tasks, at_once=AT_ONCE)
        return grown_of(plan, made, maker=self.maker)

    def _chosen(self, article: GrowingArticle, paragraphs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        if len(paragraphs) > self.clusters and self._embeddings is None:
            self._embeddings = default_embeddings()
        if self._embeddings is None:
            return list(paragraphs)
        return choose(article, paragraphs, embeddings=self._embeddings, seed=self.seed, clusters=self.clusters)


def gone(article: str, *, month: str, questions: Sequence[GrownQuestion], dialogues: Sequence[GrownDialogue]) -> Grown:
    """Plan for an article that is gone: drop its instances."""
    kept = maintain(questions, dialogues=dialogues, article=None, moves={}, month=month)
    return Grown(article=article, dropped=_ids(kept), deleted_turns=kept.deleted_turns)


def _ids(kept: KeptInstances) -> tuple[str, ...]:
    """List the ids that were dropped."""
    return (*(each.id for each in kept.dropped_questions), *(each.id for each in kept.dropped_dialogues))


def grown_of(plan: GrowthPlan, made: Sequence[MadeInstance], *, maker: InstanceMaker) -> Grown:
    """Complete a plan with its made instances, without repeated questions."""
    questions, dialogues = list(plan.questions), list(plan.dialogues)
    asked = {question.question for question in questions}
    notes = []
    for task, result in zip(plan.tasks, made, strict=True):
        instance = instance_of(task, result, month=plan.month, made_by=maker.made_by)
        if instance is None:
            notes.append(f"{_named(task)}: nothing was made, for {result.reason}")
        elif isinstance(instance, GrownDialogue):
            dialogues.append(instance)
        elif instance.question in asked:
            notes.append(f"{_named(task)}: '{instance.question}' is asked already.")
        else:
            asked.add(instance.question)
            questions.append(instance)
    return Grown(
        article=plan.article,
        questions=tuple(questions),
        dialogues=tuple(dialogues),
        dropped=plan.dropped,
        deleted_turns=plan.deleted_turns,
        notes=tuple(notes),
        cost=sum((result.cost for result in made), Cost()),
    )


def _named(task: GrowTask) -> str:
    first, last = task.indices[0], task.indices[-1]
    places = f"sentence {first}" if first == last else f"sentences {first} to {last}"
    return f"{task.article}, {task.kind} of {places}"
