"""Time understanding: sentences, traps and questions with gold by hand."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter

from dateline.errors import BadInput
from dateline_bench import rows
from dateline_bench.benchmark import BenchmarkReport, Progress, drawn, refuse_unknown
from dateline_bench.shares import share
from dateline_bench.time_items import TimeItem, judged

ITEMS = '"wanted": '
"""What every line of verdicts holds."""


def run(
    folder: Path, *, limit: int | None = None, seed: int = 0, progress: Progress | None = None, **options: str
) -> BenchmarkReport:
    """Measure over `FILE.jsonl[.gz]`, lines of expressions, traps and questions.

    `sentences_right`: every time found with its value, and nothing else; `traps_clean`: no time found where there is none;
    `questions_right`: relation and interval. Options: `file`, the name without its ending (hand_written); `items`, a file
    to which each verdict is written.
    """
    refuse_unknown(options, "file", "items")
    items = list(rows.read_as(TimeItem, rows.find(folder, options.get("file", "hand_written"))))
    if not items:
        raise BadInput(f"{folder} holds no item; each line is an expression, a trap or a question.")
    begun = perf_counter()
    verdicts = [judged(item) for item in drawn(items, limit=limit, seed=seed)]
    seconds = perf_counter() - begun
    if progress is not None:
        progress("items", len(verdicts), len(verdicts))
    if "items" in options:
        rows.write(Path(options["items"]), (verdict.model_dump() for verdict in verdicts))
    kinds = {kind: [one for one in verdicts if one.kind == kind] for kind in ("expression", "trap", "question")}
    right = {kind: share(sum(one.right for one in ones), len(ones)) for kind, ones in kinds.items()}
    wanted = sum(one.wanted for one in verdicts)
    found = sum(one.found for one in verdicts)
    return BenchmarkReport(
        benchmark="time",
        n=len(verdicts),
        configuration={kind: len(ones) for kind, ones in kinds.items()},
        metrics={
            "sentences_right": right["expression"],
            "traps_clean": right["trap"],
            "questions_right": right["question"],
            "times_found": share(found, wanted),
            "values_right": share(sum(one.valued for one in verdicts), found),
        },
        baselines={},
        cost={"seconds": seconds},
    )
