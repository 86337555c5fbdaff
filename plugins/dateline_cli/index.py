"""`dateline index`: a folder's index on disk, which `ask` and the server find."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.progress import Progress, TaskID

from dateline import BadInput
from dateline.secrets import masked
from dateline_cli.bulk import add_bulk, mapper, refuse_together
from dateline_cli.show import SafeConsole, print_json, print_lines

if TYPE_CHECKING:
    from dateline.bulk import Mapper
    from dateline.search.index import FolderIndex, IndexUpdate

NAMED = 10
"""How many of the lines about what was not read are shown."""


def add_to(commands: Any) -> None:
    """Register the subcommand."""
    command = commands.add_parser(
        "index",
        help="index a folder on disk, or bring its index up to date",
        description=__doc__,
        epilog="Example: dateline index notes && dateline ask 'Who is mayor?' --docs notes",
    )
    command.add_argument("docs", type=Path, metavar="PATH", help="a folder of documents, or one file of them")
    command.add_argument("--docs-name", default="", metavar="NAME", help="what the library is called, as for ask")
    command.add_argument(
        "--trust-sources", action="store_true", help="believe what documents name as source, as for ask"
    )
    place = "keep the index there, and ask it with --docs FILE.index (default: the user's cache, found by itself)"
    command.add_argument("--output", type=Path, metavar="FILE.index", help=place)
    to = "keep the index in PostgreSQL with pgvector, postgresql://USER@HOST/NAME, and ask it with --docs ADDRESS"
    command.add_argument("--to", default="", metavar="ADDRESS", help=to)
    command.add_argument("--remove", action="store_true", help="delete the index; the documents stay")
    command.add_argument("--json", action="store_true", help="print one JSON document instead")
    add_bulk(command, out=False)
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Index what is new or has changed."""
    from dateline.search.index import FolderIndex
    from dateline.text.embeddings import default_embeddings

    if arguments.to and arguments.output:
        raise BadInput("An index lies in one place; give --to or --output, not both.")
    if arguments.to and "://" not in arguments.to:
        raise BadInput(f"Cannot read the address {arguments.to!r}; write postgresql://USER@HOST/NAME.")
    how = {"name": arguments.docs_name, "trust_sources": arguments.trust_sources, "embeddings": default_embeddings()}
    if arguments.remove:
        refuse_together(arguments, "--remove", "ray", "actors")
        return _removed(arguments, how)
    way = mapper(arguments)
    index = FolderIndex(arguments.docs, output=arguments.to or arguments.output, **how)
    made = _updated(index, mapper=way if arguments.ray else None)
    if arguments.json:
        print_json({"index": index.where, "update": made})
        return 0
    print_lines(_told(made, index))
    for line in made.skipped[:NAMED]:
        print_lines(f"Not read: {line}")
    if len(made.skipped) > NAMED:
        print_lines(f"Not read: {len(made.skipped) - NAMED} more")
    return 0


def _removed(arguments: argparse.Namespace, how: dict[str, Any]) -> int:
    from dateline.search.index import FolderIndex

    given = arguments.to or arguments.output
    place = given or FolderIndex.place(arguments.docs, **how)
    removed = [place] if FolderIndex.remove(place) else []
    if not given:
        removed += FolderIndex.remove_all(arguments.docs)
    where = masked(str(place))
    if arguments.json:
        print_json({"index": where, "removed": bool(removed)})
        return 0
    for each in removed:
        print_lines(f"Deleted {masked(str(each))}.")
    if not removed:
        print_lines(f"There is no index {where}.")
    return 0


def _updated(index: FolderIndex, *, mapper: Mapper | None) -> IndexUpdate:
    console = SafeConsole(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task: TaskID = bar.add_task("Indexing", total=None)
        return index.update(
            progress=lambda stage, done, total: bar.update(task, completed=done, total=total), mapper=mapper
        )


def _told(made: IndexUpdate, index: FolderIndex) -> str:
    changes = [f"{made.read:,} {'file' if made.read == 1 else 'files'} read"]
    changes += [f"{made.removed:,} removed"] if made.removed else []
    changes += ["damaged, so made anew"] if made.rebuilt else []
    return f"{made.passages:,} {'passage' if made.passages == 1 else 'passages'} of {index.folder} ({', '.join(changes)}) in {index.where}"
