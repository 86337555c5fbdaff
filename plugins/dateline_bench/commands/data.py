"""`dateline data build`: convert a benchmark's public original into the format that `dateline evaluate` reads."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from dateline import BadInput
from dateline_bench.benchmark import converter, convertible


def add_to(commands: Any) -> None:
    """Register the subcommand."""
    command = commands.add_parser("data", help="prepare benchmark files", description=__doc__)
    jobs = command.add_subparsers(dest="job", required=True)
    build = jobs.add_parser(
        "build",
        help="convert a public original",
        description=__doc__,
        epilog="Example: dateline data build timeqa TimeQA/dataset data/timeqa",
    )
    build.add_argument("name", metavar="NAME", help=f"one of: {', '.join(convertible())}")
    build.add_argument("source", metavar="SRC", type=Path, help="the folder or file of the public original")
    build.add_argument("out", metavar="OUT", type=Path, help="the folder to write")
    build.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Convert, and say what was written."""
    chosen = converter(arguments.name)
    if not arguments.source.exists():
        raise BadInput(f"There is no {arguments.source}; give the public original, see docs/benchmarks.md.")
    written = chosen.build(arguments.source, arguments.out)
    sys.stdout.write("".join(f"{path}: {count} rows\n" for path, count in written.items()))
    return 0
