"""TimeQA as retrieval: is the right period's passage first?

Files: `passages.jsonl` with id, title, text (those of one page in reading order) and `questions.jsonl` with
question, kind ("key" or "perturbed"), answers, gold (passage ids). A perturbed question asks for the
same answer as of a moment inside the annotated range; the relations first, last, before, after and between of MRAG's
TempRAGEval (section 3.2) are not among them.

`AR@k`: a normalised answer stands, as whole words, in the title or text of one of the first k passages.
`ER@k`: one of the first k passages is a gold one.
`reader_EM`, `reader_F1`: the local reader over our own first five passages, on the perturbed questions.

Baselines on the same passages and embeddings: words (BM25), vectors and the fusion of their ranks on the question as
asked, and `mrag_years`, MRAG's ranking with its published score of calendar years, but without its reranker of whole
passages and its query-focused summaries, which need models of their own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from dateline.errors import BadInput
from dateline.evaluation.metrics import exact_match, normalise, token_f1
from dateline.ranking.bm25 import top
from dateline.ranking.fit import sentence_alone
from dateline.ranking.fusion import reciprocal_rank_fusion
from dateline.ranking.groups import members_of
from dateline.ranking.hybrid import temporal_scores
from dateline.ranking.index import PassageIndex
from dateline.ranking.prepared import headed
from dateline.reading import TrainedReader
from dateline.records import Evidence
from dateline.temporal.constraint import Question
from dateline.temporal.decomposition import decompose
from dateline.temporal.scoring import MragScorer
from dateline.text.embeddings import default_embeddings, embed
from dateline.text.words import content_words
from dateline_bench import rows
from dateline_bench.benchmark import BenchmarkReport, Progress, drawn, refuse_unknown, watched
from dateline_bench.readers.keyword_rank import keyword_scores

AS_OF = datetime(2021, 12, 1, tzinfo=UTC)
"""The questions are asked in the month of the Wikipedia dump."""

DEPTHS = (1, 5, 10, 20)
"""MRAG, table 2."""

READ = 5
"""How many passages the reader gets (MRAG, table 3)."""

RETRIEVED, KEPT = 1000, 100
"""How many passages MRAG's retriever finds and its keywords keep (its published code; the paper names the keywords in appendix F)."""

Ranking = Sequence[int]
"""Positions of passages, the best first."""


class TimeqaPassageRow(BaseModel):
    """One line of `passages.jsonl`."""

    model_config = ConfigDict(frozen=True)

    id: int | str
    title: str
    text: str


class TimeqaQuestionRow(BaseModel):
    """One line of `questions.jsonl`."""

    model_config = ConfigDict(frozen=True)

    question: str = Field(min_length=1)
    kind: str
    answers: tuple[str, ...]
    gold: tuple[int | str, ...]


@dataclass(frozen=True)
class TimeqaQuestion:
    """One question of the set, taken apart, with what counts as found."""

    question: Question
    kind: str
    answers: tuple[str, ...]
    gold: frozenset[int]


@dataclass(frozen=True)
class TimeqaCorpus:
    """The passages and, for judging, their normalised texts."""

    evidence: tuple[Evidence, ...]
    normalised: tuple[str, ...]


def run(
    folder: Path, *, limit: int | None = None, seed: int = 0, progress: Progress | None = None, **options: str
) -> BenchmarkReport:
    """Measure our ranking beside baselines over the same passages.

    `limit` questions are drawn with `seed`.

    Raises:
        BadInput: for a missing or malformed file, no question, or an option (there is none).
    """
    refuse_unknown(options)
    corpus, questions = load(folder, limit=limit, seed=seed)
    started = time.perf_counter()
    index = build_index(corpus, progress=progress)
    built = time.perf_counter() - started

    systems: dict[str, Callable[[Question], Ranking]] = {
        "dateline": ours(index),
        **whole_question_baselines(index),
        "mrag_years": _mrag(index),
    }
    figures, seconds = {}, {}
    for name, system in systems.items():
        started = time.perf_counter()
        figures[name] = measure(system, corpus=corpus, questions=questions, progress=progress, stage=name)
        seconds[name] = time.perf_counter() - started
    metrics = {**figures.pop("dateline"), **read(index, questions=questions, progress=progress)}
    return BenchmarkReport(
        benchmark="timeqa",
        n=len(questions),
        configuration={
            "embeddings": getattr(index.ranker.embeddings, "name", type(index.ranker.embeddings).__name__),
            "temporal": index.ranker.temporal.name,
            "passages": len(corpus.evidence),
            "reader_passages": READ,
            "as_of": AS_OF.date().isoformat(),
            "answer_in": "title and text",
            "seed": seed,
        },
        metrics=metrics,
        baselines=figures,
        cost={"index_seconds": built, **{f"{name}_seconds": spent for name, spent in seconds.items()}},
    )


def load(folder: Path, *, limit: int | None = None, seed: int = 0) -> tuple[TimeqaCorpus, list[TimeqaQuestion]]:
    """The passages and the questions, taken apart by rules. Raises `BadInput`."""
    evidence: list[Evidence] = []
    numbers: dict[int | str, int] = {}
    for row in rows.read_as(TimeqaPassageRow, rows.find(folder, "passages")):
        numbers[row.id] = len(evidence)
        evidence.append(Evidence(id=str(row.id), text=row.text, title=row.title, source="Wikipedia"))
    asked = [
        TimeqaQuestion(
            question=decompose(asked.question, as_of=AS_OF),
            kind=asked.kind,
            answers=asked.answers,
            gold=frozenset(numbers[number] for number in asked.gold if number in numbers),
        )
        for asked in rows.read_as(TimeqaQuestionRow, rows.find(folder, "questions"))
    ]
    if not asked:
        raise BadInput(f"{folder} holds no questions.")
    asked = drawn(asked, limit=limit, seed=seed)
    normalised = tuple(f" {normalise(f'{item.title} {item.text}')} " for item in evidence)
    return TimeqaCorpus(tuple(evidence), normalised), asked


