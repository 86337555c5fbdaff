"""`asof report`: a run as one HTML page to look at, made of what `asof ask --json` printed."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from asof import BadInput

if TYPE_CHECKING:
    from asof_graphs import AnswerReport


def add_to(commands: Any) -> None:
    """Register the subcommand."""
    command = commands.add_parser("report", help="show a run as an HTML page", description=__doc__)
    command.add_argument("run_file", metavar="RUN.json", help="what asof ask --json printed; - reads standard input")
    command.add_argument(
        "-o", "--output", default="", metavar="FILE.html", help="where to write the page (default: beside RUN.json)"
    )
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Read the run, write its page, say where."""
    piped = arguments.run_file == "-"
    source = Path(arguments.run_file)
    target = Path(arguments.output) if arguments.output else source.with_suffix(".html")
    if piped and not arguments.output:
        raise BadInput("Say where the page goes: --output FILE.html; standard input has no folder of its own.")
    check_target(target)
    if not piped and target.absolute() == source.absolute():
        raise BadInput(f"The page would take the place of {source} itself; give --output another name.")
    from asof_graphs.stored import read_report

    report = read_report(_text(source, piped=piped), name="Standard input" if piped else str(source))
    write_page(report, target)
    print(f"Wrote {target}")
    return 0


def check_target(target: Path) -> None:
    """Raise `BadInput` where no page can be written there."""
    if target.is_dir():
        raise BadInput(f"Cannot write the page to {target}: it is a folder; name a file in it.")
    if not target.absolute().parent.is_dir():
        raise BadInput(f"Cannot write the page to {target}: its folder does not exist.")


def write_page(report: AnswerReport, target: Path) -> None:
    """Write the page. Raises `BadInput` where the file cannot be written."""
    page = report.to_html().encode()
    try:
        target.write_bytes(page)
    except OSError as cause:
        raise BadInput(f"Cannot write the page to {target}: {cause.strerror or cause}.") from cause


def _text(source: Path, *, piped: bool) -> str:
    try:
        content = sys.stdin.buffer.read() if piped else source.read_bytes()
        return content.decode("utf-8-sig")
    except OSError as cause:
        raise BadInput(f"Cannot read {source}: {cause.strerror or cause}.") from cause
    except UnicodeDecodeError as cause:
        raise BadInput(f"{source} is not JSON in UTF-8; give what asof ask --json printed.") from cause
