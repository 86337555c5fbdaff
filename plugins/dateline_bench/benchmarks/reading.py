"""Reading on TimeQA: gold passages, and our own ranking's.

Files: `passages.jsonl` and `questions.jsonl`, as for the benchmark `timeqa`. Option `pages=validation` keeps to the pages
that the shipped reader was not trained on; the default is all.

`gold_EM`, `gold_F1`: with the gold passage alone. `key_reader_EM` ... `perturbed_reader_F1`: over our own first five
passages. `no_answer_auroc`: how well the probability of "no answer" tells three passages of the page that do not hold
the answer from the gold one among two of them. The rules without a model (`ExtractiveReader`) stand beside it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dateline.certainty.calibration import auroc
from dateline.errors import BadInput
from dateline.evaluation.metrics import exact_match, token_f1
from dateline.protocols import Reader
from dateline.ranking.index import PassageIndex
from dateline.reading import ExtractiveReader, TrainedReader
from dateline.records import Evidence, Reading
from dateline_bench.benchmark import BenchmarkReport, Progress, drawn, refuse_unknown, watched
from dateline_bench.benchmarks.timeqa import READ, TimeqaCorpus, TimeqaQuestion, build_index, load
from dateline_bench.held_out import held_out, read_part

OTHERS = 3
"""Passages without the answer that a question is read with, to see whether the reader notices."""


@dataclass(frozen=True)
class ReadingSheet:
    """A question with the evidence of each way to ask it."""

    asked: TimeqaQuestion
    gold: list[Evidence]
    found: list[Evidence]
    others: list[Evidence]


def run(
    folder: Path, *, limit: int | None = None, seed: int = 0, progress: Progress | None = None, **options: str
) -> BenchmarkReport:
    """Measure both readers; `limit` questions are drawn with `seed`.

    Raises:
        BadInput: for a missing or malformed file, or an unknown option or value.
    """
    pages = read_part(options, "pages")
    refuse_unknown(options, "pages")
    corpus, every = load(folder)
    questions = [
        one for one in every if one.gold and (pages == "all" or held_out(corpus.evidence[min(one.gold)].title))
    ]
    if not questions:
        raise BadInput(f"{folder} holds no question whose gold passage is among its passages.")
    questions = drawn(questions, limit=limit, seed=seed)
    sheets = list(_sheets(questions, corpus, build_index(corpus, progress=progress)))
    started = time.perf_counter()
    metrics = _measure(TrainedReader(), sheets, progress=progress, stage="trained")
    seconds = time.perf_counter() - started
    return BenchmarkReport(
        benchmark="reading",
        n=len(sheets),
        configuration={"reader": "TrainedReader", "pages": pages, "reader_passages": READ, "seed": seed},
        metrics=metrics,
        baselines={"rules": _measure(ExtractiveReader(), sheets, progress=progress, stage="rules")},
        cost={"reading_seconds": seconds},
    )


def _sheets(questions: Sequence[TimeqaQuestion], corpus: TimeqaCorpus, index: PassageIndex) -> list[ReadingSheet]:
    pages: dict[str, list[int]] = {}
    for number, piece in enumerate(corpus.evidence):
        pages.setdefault(piece.title, []).append(number)
    return [
        ReadingSheet(
            asked=one,
            gold=[corpus.evidence[number] for number in sorted(one.gold)],
            found=[found.evidence for found in index.search(one.question, READ)],
            others=_without_answer(one, pages[corpus.evidence[min(one.gold)].title], corpus)[:OTHERS],
        )
        for one in questions
    ]


def _without_answer(asked: TimeqaQuestion, page: Sequence[int], corpus: TimeqaCorpus) -> list[Evidence]:
    """List passages without the answer, most similar first."""
    content = set(asked.question.content.lower().split())
    lacking = [
        corpus.evidence[number]
        for number in page
        if number not in asked.gold
        and not any(answer.lower() in corpus.evidence[number].text.lower() for answer in asked.answers)
    ]
    return sorted(lacking, key=lambda piece: -len(content & set(piece.text.lower().split())))


def _measure(
    reader: Reader, sheets: Sequence[ReadingSheet], *, progress: Progress | None, stage: str
) -> dict[str, float]:
    scores: dict[str, list[float]] = {}
    nothing: list[float] = []
    holds: list[bool] = []

    def note(name: str, reading: Reading, asked: TimeqaQuestion) -> None:
        scores.setdefault(f"{name}_EM", []).append(100 * exact_match(reading.answer, golds=asked.answers))
        scores.setdefault(f"{name}_F1", []).append(100 * token_f1(reading.answer, golds=asked.answers))

    for sheet in watched(sheets, stage=stage, progress=progress):
        question = sheet.asked.question
        note("gold", reader.read(question, evidence=sheet.gold).reading, sheet.asked)
        note(f"{sheet.asked.kind}_reader", reader.read(question, evidence=sheet.found).reading, sheet.asked)
        if sheet.others:
            mixed = [*sheet.gold, *sheet.others[: OTHERS - 1]]
            nothing += [reader.read(question, evidence=one).reading.no_answer for one in (mixed, sheet.others)]
            holds += [False, True]
    figures = {name: float(np.mean(values)) for name, values in sorted(scores.items())}
    if nothing:
        figures["no_answer_auroc"] = 100 * auroc(nothing, correct=holds)
    return figures
