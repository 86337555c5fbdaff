"""EverGreenQA: does the answer stay the same? (Pletenev et al., 2025)"""

from __future__ import annotations

import csv
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from dateline.certainty.calibration import auroc
from dateline.errors import BadInput
from dateline.temporal.pace import SPEEDS, how_fast
from dateline_bench.benchmark import BenchmarkReport, Progress, drawn, refuse_unknown, watched
from dateline_bench.shares import share

LANGUAGES = ("English", "Russian", "French", "German", "Hebrew", "Arabic", "Chinese")
_LABEL = "is_evergreen"
_TRUTH = {"1": True, "1.0": True, "true": True, "0": False, "0.0": False, "false": False}


class LabelledQuestion(NamedTuple):
    """A question in some languages, and whether its answer stays the same."""

    wordings: dict[str, str]
    evergreen: bool


def read_questions(folder: Path) -> list[LabelledQuestion]:
    """Read the questions of all CSV files of a folder.

    Columns are found by their names, in any case and order; others are ignored. Raises `BadInput` where a file has no label, or
    none has a question.
    """
    found: list[LabelledQuestion] = []
    for path in sorted(folder.glob("*.csv")):
        try:
            with path.open(encoding="utf-8-sig", newline="") as file:
                found += _questions(csv.DictReader(file), path)
        except (UnicodeDecodeError, csv.Error) as cause:
            raise BadInput(f"{path} is no CSV file in UTF-8: {cause}.") from cause
    if not found:
        raise BadInput(f"{folder} holds no labelled question; give a folder of EverGreenQA's files, such as dev.csv.")
    return found


def _questions(rows: csv.DictReader[str], path: Path) -> Iterator[LabelledQuestion]:
    columns = {(name or "").strip().casefold(): name for name in rows.fieldnames or ()}
    if _LABEL not in columns:
        raise BadInput(f"{path} has no column {_LABEL}; EverGreenQA's files have one beside their questions.")
    named = {language: columns[language.casefold()] for language in LANGUAGES if language.casefold() in columns}
    if not named and "question" in columns:
        named = {"English": columns["question"]}
    for row in rows:
        label = _TRUTH.get(str(row[columns[_LABEL]] or "").strip().casefold())
        wordings = {language: row[name].strip() for language, name in named.items() if (row[name] or "").strip()}
        if label is not None and wordings:
            yield LabelledQuestion(wordings, label)


def run(
    folder: Path, *, limit: int | None = None, seed: int = 0, progress: Progress | None = None, **options: str
) -> BenchmarkReport:
    """Measure over the questions of all files of the folder.

    `auroc`: the chance that an evergreen English question is called likelier to stay than another; `auroc_LANGUAGE` for the
    other languages. `accuracy`, `precision` and `recall` of evergreen, `macro_f1` of both classes: English, from one half on.
    `said_SPEED`: the share of English questions of which that speed is said. `train.csv` is what the model was fitted on.
    """
    refuse_unknown(options)
    questions = drawn(read_questions(folder), limit=limit, seed=seed)
    metrics: dict[str, float] = {}
    counted: dict[str, dict[str, int]] = {}
    started, asked = time.perf_counter(), 0
    for language in watched(LANGUAGES, stage="languages", progress=progress):
        told = [(one.wordings[language], one.evergreen) for one in questions if language in one.wordings]
        if told:
            paces, labels = [how_fast(text) for text, _ in told], [evergreen for _, evergreen in told]
            asked += len(told)
            counted[language] = {"n": len(told), "evergreen": sum(labels), "not": len(told) - sum(labels)}
            if 0 < sum(labels) < len(labels):
                name = "auroc" if language == "English" else f"auroc_{language.casefold()}"
                metrics[name] = 100 * auroc([pace.never for pace in paces], correct=labels)
            if language == "English":
                speeds = Counter(pace.speed for pace in paces)
                metrics |= _decided([pace.speed == "never" for pace in paces], labels)
                metrics |= {f"said_{speed}": 100 * speeds[speed] / len(told) for speed in SPEEDS}
    seconds = time.perf_counter() - started
    english = counted.get("English")
    usual = 100 * max(english["evergreen"], english["not"]) / english["n"] if english else 0.0
    return BenchmarkReport(
        benchmark="evergreen",
        n=len(questions),
        configuration={"languages": counted},
        metrics=metrics,
        baselines={"the commoner label": {"auroc": 50.0, "accuracy": usual}} if english else {},
        cost={"seconds": seconds, "milliseconds_a_question": 1000 * seconds / max(asked, 1)},
    )


def _decided(said: list[bool], labels: list[bool]) -> dict[str, float]:
    """Return the figures of a yes or no, in per cent."""
    both = sum(a and b for a, b in zip(said, labels, strict=True))
    right = sum(a == b for a, b in zip(said, labels, strict=True))
    of_stays = 2 * both / max(sum(said) + sum(labels), 1)
    of_others = 2 * (right - both) / max(2 * len(labels) - sum(said) - sum(labels), 1)
    return {
        "accuracy": 100 * right / len(labels),
        "precision": share(both, sum(said)),
        "recall": share(both, sum(labels)),
        "macro_f1": 50 * (of_stays + of_others),
    }
