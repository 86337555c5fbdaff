"""`dateline evaluate`: measure over a benchmark's files."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from rich.table import Table

from dateline import BadInput
from dateline.options import MAX_SEED
from dateline_bench.benchmark import BenchmarkReport, items_mark, load, names, needs_folder
from dateline_cli.files import check_target, write_whole
from dateline_cli.show import SafeConsole, stages_shown
from dateline_cli.values import whole

_REPORT = '{\n  "benchmark": '
"""What every file of figures begins with."""


def add_to(commands: Any) -> None:
    """Register the subcommand."""
    command = commands.add_parser(
        "evaluate",
        help="measure over a benchmark",
        description=__doc__,
        epilog="Example: dateline evaluate labels --json labels.json",
    )
    command.add_argument("name", metavar="NAME", help=f"one of: {', '.join(names())}")
    command.add_argument(
        "folder",
        metavar="DIR",
        type=Path,
        nargs="?",
        help="the folder of its files; docs/benchmarks.md (a benchmark that makes its own needs none)",
    )
    command.add_argument("--json", metavar="FILE", type=Path, help="write the figures there")
    command.add_argument("--items", metavar="FILE", type=Path, help="write each answer there (of benchmarks that do)")
    command.add_argument(
        "--limit",
        metavar="N",
        type=whole(1),
        help="only N items, drawn with the seed; of locomo N of each conversation (default: all)",
    )
    command.add_argument(
        "--seed", metavar="N", type=whole(0, MAX_SEED), default=0, help="of what is drawn (default: 0)"
    )
    command.add_argument(
        "--option",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help="an option of the benchmark's own, see docs/benchmarks.md; repeatable",
    )
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Measure, print a table, and write the JSON file last, whole."""
    benchmark = load(arguments.name)
    if arguments.folder is None and needs_folder(benchmark):
        raise BadInput(
            f"{arguments.name} measures over files: give their folder, dateline evaluate {arguments.name} DIR."
        )
    if arguments.folder is not None and not arguments.folder.is_dir():
        raise BadInput(f"There is no folder {arguments.folder}; give the folder of the benchmark's files.")
    options = _options(arguments.option) | ({"items": str(arguments.items)} if arguments.items else {})
    items = Path(options["items"]) if options.get("items") else None
    check_target(arguments.json, what="the figures", mark=_REPORT)
    check_target(items, what="the answers", mark=items_mark(benchmark))
    with stages_shown() as progress:
        report = benchmark.run(
            arguments.folder,
            limit=arguments.limit,
            seed=arguments.seed,
            progress=progress,
            **options,
        )
    if arguments.json:
        figures = json.dumps(report.model_dump(mode="json"), indent=2) + "\n"
        write_whole(arguments.json, text=figures, what="the figures")
    SafeConsole().print(table_of(report))
    return 0


def table_of(report: BenchmarkReport) -> Table:
    """Our figures beside the baselines', a row a metric."""
    table = Table(title=f"{report.benchmark}, n = {report.n}", title_justify="left")
    table.add_column("metric", no_wrap=True)
    table.add_column("dateline", justify="right", style="bold")
    for baseline in report.baselines:
        table.add_column(baseline, justify="right")
    metrics = [*report.metrics, *{m: 0 for b in report.baselines.values() for m in b if m not in report.metrics}]
    for metric in metrics:
        figures = [report.metrics.get(metric), *(b.get(metric) for b in report.baselines.values())]
        table.add_row(metric, *("" if figure is None else f"{figure:.1f}" for figure in figures))
    table.caption = ", ".join(f"{key} {value:.4g}" for key, value in report.cost.items())
    return table


def _options(pairs: list[str]) -> dict[str, str]:
    options = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not (equals and key.isidentifier()):
            raise BadInput(f"Cannot read the option {pair!r}; write it as KEY=VALUE.")
        options[key] = value
    return options
