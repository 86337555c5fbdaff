"""RealTimeQA: weekly news quizzes with four choices (Kasai et al., 2023)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from dateline.certainty import MarginEstimator, auroc, expected_calibration_error
from dateline.errors import BadInput, check_least
from dateline.protocols import Reader
from dateline.reading import ExtractiveReader, TrainedReader
from dateline.records import Evidence, Reading
from dateline.temporal.constraint import Question
from dateline.temporal.decomposition import decompose
from dateline.temporal.interval import Interval
from dateline.text.words import words
from dateline_bench import rows
from dateline_bench.benchmark import BenchmarkReport, Progress, drawn, refuse_unknown, watched
from dateline_bench.shares import share_right

_RANDOM = 25.0
"""Per cent that a blind guess among four choices gets."""


def _as_day(value: Any) -> Any:
    return Interval.parse(value) if isinstance(value, str) and value.strip() else value or None


class RealtimeqaResult(BaseModel):
    """One result of the day's search."""

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True)

    text: str | None = None
    title: str | None = None
    url: str | None = None
    publish_date: Annotated[Interval | None, BeforeValidator(_as_day)] = None


class RealtimeqaRow(BaseModel):
    """One line of `questions.jsonl`."""

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True)

    question: str = Field(min_length=1)
    question_date: Annotated[Interval, BeforeValidator(_as_day)]
    choices: tuple[str, ...] = Field(min_length=1)
    answer_index: tuple[int, ...]
    results: tuple[RealtimeqaResult, ...]

    @model_validator(mode="after")
    def _right_is_a_choice(self) -> Self:
        if any(not 0 <= index < len(self.choices) for index in self.answer_index):
            raise ValueError(f"answer_index {list(self.answer_index)} names none of {len(self.choices)} choices")
        return self


@dataclass(frozen=True, slots=True)
class RealtimeqaQuestion:
    """Quiz question with its day's evidence and the right choice.

    `number` is its row, from 1; `dropped` counts results that were dated later.
    """

    number: int
    question: Question
    choices: tuple[str, ...]
    right: frozenset[int]
    evidence: tuple[Evidence, ...]
    dropped: int


def run(
    folder: Path, *, limit: int | None = None, seed: int = 0, progress: Progress | None = None, **options: str
) -> BenchmarkReport:
    """Measure the local reader over `questions.jsonl[.gz]` in `folder`.

    `choice_accuracy` reads the results known on the question's day with their dates;
    `choice_accuracy_search_order` the same results in the same order with no dates. `certainty_auroc`
    and `certainty_ece` say how well the local estimator tells right readings from wrong ones. Baselines: the
    rules without a model, a blind guess, and counting the choices' words weighted by search rank.

    Raises:
        BadInput: for a missing or malformed file, a `limit` below 1, or any option.
    """
    refuse_unknown(options)
    check_least(1, limit=limit)
    started = time.perf_counter()
    items = load(folder, limit=limit, seed=seed)
    reader, rules = TrainedReader(), ExtractiveReader()
    reading = time.perf_counter()
    dated = _read(items, reader, progress, "with dates", dates=True)
    spent = time.perf_counter() - reading
    undated = _read(items, reader, progress, "search order", dates=False)
    plain = _read(items, rules, progress, "rules", dates=True)
    by_rank = [_most_words(item) in item.right for item in items]
    trust = [
        MarginEstimator().estimate(item.question, evidence=item.evidence, reading=found).reliable
        for item, found in zip(items, dated, strict=True)
    ]
    right = _right(items, dated)
    return BenchmarkReport(
        benchmark="realtimeqa",
        n=len(items),
        configuration={"reader": "TrainedReader", "seed": seed, "limit": limit},
        metrics={
            "choice_accuracy": share_right(right),
            "choice_accuracy_search_order": share_right(_right(items, undated)),
            "certainty_auroc": round(100 * auroc(trust, correct=right), 2),
            "certainty_ece": round(100 * expected_calibration_error(trust, correct=right), 2),
        },
        baselines={
            "random": {"choice_accuracy": _RANDOM},
            "rules": {"choice_accuracy": share_right(_right(items, plain))},
            "words by rank": {"choice_accuracy": share_right(by_rank)},
        },
        cost={
            "model_calls": 0.0,
            "seconds": round(time.perf_counter() - started, 2),
            "milliseconds_per_question": round(1000 * spent / len(items), 2),
            "results_dropped_as_later": float(sum(item.dropped for item in items)),
        },
    )


def load(folder: Path, *, limit: int | None = None, seed: int = 0) -> list[RealtimeqaQuestion]:
    """Load questions in their order, at most `limit`, drawn with `seed`.

    Raises:
        BadInput: for a missing or malformed file, or one without questions.
    """
    found = list(enumerate(rows.read_as(RealtimeqaRow, rows.find(folder, "questions")), start=1))
    if not found:
        raise BadInput(f"{folder} holds no questions.")
    chosen = sorted(drawn(found, limit=limit, seed=seed), key=lambda one: one[0])
    return [read_item(row, number=number) for number, row in chosen]


def read_item(row: RealtimeqaRow, *, number: int) -> RealtimeqaQuestion:
    """Take one row apart; drop results dated after the question."""
    day, results = row.question_date, [_evidence(result, position) for position, result in enumerate(row.results)]
    known = tuple(one for one in results if one.published is None or not one.published.after(day))
    question = decompose(row.question, as_of=_moment(day))
    right, dropped = frozenset(row.answer_index), len(results) - len(known)
    return RealtimeqaQuestion(number, question, row.choices, right, known, dropped)


def _evidence(result: RealtimeqaResult, position: int) -> Evidence:
    return Evidence.make(
        result.text or "",
        title=result.title or "",
        url=result.url or "",
        published=result.publish_date,
        kind="organic",
        position=position,
    )


def _moment(day: Interval) -> datetime:
    """The end of the question's day."""
    return day.last_moment().astimezone(UTC)


def _read(
    items: Sequence[RealtimeqaQuestion], reader: Reader, progress: Progress | None, stage: str, *, dates: bool
) -> list[Reading]:
    readings = []
    for item in watched(items, stage=stage, progress=progress):
        evidence = item.evidence if dates else [one.model_copy(update={"published": None}) for one in item.evidence]
        readings.append(reader.read(item.question, evidence=evidence, choices=item.choices).reading)
    return readings


def _right(items: Sequence[RealtimeqaQuestion], readings: Sequence[Reading]) -> list[bool]:
    return [reading.choice in item.right for item, reading in zip(items, readings, strict=True)]


def _most_words(item: RealtimeqaQuestion) -> int:
    """The choice whose words occur most, each result weighted by 1 / rank."""
    texts = [set(words(f"{one.title} {one.text}")) for one in item.evidence]
    scores = [
        sum(len(own & text) / len(own) / rank for rank, text in enumerate(texts, start=1)) if own else 0.0
        for own in (set(words(choice)) for choice in item.choices)
    ]
    return max(range(len(scores)), key=lambda index: (scores[index], -index))