def build_index(corpus: TimeqaCorpus, *, progress: Progress | None = None) -> PassageIndex:
    """Index the corpus, keeping its vectors in the user's cache."""
    from dateline.text.disk_cache import CachedEmbeddings

    inner = default_embeddings()
    cached = CachedEmbeddings(inner, name=inner.name, progress=partial(progress, "embed") if progress else None)
    return PassageIndex.build(corpus.evidence, embeddings=cached)


def ours(index: PassageIndex) -> Callable[[Question], Ranking]:
    """Our own ranking, as positions."""
    places = {item.id: number for number, item in enumerate(index.passages.evidence)}
    return lambda question: [places[found.evidence.id] for found in index.search(question, max(DEPTHS))]


def whole_question_baselines(index: PassageIndex) -> dict[str, Callable[[Question], Ranking]]:
    """Rank without time: BM25, vectors and their rank fusion."""

    def lexical(question: Question) -> NDArray[np.float32]:
        return index.passages.documents.passages.scores(question.text)

    def semantic(question: Question) -> NDArray[np.float32]:
        scores: NDArray[np.float32] = (
            index.passages.passage_vectors @ embed([question.text], embeddings=index.ranker.embeddings)[0]
        )
        return scores

    def fused(question: Question) -> NDArray[np.float32]:
        return reciprocal_rank_fusion([lexical(question), semantic(question)])

    def ranked(scores: Callable[[Question], NDArray[np.float32]]) -> Callable[[Question], Ranking]:
        return lambda question: [int(number) for number in top(scores(question), max(DEPTHS))]

    return {"bm25": ranked(lexical), "embeddings": ranked(semantic), "fusion": ranked(fused)}


def _mrag(index: PassageIndex) -> Callable[[Question], Ranking]:
    """Rank as MRAG does, without reranker and summaries (section 4).

    Of the first 1000 by embeddings the 100 with the most keywords (appendix F), by the closest sentence's cosine times its
    years' score. The paper reranks whole passages first, and scores summaries of the best ones beside their sentences.
    """
    passages, scorer = index.passages, MragScorer(years_only=True)
    stems = [frozenset(content_words(headed(item))) for item in passages.evidence]

    def ranked(question: Question) -> Ranking:
        content = question.timeless
        query = embed([content], embeddings=index.ranker.embeddings)[0]
        retrieved = top(passages.passage_vectors @ query, RETRIEVED)
        held = keyword_scores(content, stems=[stems[number] for number in retrieved])
        candidates = np.sort(retrieved[top(held, KEPT)])
        sentences, sizes = members_of(passages.bounds, candidates)
        semantic = np.clip(passages.vectors[sentences] @ query, 0, 1)
        temporal, _ = temporal_scores(
            question, timeline=passages.timeline, sentences=sentences, scorer=sentence_alone(scorer)
        )
        scores = np.maximum.reduceat(semantic * temporal, np.cumsum(sizes) - sizes)
        return [int(number) for number in candidates[top(scores, max(DEPTHS))]]

    return ranked


def read(index: PassageIndex, *, questions: Sequence[TimeqaQuestion], progress: Progress | None) -> dict[str, float]:
    """Read our first five passages; return EM and F1 in percent."""
    reader = TrainedReader()
    perturbed = [asked for asked in questions if asked.kind == "perturbed"]
    exact, overlap = [], []
    for asked in watched(perturbed, stage="read", progress=progress):
        evidence = [found.evidence for found in index.search(asked.question, READ)]
        answer = reader.read(asked.question, evidence=evidence).reading.answer
        exact.append(exact_match(answer, golds=asked.answers))
        overlap.append(token_f1(answer, golds=asked.answers))
    if not perturbed:
        return {}
    return {"reader_EM": 100 * float(np.mean(exact)), "reader_F1": 100 * float(np.mean(overlap))}


def measure(
    system: Callable[[Question], Ranking],
    *,
    corpus: TimeqaCorpus,
    questions: Sequence[TimeqaQuestion],
    progress: Progress | None = None,
    stage: str,
) -> dict[str, float]:
    """`<kind>_AR@k` and `<kind>_ER@k` in percent."""
    hits: dict[str, list[float]] = {}
    for asked in watched(questions, stage=stage, progress=progress):
        ranking = system(asked.question)
        answers = [f" {normalised} " for answer in asked.answers if (normalised := normalise(answer))]
        answered = [any(answer in corpus.normalised[number] for answer in answers) for number in ranking]
        proven = [number in asked.gold for number in ranking]
        for depth in DEPTHS:
            hits.setdefault(f"{asked.kind}_AR@{depth}", []).append(float(any(answered[:depth])))
            hits.setdefault(f"{asked.kind}_ER@{depth}", []).append(float(any(proven[:depth])))
    return {name: 100 * sum(found) / len(found) for name, found in sorted(hits.items())}
