"""`dateline grow`: a benchmark that grows with snapshots of documents."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table

from dateline import BadInput
from dateline.counted import counted
from dateline_cli.files import check_folder, check_target
from dateline_cli.options import add_options, given_options
from dateline_cli.show import SafeConsole, stages_shown

if TYPE_CHECKING:
    from dateline_bench.growing.benchmark_folder import BenchmarkFolder, MonthMeta

_ROWS = '"document": {"text": '
"""What every row holds."""


def add_to(commands: Any) -> None:
    """Register the subcommand."""
    command = commands.add_parser("grow", help="grow a benchmark with snapshots of documents", description=__doc__)
    jobs = command.add_subparsers(dest="job", required=True)
    jobs.add_parser(
        "init",
        help="make the first month",
        description="Make the first month of a benchmark.",
        epilog="Example: dateline grow init benchmark snapshots, where snapshots holds 2024-01, 2024-02, ...",
        fill=_fill_init,
    )
    jobs.add_parser(
        "update",
        help="make the months that are missing",
        description="Make every later month that is not there yet.",
        epilog="Example: dateline grow update benchmark snapshots",
        fill=_fill_update,
    )
    stats = jobs.add_parser("stats", help="count by type and month", description="Count by type and month.")
    stats.add_argument("out", metavar="OUT", type=Path, help="the folder of the benchmark")
    stats.add_argument("--json", action="store_true", help="print one JSON document instead")
    stats.set_defaults(run=_stats)
    labelled = jobs.add_parser(
        "rows",
        help="write labelled rows for certainty train",
        description="Write rows for dateline certainty train: unchanged questions with a document that states the answer, and "
        "changed and new ones with a document of the month before.",
        epilog="Example: dateline grow rows benchmark --out rows.jsonl",
    )
    labelled.add_argument("folder", metavar="DIR", type=Path, help="the folder of the benchmark, or of one month of it")
    labelled.add_argument("--out", metavar="FILE", type=Path, required=True, help="the JSON lines to write")
    labelled.set_defaults(run=_rows)


def _fill_init(job: argparse.ArgumentParser) -> None:
    _fill_making(job)
    job.add_argument(
        "--month",
        default="",
        metavar="DATE",
        help="begin with this folder of SNAPSHOTS, such as 2024-01 (default: the oldest)",
    )
    job.set_defaults(run=_init)


def _fill_update(job: argparse.ArgumentParser) -> None:
    _fill_making(job)
    job.set_defaults(run=_update)


def _fill_making(job: argparse.ArgumentParser) -> None:
    from dateline_bench.grow_graph import GrowOptions

    job.add_argument("out", metavar="OUT", type=Path, help="the folder of the benchmark")
    job.add_argument("snapshots", metavar="SNAPSHOTS", type=Path, help="a folder with a folder for each date")
    add_options(job, GrowOptions)


def _init(arguments: argparse.Namespace) -> int:
    from dateline_bench.growing.articles import load_snapshot, snapshot_folders

    folders = snapshot_folders(arguments.snapshots)
    if arguments.month:
        folders = [each for each in folders if each.name == arguments.month]
        if not folders:
            raise BadInput(f"There is no snapshot {arguments.month} in {arguments.snapshots}.")
    with stages_shown() as progress:
        meta = _benchmark(arguments).start(load_snapshot(folders[0]), progress=progress)
    _tell(arguments.out, [meta])
    return 0


def _update(arguments: argparse.Namespace) -> int:
    from dateline_bench.growing.articles import load_snapshot, month_key, snapshot_folders
    from dateline_bench.growing.benchmark_folder import months_in

    folders = snapshot_folders(arguments.snapshots)
    months = months_in(arguments.out)
    if not months:
        raise BadInput(f"{arguments.out} holds no benchmark; begin one with: dateline grow init.")
    later = [each for each in folders if month_key(each.name) > month_key(months[-1])]
    benchmark = _benchmark(arguments)
    with stages_shown() as progress:
        metas = [
            benchmark.update(load_snapshot(each), snapshots=arguments.snapshots, progress=progress) for each in later
        ]
    if not metas:
        sys.stdout.write(f"{arguments.out} is up to date: its last month is {months[-1]}.\n")
    _tell(arguments.out, metas)
    return 0


def _stats(arguments: argparse.Namespace) -> int:
    from dateline_bench.growing.benchmark_folder import counts_of, months_in

    months = months_in(arguments.out)
    if not months:
        raise BadInput(f"{arguments.out} holds no benchmark; begin one with: dateline grow init.")
    counts = [counts_of(arguments.out, month=month) for month in months]
    if arguments.json:
        rows = [{"month": each.month, "questions": each.questions, "turns": each.turns} for each in counts]
        sys.stdout.write(json.dumps(rows, indent=2) + "\n")
        return 0
    for title, of in (("Questions", 1), ("Turns of dialogues", 2)):
        columns = list(dict.fromkeys(type for each in counts for type in each[of]))
        table = Table(title=title, title_justify="left")
        table.add_column("month")
        for column in (*columns, "Total"):
            table.add_column(column, justify="right")
        for each in counts:
            row = each[of]
            assert not isinstance(row, str)
            total = sum(count for type, count in row.items() if type in ("Unchanged", "New", "Changed"))
            table.add_row(each.month, *(str(row.get(column, 0)) for column in columns), str(total))
        SafeConsole().print(table)
    return 0


def _rows(arguments: argparse.Namespace) -> int:
    from dateline.text import default_embeddings
    from dateline_bench import rows
    from dateline_bench.growing.certainty_rows import labelled_rows
    from dateline_bench.growing.steps import read_steps

    check_target(arguments.out, what="the rows", mark=_ROWS)
    made = list(labelled_rows(read_steps(arguments.folder), embeddings=default_embeddings()))
    rows.write(arguments.out, made)
    labels = ", ".join(f"{number} {label}" for label, number in sorted(Counter(row["label"] for row in made).items()))
    sys.stdout.write(f"{arguments.out}: {labels or 'no rows'}.\n")
    return 0


def _benchmark(arguments: argparse.Namespace) -> BenchmarkFolder:
    """Make the benchmark's folder object; nothing is written yet."""
    from dateline_bench.grow_graph import GrowOptions, growth_of
    from dateline_bench.growing.benchmark_folder import BenchmarkFolder

    growth = growth_of(given_options(arguments, GrowOptions))
    check_folder(arguments.out, what="the benchmark")
    return BenchmarkFolder(arguments.out, growth=growth, model=arguments.model)


def _tell(out: Path, metas: list[MonthMeta]) -> None:
    """One line a month, and how many tasks came to nothing."""
    from dateline_bench.growing.benchmark_folder import counts_of

    for meta in metas:
        counts = counts_of(out, month=meta.month)
        asked = ", ".join(f"{number} {type}" for type, number in counts.questions.items() if number)
        said = ", ".join(f"{number} {type}" for type, number in counts.turns.items() if number)
        sys.stdout.write(f"{out / meta.month}: questions {asked or 'none'}; turns {said or 'none'}; ")
        sys.stdout.write(f"{counted(len(meta.notes), 'note')} in month.json; ")
        sys.stdout.write(f"{counted(meta.cost.model_calls, 'model call')}.\n")
