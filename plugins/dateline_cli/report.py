"""`dateline report`: a run as one HTML page.

It is made from what `dateline ask --json` or `dateline generate --json` printed.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from dateline import BadInput
from dateline.files import read_bytes
from dateline.visible import visible
from dateline_cli.files import PAGE, check_target, write_whole
from dateline_cli.show import print_lines


def add_to(commands: Any) -> None:
    """Register the subcommand."""
    command = commands.add_parser(
        "report",
        help="show a run as an HTML page",
        description=__doc__,
        epilog="Example: dateline report run.json --out page.html",
    )
    command.add_argument(
        "run_file", metavar="RUN.json", help="what ask --json or generate --json printed; - reads standard input"
    )
    command.add_argument("--out", type=Path, metavar="FILE", help="the page to write (default: beside RUN.json)")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Read the run, write its page, say where."""
    piped = arguments.run_file == "-"
    source = Path(arguments.run_file)
    # A folder, such as `.`, has no name to take another ending; it is refused where it is read.
    target = arguments.out or source.parent / f"{source.stem}.html"
    if piped and not arguments.out:
        raise BadInput("Say where the page goes: --out FILE; standard input has no folder of its own.")
    check_target(target, what="the page", mark=PAGE)
    if not piped and target.absolute() == source.absolute():
        raise BadInput(f"The page would take the place of {source} itself; give --out another name.")
    from dateline_graphs.page import render
    from dateline_graphs.stored import read_run

    made = read_run(_text(source, piped=piped), name="Standard input" if piped else str(source))
    write_whole(target, text=render(made), what="the page")
    print_lines(f"Wrote {visible(str(target))}")
    return 0


def _text(source: Path, *, piped: bool) -> str:
    try:
        content = sys.stdin.buffer.read() if piped else read_bytes(source)
        return content.decode("utf-8-sig")
    except OSError as cause:
        raise BadInput(f"Cannot read {source}: {cause.strerror or cause}.") from cause
    except UnicodeDecodeError as cause:
        raise BadInput(
            f"{source} is not JSON in UTF-8; give what dateline ask --json or dateline generate --json printed."
        ) from cause
