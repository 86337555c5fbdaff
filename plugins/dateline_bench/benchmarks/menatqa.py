"""MenatQA: is the paragraph found when a question's time changes?

Wei et al., 2023. Each row asks a question of TimeQA with its own time (here `time_scope`) and again with a changed one
(`narrow`, `expand`, `granularity`, `counterfactual`), over paragraphs of the page it is about.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from dateline.errors import BadInput
from dateline.evaluation.metrics import holds_answer
from dateline.ranking.bm25 import Bm25, top
from dateline.ranking.groups import members_of
from dateline.ranking.hybrid import HybridRanker
from dateline.ranking.passages import Passages
from dateline.ranking.topic import Topic
from dateline.records import Evidence
from dateline.temporal.constraint import Question
from dateline.temporal.decomposition import decompose
from dateline.text.disk_cache import CachedEmbeddings
from dateline.text.embeddings import default_embeddings
from dateline.text.sentences import split_sentences
from dateline_bench import rows
from dateline_bench.benchmark import BenchmarkReport, Progress, drawn, refuse_unknown, watched

AS_OF = datetime(2021, 12, 1, tzinfo=UTC)
"""The paragraphs come from TimeQA's Wikipedia dump of that month."""

DEPTHS = (1, 3)

Scorer = Callable[[Question, Passages], NDArray[np.floating[Any]]]
"""A score for each passage, shape (passages,)."""


class MenatqaParagraph(BaseModel):
    """A paragraph of the page."""

    model_config = ConfigDict(frozen=True)

    title: str
    text: str


class MenatqaRow(BaseModel):
    """One line of `questions.jsonl`."""

    model_config = ConfigDict(frozen=True)

    question: str = Field(min_length=1)
    updated_question: str = Field(min_length=1)
    type: str
    answer: str
    annotated_para: str
    context: tuple[MenatqaParagraph, ...]


@dataclass(frozen=True)
class MenatqaQuestion:
    """Row: questions by type, paragraphs, places of the evidence."""

    questions: Mapping[str, Question]
    evidence: tuple[Evidence, ...]
    gold: frozenset[int]


def run(
    folder: Path, *, limit: int | None = None, seed: int = 0, progress: Progress | None = None, **options: str
) -> BenchmarkReport:
    """Measure over `questions.jsonl[.gz]`; `limit` rows are drawn with `seed`.

    `<type>_recall@k`: an evidence paragraph is among the first k of the question's own, over the rows that have more
    than k; `recall@k` is the mean over all questions. Rows whose evidence is in no paragraph, or in all, are left out.
    Baselines: the same ranker without its temporal score, and BM25 on the question as asked.

    Raises:
        BadInput: for a missing or malformed file, or an option (there is none).
    """
    refuse_unknown(options)
    given = [_asked(row) for row in rows.read_as(MenatqaRow, rows.find(folder, "questions"))]
    asked = [row for row in given if 0 < len(row.gold) < len(row.evidence)]
    if not asked:
        raise BadInput(f"{folder} holds no question whose evidence is in some of its paragraphs but not in all.")
    left_out = len(given) - len(asked)
    asked = drawn(asked, limit=limit, seed=seed)
    inner = default_embeddings()
    ranker = HybridRanker(embeddings=CachedEmbeddings(inner, name=inner.name))
    systems: dict[str, Scorer] = {"dateline": _ours(ranker), "semantic": _semantic(ranker), "bm25": _bm25}
    hits: dict[str, dict[str, list[bool]]] = {name: {} for name in systems}
    seconds = dict.fromkeys(systems, 0.0)
    for row in watched(asked, stage="questions", progress=progress):
        passages = Passages.build(row.evidence, embeddings=ranker.embeddings)
        for name, scorer in systems.items():
            begun = time.perf_counter()
            for kind, question in row.questions.items():
                ranking = top(scorer(question, passages), len(row.evidence)).tolist()
                for depth in DEPTHS:
                    if len(ranking) > depth:
                        found = not row.gold.isdisjoint(ranking[:depth])
                        hits[name].setdefault(f"{kind}_recall@{depth}", []).append(found)
                        hits[name].setdefault(f"recall@{depth}", []).append(found)
            seconds[name] += time.perf_counter() - begun
    figures = {name: {key: 100 * sum(found) / len(found) for key, found in sorted(hits[name].items())} for name in hits}
    return BenchmarkReport(
        benchmark="menatqa",
        n=len(asked),
        configuration={
            "embeddings": inner.name,
            "temporal": ranker.temporal.name,
            "as_of": AS_OF.date().isoformat(),
            "left_out": left_out,
            "questions": {key: len(found) for key, found in sorted(hits["dateline"].items())},
            "seed": seed,
        },
        metrics=figures.pop("dateline"),
        baselines=figures,
        cost={f"{name}_seconds": spent for name, spent in seconds.items()},
    )


def _asked(row: MenatqaRow) -> MenatqaQuestion:
    questions = {"time_scope": row.question, row.type: row.updated_question}
    return MenatqaQuestion(
        questions={kind: decompose(text, as_of=AS_OF) for kind, text in questions.items()},
        evidence=tuple(
            Evidence(id=str(place), title=item.title, text=item.text) for place, item in enumerate(row.context)
        ),
        gold=gold_of([item.text for item in row.context], annotated=row.annotated_para, answer=row.answer),
    )


def gold_of(texts: Sequence[str], *, annotated: str, answer: str) -> frozenset[int]:
    """Find the paragraphs that hold annotated sentence and answer.

    Paragraphs are cut at a length, so an annotated one may lie in two of them; where neither holds the answer in
    its words, both count.
    """
    sentences = [" ".join(sentence.text.split()) for sentence in split_sentences(annotated)]
    flat = [" ".join(text.split()) for text in texts]
    sharing = {place for place, text in enumerate(flat) if any(sentence in text for sentence in sentences)}
    return frozenset({place for place in sharing if holds_answer(flat[place], golds=[answer])} or sharing)


def _ours(ranker: HybridRanker) -> Scorer:
    def scores(question: Question, passages: Passages) -> NDArray[np.floating[Any]]:
        topic = Topic.of(question, passages=passages, embeddings=ranker.embeddings)
        return ranker.score(question, topic=topic, candidates=np.arange(len(passages))).total

    return scores


def _semantic(ranker: HybridRanker) -> Scorer:
    """The ranker's semantic factor alone: the best sentence of each passage."""

    def scores(question: Question, passages: Passages) -> NDArray[np.floating[Any]]:
        topic = Topic.of(question, passages=passages, embeddings=ranker.embeddings)
        candidates = np.arange(len(passages))
        sentences, sizes = members_of(passages.bounds, candidates)
        semantic = topic.score(candidates=candidates, sentences=sentences, sizes=sizes)
        best: NDArray[np.floating[Any]] = np.maximum.reduceat(semantic, np.cumsum(sizes) - sizes)
        return best

    return scores


def _bm25(question: Question, passages: Passages) -> NDArray[np.floating[Any]]:
    return Bm25.build(f"{item.title} {item.text}" for item in passages.evidence).scores(question.text)
