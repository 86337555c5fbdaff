"""`dateline doctor`: undated, stale, contested, duplicated and unreadable documents."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from dateline_cli.fact_verbs import add_slots, own_slots
from dateline_cli.show import SafeConsole, print_json, print_lines
from dateline_cli.values import asking_date, days, whole

if TYPE_CHECKING:
    from dateline.audit import Checkup

TROUBLES = ("unreadable", "stale", "contested", "duplicated", "undated")


def add_to(commands: Any) -> None:
    """Register the subcommand."""
    command = commands.add_parser(
        "doctor",
        help="check up on a folder of documents or a fact store",
        description=__doc__,
        epilog="Example: dateline doctor notes --older-than 730 --fail-on stale",
    )
    command.add_argument(
        "where", metavar="PATH", help="a folder or file of documents, or the folder or URL of a fact store"
    )
    told = "check as of then: 2024, 2024-05-01, yesterday … (default: now)"
    command.add_argument("--as-of", type=asking_date, metavar="DATE", help=told)
    older = "documents older than that are stale, whatever others say (default: none is)"
    command.add_argument("--older-than", type=days, metavar="DAYS", help=older)
    pairs = "pairs of statements that are judged, the nearest (default: 2000)"
    command.add_argument("--pairs", type=whole(1), default=2000, metavar="N", help=pairs)
    fail = "exit code 1 where a document has this trouble; repeatable"
    command.add_argument("--fail-on", action="append", default=[], choices=(*TROUBLES, "any"), help=fail)
    add_slots(command)
    command.add_argument("--json", action="store_true", help="print one JSON document with every finding instead")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Check, print the counts and the worst documents."""
    found = _checked(arguments)
    if arguments.json:
        print_json({"counts": found.counts(), **found.model_dump(mode="json")})
    else:
        print_lines(str(found))
    failing = TROUBLES if "any" in arguments.fail_on else arguments.fail_on
    return int(any(count for trouble, count in found.counts().items() if trouble in failing))


def _checked(arguments: argparse.Namespace) -> Checkup:
    from dateline.audit import Doctor
    from dateline.facts.opening import is_store, open_store
    from dateline.facts.slot_reader import SlotReader
    from dateline.search import load_documents
    from dateline.temporal.as_of import read_moment
    from dateline.text.embeddings import default_embeddings

    embeddings, slots = default_embeddings(), own_slots(arguments)
    reader = None if slots is None else SlotReader(slots)
    doctor = Doctor(embeddings=embeddings, most_pairs=arguments.pairs, most_age=arguments.older_than, slots=reader)
    moment, console = read_moment(arguments.as_of), SafeConsole(stderr=True)

    def tell(stage: str) -> None:
        if console.is_terminal:
            console.print(stage, style="dim", markup=False, highlight=False)

    if is_store(arguments.where):
        with open_store(arguments.where, embeddings=embeddings, slots=slots) as store:
            return doctor.check_store(store, as_of=moment, progress=tell)
    loaded = load_documents(arguments.where)
    return doctor.check(loaded.documents, as_of=moment, skipped=loaded.skipped, progress=tell)
