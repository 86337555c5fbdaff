"""Options and progress of commands that do bulk work."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from dateline import BadInput
from dateline.counted import counted
from dateline_cli.files import check_target
from dateline_cli.show import print_lines, tracked
from dateline_cli.values import whole

if TYPE_CHECKING:
    from dateline.bulk import Mapper, Work

In = TypeVar("In")

BULK_ONLY = ("out", "ray", "actors")
"""Options that only bulk work takes."""

CHUNK = 16
"""Items that an actor gets at a time, and that a killed run does again at most; chosen by hand."""


def add_bulk(command: argparse.ArgumentParser, *, out: bool = True) -> None:
    """Add the options of bulk work.

    Args:
        out: whether its results can go to a file.
    """
    if out:
        command.add_argument(
            "--out", type=Path, metavar="FILE", help="write results there, one JSON line each; a killed run goes on"
        )
    command.add_argument(
        "--ray",
        nargs="?",
        const="local",
        default="",
        metavar="ADDRESS",
        help="work by Ray on all processors (local), or on a cluster: ray://host:port",
    )
    command.add_argument(
        "--actors", type=whole(1), metavar="N", help="with --ray: processes (default: one a processor)"
    )


def mapper(arguments: argparse.Namespace) -> Mapper:
    """Return the way to do bulk work that the options name."""
    from dateline.bulk import OneProcess, RayActors

    if not arguments.ray:
        if arguments.actors:
            raise BadInput("--actors says how many processes Ray starts; give --ray as well.")
        return OneProcess()
    return RayActors(address=arguments.ray, actors=arguments.actors or 0)


def do_bulk(
    arguments: argparse.Namespace,
    items: Sequence[In],
    *,
    work: Work[In, Mapping[str, Any]],
    keys: Sequence[str],
    what: str,
) -> int:
    """Do bulk work; print its results, or write them to `--out`.

    Args:
        keys: one for each item; see `dateline.bulk.ResultsFile`.
        what: one item is called so.

    Returns:
        How many results have an `error`, those of an earlier run of this file as well.
    """
    from dateline.bulk import ResultsFile

    way = mapper(arguments)
    if not arguments.out:
        failed = 0
        for line in tracked(way.map(items, work=work, chunk=CHUNK), total=len(items)):
            failed += bool(line.get("error"))
            print(json.dumps(line), flush=True)
        return failed
    check_target(arguments.out, what="the results", mark=None)
    file = ResultsFile(arguments.out, keys=keys)
    before, left = file.done, items[file.done :]
    for _ in tracked(file.written(way.map(left, work=work, chunk=CHUNK)), total=len(left)):
        pass
    told = f", {before} done before" if before else ""
    print_lines(f"{counted(len(items), what)}{told}, {file.failed} with an error: {arguments.out}")
    return file.failed


def refuse_together(arguments: argparse.Namespace, what: str, *others: str) -> None:
    """Raise `BadInput` for options that do not go with `what`."""
    for name in others:
        if getattr(arguments, name, None):
            shown = name if name == "question" else f"--{name}"
            raise BadInput(f"{what} takes no {shown}; see --help.")
