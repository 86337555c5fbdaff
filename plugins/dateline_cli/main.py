"""`dateline`: one command with a subcommand for each job.

Bad input is one sentence on standard error and exit code 2.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from importlib.metadata import entry_points, version
from typing import Any, NoReturn

from dateline import BadInput, DatelineError
from dateline.options import suggestion
from dateline.visible import visible
from dateline_cli import ask, audit, doctor, facts, generate, index, init, label, mcp, report, studio
from dateline_cli.show import print_lines


class Parser(argparse.ArgumentParser):
    """A command that adds its options when called.

    Its errors are one sentence, without the usage.

    Args:
        fill: adds the options. They come from packages that take a second to import, and only one command runs.
    """

    def __init__(self, *args: Any, fill: Callable[[Any], None] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._fill = fill

    def fill(self) -> None:
        """Add the options, once."""
        fill, self._fill = self._fill, None
        if fill is not None:
            fill(self)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Read the arguments.

        Raises:
            BadInput: for one that the command does not have.
        """
        self.fill()
        arguments, unknown = super().parse_known_args(args, namespace)
        if unknown:
            options = {option.lstrip("-"): option for option in self._option_string_actions}
            words = [one.lstrip("-").partition("=")[0] for one in unknown if one.startswith("-")]
            meant = next((found for word in words if (found := suggestion(word, known=list(options)))), "")
            fix = f" (did you mean {options[meant]}?)" if meant else ""
            raise BadInput(f"unrecognized arguments: {' '.join(unknown)}{fix}; see {self.prog} --help.")
        return arguments, unknown

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuse what is no choice, with what was probably meant."""
        if action.choices is None or value in action.choices:
            return
        names = [str(each) for each in action.choices]
        meant = suggestion(str(value), known=names)
        fix = f"did you mean {meant}?" if meant else f"choose among {', '.join(names)}."
        called = "/".join(action.option_strings) or action.dest
        raise BadInput(f"There is no {called} {value!r}; {fix} See {self.prog} --help.")

    def error(self, message: str) -> NoReturn:
        """Raise `BadInput`."""
        # "argument --max-rounds: must be ..." is no sentence; "--max-rounds must be ..." is.
        told = re.sub(r"^argument (\S+): (?=must |is )", r"\1 ", message).removeprefix("argument ").rstrip(".")
        raise BadInput(f"{told}; see {self.prog} --help.")


def parser() -> Parser:
    """The whole command line."""
    top = Parser(
        prog="dateline",
        description="Retrieval-augmented generation that knows what time it is.",
        epilog='Begin with: dateline ask "Who is the pope?" --docs FOLDER --as-of 2010. Each command has a --help of its own.',
    )
    top.add_argument("--version", action="version", version=f"dateline {version('dateline')}")
    commands = top.add_subparsers(dest="command", required=True, parser_class=Parser)
    for command in (ask, audit, doctor, init, index, generate, report, facts, label, mcp, studio, *_installed()):
        command.add_to(commands)
    return top


def _installed() -> Iterator[Any]:
    """Return installed packages' commands; one that cannot be loaded is left out."""
    for entry in sorted(entry_points(group="dateline.commands"), key=lambda each: each.name):
        with suppress(ModuleNotFoundError):
            yield entry.load()


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A name that a terminal's encoding cannot spell is shown with question marks, not lost with all the rest.
            stream.reconfigure(errors="replace")
    try:
        given = sys.argv[1:] if argv is None else argv
        # A command that is called by its name alone is asked what it can do.
        arguments = parser().parse_args(given or ["--help"])
        return int(arguments.run(arguments))
    except DatelineError as error:
        print_lines(f"dateline: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # Whoever read our output, `head` say, has gone.
        _give_up_output()
        return 141
    except OSError as error:
        # A disk that is full, a folder that is not ours: whatever no command has put into words of its own.
        told = ": ".join(filter(None, (error.filename and str(error.filename), error.strerror))) or str(error)
        print_lines(f"dateline: {visible(told)}.", file=sys.stderr)
        _give_up_output()
        return 2


def _give_up_output() -> None:
    """Drop what cannot be written; Python would complain again at its end."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
