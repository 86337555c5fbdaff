"""`dateline`: one command, a subcommand a job. Bad input is one sentence on standard error and exit code 2."""

from __future__ import annotations

import argparse
import io
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib.metadata import entry_points, version
from typing import Any, NoReturn

from dateline import BadInput, DatelineError
from dateline_cli import ask, certainty, facts, generate, label, report


class _Parser(argparse.ArgumentParser):
    """Argument errors in one sentence, without the usage in front."""

    def error(self, message: str) -> NoReturn:
        # "argument --rounds: must be ..." is no sentence; "--rounds must be ..." is.
        told = re.sub(r"^argument (\S+): (?=must |is )", r"\1 ", message).removeprefix("argument ").rstrip(".")
        raise BadInput(f"{told}; see {self.prog} --help.")


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    top = _Parser(
        prog="dateline",
        description="Retrieval-augmented generation that knows what time it is.",
        epilog='Begin with: dateline ask "Who is the pope?" --docs FOLDER --as-of 2010. Each command has a --help of its own.',
    )
    top.add_argument("--version", action="version", version=f"dateline {version('dateline')}")
    commands = top.add_subparsers(dest="command", required=True, parser_class=_Parser)
    for command in (ask, generate, report, facts, certainty, label, *_installed()):
        command.add_to(commands)
    return top


def _installed() -> Iterator[Any]:
    """Commands of other packages, found by their entry points; one whose package is gone is left out."""
    for entry in sorted(entry_points(group="dateline.commands"), key=lambda each: each.name):
        with suppress(ModuleNotFoundError):
            yield entry.load()


def _command(arguments: argparse.Namespace) -> str:
    """The command as it was called, its job or verb with it."""
    names = (getattr(arguments, name, "") for name in ("command", "verb", "job"))
    return " ".join(("dateline", *filter(None, names)))


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A name that a terminal's encoding cannot spell is shown with question marks, not lost with all the rest.
            stream.reconfigure(errors="replace")
    try:
        arguments, unknown = parser().parse_known_args(argv)
        if unknown:
            raise BadInput(f"unrecognized arguments: {' '.join(unknown)}; see {_command(arguments)} --help.")
        return int(arguments.run(arguments))
    except DatelineError as error:
        print(f"dateline: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("dateline: interrupted.", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # Whoever read our output, `head` say, has gone; Python would complain once more when it flushes at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except OSError as error:
        # A disk that is full, a folder that is not ours: whatever no command has put into words of its own.
        told = ": ".join(filter(None, (error.filename and str(error.filename), error.strerror))) or str(error)
        print(f"dateline: {told}.", file=sys.stderr)
        return 2
