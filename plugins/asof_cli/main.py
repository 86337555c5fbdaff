"""`asof`: one command, a subcommand a job. Bad input is one sentence on standard error and exit code 2."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version
from typing import NoReturn

from asof import AsofError, BadInput
from asof_cli import ask, certainty, data, evaluate, facts, generate, grow, label, report


class _Parser(argparse.ArgumentParser):
    """Argument errors in one sentence, without the usage in front."""

    def error(self, message: str) -> NoReturn:
        raise BadInput(f"{message.removeprefix('argument ').rstrip('.')}; see {self.prog} --help.")


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    top = _Parser(prog="asof", description="Retrieval-augmented generation that knows what time it is.")
    top.add_argument("--version", action="version", version=f"asof {version('asof')}")
    commands = top.add_subparsers(dest="command", required=True, parser_class=_Parser)
    for command in (ask, generate, report, facts, evaluate, data, certainty, grow, label):
        command.add_to(commands)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    try:
        arguments = parser().parse_args(argv)
        return int(arguments.run(arguments))
    except AsofError as error:
        print(f"asof: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("asof: interrupted.", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # Whoever read our output, `head` say, has gone; Python would complain once more when it flushes at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
