"""Tasks of a month: questions of sentences, dialogues of paragraphs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from pydantic import Field

from dateline.records import Labelled, Labelling, Record, SentenceLabel
from dateline_bench.growing.articles import GrowingArticle
from dateline_bench.growing.grown import GrownQuestion, InstanceType

LARGEST_GROUP = 6
"""Consecutive new sentences that one question is made of at most."""

TaskKind = Literal["initial", "new", "changed", "dialogue"]

TYPE_OF: dict[SentenceLabel, InstanceType] = {
    "unchanged": "Unchanged",
    "changed": "Changed",
    "new": "New",
    "undecided": "Undecided",
}


class GrowTask(Record):
    """One question or dialogue to be made of some sentences."""

    kind: TaskKind
    article: str
    title: str
    indices: tuple[int, ...] = Field(description="Places of `sentences` in the article.")
    sentences: tuple[str, ...]
    types: tuple[InstanceType, ...] = Field(description="The type of what stands on each sentence.")
    old: tuple[str, ...] = Field(default=(), description="For changed: the sentences of the old version.")
    context: tuple[str, ...] = Field(default=(), description="The sentences around, for understanding only.")
    asked: tuple[str, ...] = Field(
        default=(), description="For changed: questions about the old sentences, now dropped."
    )
    replaces: tuple[str, ...] = Field(default=(), description="The ids of those questions.")


def paragraph_tasks(
    article: GrowingArticle, paragraph: tuple[int, int], *, kinds: Sequence[TaskKind]
) -> list[GrowTask]:
    """Tasks of one paragraph that is new as a whole."""
    indices = tuple(range(*paragraph))
    return [_task(kind, article, indices, types=["New"] * len(indices)) for kind in kinds]


def dialogue_task(article: GrowingArticle, paragraph: tuple[int, int], labelling: Labelling) -> GrowTask:
    """A dialogue of a paragraph in which something is new or changed."""
    indices = tuple(range(*paragraph))
    return _task("dialogue", article, indices, types=[TYPE_OF[labelling.sentences[place].label] for place in indices])


def new_tasks(article: GrowingArticle, labelling: Labelling) -> list[GrowTask]:
    """A question for each group of consecutive new sentences."""
    places = [one.index for one in labelling.of("new")]
    return [
        _task("new", article, group, types=["New"] * len(group), around=True)
        for run in consecutive(places)
        for group in split_evenly(run, most=LARGEST_GROUP)
    ]


def changed_task(
    article: GrowingArticle, one: Labelled, labelling: Labelling, *, dropped: Sequence[GrownQuestion]
) -> GrowTask:
    """Make the task of a changed question, renewing dropped ones."""
    renewed = [question for question in dropped if not set(question.indices).isdisjoint(one.old)]
    task = _task("changed", article, (one.index,), types=["Changed"], around=True)
    return task.model_copy(
        update={
            "old": tuple(labelling.old[place] for place in one.old),
            "asked": tuple(question.question for question in renewed),
            "replaces": tuple(question.id for question in renewed),
        }
    )


def consecutive(places: Sequence[int]) -> list[tuple[int, ...]]:
    """Runs of neighbours, in order."""
    runs: list[list[int]] = []
    for place in places:
        if runs and place == runs[-1][-1] + 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    return [tuple(run) for run in runs]


def split_evenly(run: tuple[int, ...], *, most: int) -> list[tuple[int, ...]]:
    """Split into the fewest even groups of at most `most`.

    The paper says only that they are split.
    """
    count = -(-len(run) // most)
    borders = [len(run) * number // count for number in range(count + 1)]
    return [run[start:end] for start, end in pairwise(borders)]


def _task(
    kind: TaskKind,
    article: GrowingArticle,
    indices: tuple[int, ...],
    *,
    types: Sequence[InstanceType],
    around: bool = False,
) -> GrowTask:
    context: tuple[str, ...] = ()
    if around:
        start, end = article.paragraph_of(indices[0])[0], article.paragraph_of(indices[-1])[1]
        context = tuple(article.sentences[place] for place in range(start, end) if place not in indices)
    return GrowTask(
        kind=kind,
        article=article.id,
        title=article.title,
        indices=indices,
        sentences=tuple(article.sentences[place] for place in indices),
        types=tuple(types),
        context=context[:20],
    )
