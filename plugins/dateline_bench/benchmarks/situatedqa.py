"""SituatedQA: edited questions taken apart again (Zhang and Choi, 2021)."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from dateline.errors import BadInput
from dateline.temporal import Interval, Question, decompose, find_expressions
from dateline_bench import rows
from dateline_bench.benchmark import BenchmarkReport, Progress, drawn, refuse_unknown

_ASKED = datetime(2021, 12, 31, tzinfo=UTC)
"""No question of the set is asked later."""


class SituatedqaRow(BaseModel):
    """One line of `temporal.jsonl`; those without an edited question are left out."""

    model_config = ConfigDict(frozen=True)

    question: str
    edited_question: str | None = None
    date: str


def recovered(question: Question, *, row: SituatedqaRow) -> tuple[bool, bool]:
    """Check that decomposition recovers original question and date."""
    content = question.content.strip() == row.question.strip()
    constraint = question.constraint
    return content, constraint is not None and constraint.interval == _interval_of(row.date)


def _interval_of(date: str) -> Interval | None:
    found = find_expressions(f"in {date}")
    return found[0].interval if found else None


def run(
    folder: Path, *, limit: int | None = None, seed: int = 0, progress: Progress | None = None, **options: str
) -> BenchmarkReport:
    """Measure over `temporal.jsonl[.gz]`, rows of {question, edited_question, date}.

    `decomposition_accuracy`: main content equals the original question and the constraint's interval is the date's;
    `content_accuracy` and `constraint_accuracy` are its halves.
    """
    refuse_unknown(options)
    records = [row for row in rows.read_as(SituatedqaRow, rows.find(folder, "temporal")) if row.edited_question]
    if not records:
        raise BadInput(f"{folder} holds no edited question; SituatedQA rows carry question, edited_question and date.")
    records = drawn(records, limit=limit, seed=seed)
    both = content = constraint = 0
    seconds = 0.0
    for number, row in enumerate(records, start=1):
        begun = time.perf_counter()
        question = decompose(row.edited_question or "", as_of=_ASKED)
        seconds += time.perf_counter() - begun
        has_content, has_constraint = recovered(question, row=row)
        content += has_content
        constraint += has_constraint
        both += has_content and has_constraint
        if progress is not None and number % 100 == 0:
            progress("questions", number, len(records))
    share = 100 / len(records)
    return BenchmarkReport(
        benchmark="situatedqa",
        n=len(records),
        configuration={"decomposition": "rules", "as_of": _ASKED.isoformat()},
        metrics={
            "decomposition_accuracy": both * share,
            "content_accuracy": content * share,
            "constraint_accuracy": constraint * share,
        },
        baselines={},
        cost={"seconds": seconds, "milliseconds_per_question": 1000 * seconds / len(records)},
    )
